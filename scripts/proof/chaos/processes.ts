import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** The kernel's name of it, at most 15 characters. */
  readonly name: string;
  readonly command: string;
}

/** Returns whether a process is one from which seats are forked. */
export const isZygote = ({ name }: Pick<Process, 'name'>): boolean => name === 'seat-zygote';

/** Returns all processes of this machine. */
export function listProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
        return [{ pid: Number(name), parent, name: readFileSync(`/proc/${name}/comm`, 'utf8').trim(), command }];
      } catch {
        // The process has ended.
        return [];
      }
    });
}

/** Returns a variable of a process's environment; undefined if it is not set, or the process has ended. */
export function variableOf(pid: number, name: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return variables.find((variable) => variable.startsWith(`${name}=`))?.slice(name.length + 1);
  } catch {
    return undefined;
  }
}

/** Returns the process id of a part that `make up` started in this data folder; undefined while it restarts. */
export function pidOf(dataDir: string, part: string): number | undefined {
  try {
    const text = readFileSync(join(dataDir, 'processes.json'), 'utf8');
    return (JSON.parse(text) as Record<string, { pid: number } | undefined>)[part]?.pid;
  } catch {
    // The file is being written.
    return undefined;
  }
}

/** Ids of the runners' processes, in ascending order. */
export interface RunnerProcesses {
  readonly dealers: readonly number[];
  readonly hosts: readonly number[];
  readonly seats: readonly number[];
}

/** Returns the processes of all runners of a platform. */
export function findRunnerProcesses(dataDir: string): RunnerProcesses {
  const pool = pidOf(dataDir, 'pool');
  const all = listProcesses();
  const childrenOf = (parent: number | undefined) => all.filter((process) => process.parent === parent);
  const children = pool === undefined ? [] : childrenOf(pool);
  const dealers = children.filter(({ command }) =>
    /\/(services\/runner\/src\/main\.ts|\.build\/runner\.js)/.test(command),
  );
  const hosts = children.filter(({ command }) => command.includes('husky_seat'));
  // The host's only child is the first zygote, whose children are seats and further zygotes.
  const seatsOf = (zygote: Process): Process[] =>
    childrenOf(zygote.pid).flatMap((child) => (isZygote(child) ? seatsOf(child) : child));
  const seats = hosts.flatMap(({ pid }) => childrenOf(pid)).flatMap(seatsOf);
  const pids = (processes: readonly Process[]) => processes.map(({ pid }) => pid).sort((a, b) => a - b);
  return { dealers: pids(dealers), hosts: pids(hosts), seats: pids(seats) };
}

/** Sends a signal. Ignores a process that has ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
