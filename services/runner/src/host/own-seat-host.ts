import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { retry } from '@husky/runtime/process/retry';
import { SeatHost } from './seat-host.ts';

const connecting = { firstPauseMs: 10, maxPauseMs: 10, maxMs: 30_000 };
/** Time that a seat host has to exit after the end of its lifeline. Then it is killed, and its seats end with it. */
const exitTimeoutMs = 5000;

/** A seat host that cannot be started; the message has the last line that it wrote. */
export class SeatHostFailed extends Error {
  override readonly name = 'SeatHostFailed';
}

/** A seat host that this process has started and that ends with it: its standard input is the lifeline. */
export interface OwnSeatHost {
  readonly host: SeatHost;
  readonly process: ChildProcess;
  /** Ends the host and its seats. */
  stop(): Promise<void>;
}

/** How a seat host is started. `seatFolder` contains the package husky_seat; `module` is another one that speaks its protocols. */
export interface SeatHostStart {
  readonly python: string;
  readonly seatFolder: string;
  readonly module?: string;
  readonly runDir: string;
  readonly options: readonly string[];
}

/** Starts a seat host and connects to it. Throws SeatHostFailed when it ends or does not listen in time. */
export async function startSeatHost({
  python,
  seatFolder,
  module = 'husky_seat',
  runDir,
  options,
}: SeatHostStart): Promise<OwnSeatHost> {
  const child = spawn(python, ['-m', module, '--run-dir', runDir, ...options], {
    cwd: seatFolder,
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: seatFolder },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  // The end of the log: journal lines, or the error of a host that cannot start.
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000);
  });
  child.stdin?.on('error', () => undefined);
  let failed: Error | null = null;
  child.once('error', (error) => {
    failed = error;
  });
  const runs = () => failed === null && child.exitCode === null && child.signalCode === null;
  try {
    const host = await retry(() => SeatHost.connect(runDir), { ...connecting, retryIf: runs });
    return {
      host,
      process: child,
      stop: async () => {
        host.disconnect();
        await endProcess(child);
      },
    };
  } catch {
    await endProcess(child);
    const why = (failed as Error | null)?.message ?? log.trim().split('\n').at(-1) ?? '';
    throw new SeatHostFailed(`the seat host could not be started with ${python}: ${why || 'it does not listen'}`);
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.stdin?.end();
  const timer = setTimeout(() => child.kill('SIGKILL'), exitTimeoutMs);
  await ended.finally(() => clearTimeout(timer));
}
