import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What made this process kill the program: `timeoutMs` or the abort signal; null: the program ended by itself. */
  readonly killedBy: 'timeout' | 'signal' | null;
}

export interface RunOptions {
  readonly timeoutMs: number;
  /** Time after which the program gets low priority, so that it does not slow short ones; default: never. */
  readonly lowPriorityAfterMs?: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

const maxOutput = 256 * 1024;
const lowPriority = 10;

/** Runs a short-lived program in its own process group, with limits on time and output. Rejects with the `code` of `spawn` if it cannot be run. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    let killedBy: Finished['killedBy'] = null;
    const kill = (by: 'timeout' | 'signal') => {
      killedBy ??= by;
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // ESRCH: the program has just ended.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    };
    const timer = setTimeout(() => kill('timeout'), options.timeoutMs);
    const yieldToOthers = () => {
      try {
        if (child.pid !== undefined) setPriority(child.pid, lowPriority);
      } catch (error) {
        // ESRCH: the program has just ended.
        if ((error as NodeJS.ErrnoException & { info?: { code?: string } }).info?.code !== 'ESRCH') throw error;
      }
    };
    const { lowPriorityAfterMs } = options;
    const yielding = lowPriorityAfterMs === undefined ? undefined : setTimeout(yieldToOthers, lowPriorityAfterMs);
    const onAbort = () => kill('signal');
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const output = { stdout: '', stderr: '' };
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(yielding);
      options.signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (error) => {
      settle();
      const { code } = error as NodeJS.ErrnoException;
      reject(Object.assign(new Error(`${program} could not be run: ${error.message}`), { code }));
    });
    // Without a free file descriptor there are no pipes; 'error' follows.
    if (child.stdin === undefined) return;
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (output[name].length < maxOutput) output[name] += text;
      });
    }
    child.once('close', (code, signal) => {
      settle();
      resolve({ code, signal, killedBy, ...output });
    });
    // A child that exits before it has read all its input is reported by its exit code, not by the pipe.
    child.stdin.on('error', () => child.stdin.destroy());
    child.stdin.end(options.input ?? '');
  });
}
