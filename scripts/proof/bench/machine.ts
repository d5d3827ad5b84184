// Conditions of a measurement (the machine, the version and the load of other processes), and the spread of its results.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '../../..');
// USER_HZ is 100 on all architectures that Node supports.
const ticksPerSecond = 100;

/** Returns a sentence with processor, cores, memory, Node and commit. */
export function describeMachine(): string {
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${model}, ${availableParallelism()} cores, ${memoryGib} GiB, Node ${process.versions.node}, ${describeCommit()}`;
}

function describeCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `commit ${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'no commit';
  }
}

/** Processor seconds since boot, over all processors. */
export interface ProcessorTimes {
  readonly busy: number;
  readonly idle: number;
}

/** Parses the first line of /proc/stat (proc_stat(5)). Time that the host of a virtual machine took (steal) counts as busy. */
export function parseProcessorTimes(stat: string): ProcessorTimes {
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softIrq = 0, steal = 0] = (
    stat.split('\n', 1)[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map((ticks) => Number(ticks) / ticksPerSecond);
  return { busy: user + nice + system + irq + softIrq + steal, idle: idle + wait };
}

export const readProcessorTimes = (): ProcessorTimes => parseProcessorTimes(readFileSync('/proc/stat', 'utf8'));

/** Returns the processor seconds of this process and of its children that have ended. */
export function ownSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / ticksPerSecond;
}

/** Starts to measure. The returned function returns the share of all processors' time that was idle since then. */
export function startIdleShare(): () => number {
  const before = readProcessorTimes();
  return () => {
    const after = readProcessorTimes();
    const idle = after.idle - before.idle;
    const all = idle + after.busy - before.busy;
    return all <= 0 ? 0 : idle / all;
  };
}

/** Returns the share of all processors' time that is idle during the next `ms`. */
export async function measureIdleShare(ms = 1000): Promise<number> {
  const idleShare = startIdleShare();
  await pause(ms);
  return idleShare();
}

/** Returns the quantile of the values at this share (nearest rank); NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns `minimum .. maximum`; '' for fewer than two values. */
export function describeSpread(values: readonly number[], digits = 1): string {
  if (values.length < 2) return '';
  return `${Math.min(...values).toFixed(digits)} .. ${Math.max(...values).toFixed(digits)}`;
}
