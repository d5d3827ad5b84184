import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnPlatform } from '../../up/own-platform.ts';

interface ProcessTimes {
  readonly parent: number;
  /** Name of the program, at most 15 characters. */
  readonly command: string;
  /** Processor seconds of the process and its children that have ended. */
  readonly seconds: number;
}

/** Processor seconds of each part at one time. */
export interface Sample {
  readonly atMs: number;
  readonly seconds: ReadonlyMap<string, number>;
}

// USER_HZ is 100 on all architectures that Node supports.
const ticksPerSecond = 100;

/** Reads the processor times of all processes of this machine, by process id. */
function readProcesses(): Map<number, ProcessTimes> {
  const processes = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(join('/proc', name, 'stat'), 'utf8');
      // The name in parentheses may contain spaces (proc_pid_stat(5)).
      const fields = stat.split(') ').at(-1)?.split(' ') ?? [];
      const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
      const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      processes.set(Number(name), { parent: Number(fields[1]), command, seconds: ticks / ticksPerSecond });
    } catch {
      // The process has ended.
    }
  }
  return processes;
}

/** Returns the process id of each part of a platform: services, gateway, supervisor, nats, postgresql. */
export function partsOf({ dataDir }: Pick<OwnPlatform, 'dataDir'>): Map<string, number> {
  const processes = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<
    string,
    { pid: number }
  >;
  const parts = new Map(Object.entries(processes).map(([name, { pid }]) => [name, pid]));
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];
  return parts.set('postgresql', Number(postmaster));
}

/** Returns the parts of `partsOf` and those of the runners: a `dealers` and a `seats` entry for each runner, named alike. */
export function partsWithRunners(platform: Pick<OwnPlatform, 'dataDir'>): [string, number][] {
  const parts = [...partsOf(platform)];
  const pool = parts.find(([name]) => name === 'pool')?.[1];
  for (const [pid, { parent, command }] of readProcesses()) {
    if (parent === pool) parts.push([command.startsWith('python') ? 'seats' : 'dealers', pid]);
  }
  return parts;
}

/**
 * Returns the processor seconds that each part has used so far, including its child processes. Ended children count as soon as their parent
 * has waited for them.
 */
export function sample(parts: Iterable<readonly [name: string, pid: number]>): Sample {
  const processes = readProcesses();
  const partOf = new Map([...parts].map(([name, pid]) => [pid, name]));
  const seconds = new Map<string, number>();
  for (const [pid, { seconds: own }] of processes) {
    let ancestor: number | undefined = pid;
    while (ancestor !== undefined && ancestor > 1 && !partOf.has(ancestor)) ancestor = processes.get(ancestor)?.parent;
    const name = ancestor === undefined ? undefined : partOf.get(ancestor);
    if (name !== undefined) seconds.set(name, (seconds.get(name) ?? 0) + own);
  }
  return { atMs: Date.now(), seconds };
}

/** Samples the processor time of all parts periodically until `stop`. `parts` returns the process id of each part. */
export function startSampling(parts: () => ReadonlyMap<string, number>, intervalMs = 1000) {
  const samples: Sample[] = [sample(parts())];
  const timer = setInterval(() => samples.push(sample(parts())), intervalMs);
  return {
    samples: samples as readonly Sample[],
    stop() {
      clearInterval(timer);
      samples.push(sample(parts()));
    },
  };
}

/** Returns the mean number of processors that each part used between two times, largest first. Leaves out parts that were restarted. */
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
 * Returns a sentence that names the part that limits the platform: a Node process that uses about one processor, which is its maximum,
 * or the machine if all its `processors` are in use.
 */
export function nameLimit(cores: readonly (readonly [string, number])[], processors: number): string {
  const [first] = cores;
  if (first === undefined) return 'the parts were not measured';
  const sum = cores.reduce((total, [, used]) => total + used, 0);
  const [name, used] = first;
  if (used >= 0.85) return `${name} is the limit: it uses ${used.toFixed(2)} of a processor`;
  if (sum >= 0.85 * processors) {
    return `the machine's ${processors} processors are the limit; ${name} uses most of them (${used.toFixed(2)})`;
  }
  return `no processor is the limit: the parts use ${sum.toFixed(2)} of ${processors}, most of it ${name} (${used.toFixed(2)})`;
}
