import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { OwnPlatform } from '../../scripts/up/own-platform.ts';

interface ProcessTimes {
  readonly parent: number;
  /** Name of the program, at most 15 characters. */
  readonly command: string;
  /** Processor seconds of the process and its children that have ended. */
  readonly seconds: number;
}

/** Processor seconds by part at one time. */
export interface Sample {
  readonly atMs: number;
  readonly seconds: ReadonlyMap<string, number>;
}

// USER_HZ is 100 on all architectures that Node supports.
const ticksPerSecond = 100;

function readProcesses(): Map<number, ProcessTimes> {
  const found = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(join('/proc', name, 'stat'), 'utf8');
      // The name in parentheses may contain spaces (proc_pid_stat(5)).
      const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      found.set(Number(name), { parent: Number(fields[1]), command, seconds: ticks / ticksPerSecond });
    } catch {
      // The process has ended.
    }
  }
  return found;
}

/** Returns the process id of each part of a platform: services, gateway, supervisor, nats, postgresql. */
export function partsOf({ dataDir }: Pick<OwnPlatform, 'dataDir'>): Map<string, number> {
  const register = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<string, { pid: number }>;
  const parts = new Map(Object.entries(register).map(([name, { pid }]) => [name, pid]));
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];
  return parts.set('postgresql', Number(postmaster));
}

/** Returns the parts of partsOf, with `dealers` and `seats` apart from the pool: of each runner a process of Node and one of Python. */
export function partsWithRunners(platform: Pick<OwnPlatform, 'dataDir'>): [string, number][] {
  const parts = [...partsOf(platform)];
  const pool = parts.find(([name]) => name === 'pool')?.[1];
  for (const [pid, { parent, command }] of readProcesses()) {
    if (parent === pool) parts.push([command.startsWith('python') ? 'seats' : 'dealers', pid]);
  }
  return parts;
}

/**
 * Returns the processor seconds of each part so far: its processes and all that they started. Children that have ended count once their
 * parent has waited for them.
 */
export function sample(parts: Iterable<readonly [name: string, pid: number]>): Sample {
  const processes = readProcesses();
  const partOf = new Map([...parts].map(([name, pid]) => [pid, name]));
  const seconds = new Map<string, number>();
  for (const [pid, { seconds: own }] of processes) {
    let at: number | undefined = pid;
    while (at !== undefined && at > 1 && !partOf.has(at)) at = processes.get(at)?.parent;
    const name = at === undefined ? undefined : partOf.get(at);
    if (name !== undefined) seconds.set(name, (seconds.get(name) ?? 0) + own);
  }
  return { atMs: Date.now(), seconds };
}

/** Reads the processor time of all parts periodically, until `stop`. `parts` returns the process id of each part. */
export function startSampling(parts: () => ReadonlyMap<string, number>, everyMs = 1000) {
  const samples: Sample[] = [sample(parts())];
  const timer = setInterval(() => samples.push(sample(parts())), everyMs);
  return {
    samples: samples as readonly Sample[],
    stop() {
      clearInterval(timer);
      samples.push(sample(parts()));
    },
  };
}

/** Returns the processors that each part used between two times, largest first. A part that was restarted is left out. */
export function coresBetween(samples: readonly Sample[], fromMs: number, toMs: number): [string, number][] {
  const inside = samples.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || last.atMs === first.atMs) return [];
  const elapsedS = (last.atMs - first.atMs) / 1000;
  return [...last.seconds]
    .map(([name, seconds]): [string, number] => [name, (seconds - (first.seconds.get(name) ?? seconds)) / elapsedS])
    .filter(([, cores]) => cores >= 0)
    .sort(([, a], [, b]) => b - a);
}

/**
 * Returns a sentence about the part that limits the platform: one Node process uses at most about one processor, and all
 * together use at most those of the machine.
 */
export function nameLimit(cores: readonly (readonly [string, number])[]): string {
  const [first] = cores;
  if (first === undefined) return 'no part was measured';
  const sum = cores.reduce((total, [, used]) => total + used, 0);
  const [name, used] = first;
  const machine = availableParallelism();
  if (used >= 0.85) return `${name} is the limit: it uses ${used.toFixed(2)} of a processor`;
  if (sum >= 0.85 * machine) {
    return `the machine's ${machine} processors are the limit; ${name} uses most of them (${used.toFixed(2)})`;
  }
  return `no processor is the limit: the parts use ${sum.toFixed(2)} of ${machine}, most of it ${name} (${used.toFixed(2)})`;
}
