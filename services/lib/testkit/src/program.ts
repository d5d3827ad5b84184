import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  /** Exit code; null: ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly uid?: number;
  /** Gets the running process, to send it a signal. */
  readonly onStart?: (child: ChildProcess) => void;
}

const maxRunMs = 170_000;

/** Runs a program to its end, killing it after `maxRunMs`. Never throws for a failure of the program. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env, input = '', uid, onStart } = options;
  return new Promise((resolve, reject) => {
    const user = uid === undefined ? {} : { uid, gid: uid };
    const child = spawn(program, args, { cwd, env, timeout: maxRunMs, ...user });
    const text = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (part: string) => {
        text[name] += part;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...text }));
    // A program that ends without reading its input closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    onStart?.(child);
  });
}
