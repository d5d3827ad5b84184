import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { retry } from './retry.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Added to the nice value of this process, where the system allows it. */
  readonly niceness?: number;
}

export interface SupervisedProcessSettings {
  /** Its name in messages. */
  readonly label: string;
  readonly program: Program;
  readonly onLine: (line: string) => void;
  /** Called after each start. */
  readonly onStart?: (pid: number | undefined) => void;
  /** Called after each end. */
  readonly onEnd?: () => void;
  /** Called when the process ends by itself, with the reason and the delay before the restart. */
  readonly onLoss: (why: string, restartMs: number) => void;
  readonly backOff?: BackOff;
}

export interface BackOff {
  readonly firstMs: number;
  readonly maxMs: number;
  /** A run of this length resets the backoff to `firstMs`. */
  readonly resetAfterMs: number;
}

const maxLineChars = 16 * 1024;

/** How long `problem` is kept after a restart: the process may fail again for the same reason. */
const problemTtlMs = 5000;

const defaultBackOff: BackOff = { firstMs: 250, maxMs: 10_000, resetAfterMs: 30_000 };

/** Counts the restarts of a process that ends by itself. */
export class Restarts {
  readonly #backOff: BackOff;
  #failures = 0;

  /** Default backoff: from 0.25 to 10 s, reset by a run of 30 s. */
  constructor(backOff: BackOff = defaultBackOff) {
    this.#backOff = backOff;
  }

  /** Returns the pause in ms before the next start, after a run of `ranMs` (0: it could not be started). */
  pauseAfter(ranMs: number): number {
    const { firstMs, maxMs, resetAfterMs } = this.#backOff;
    if (ranMs >= resetAfterMs) this.#failures = 0;
    return Math.min(maxMs, firstMs * 2 ** this.#failures++);
  }
}

/**
 * Runs a process and restarts it with exponential backoff when it ends by itself. The process must exit when its standard input
 * closes, so that it does not outlive this process. It leads a process group; the whole group is killed when it ends.
 */
export class SupervisedProcess {
  readonly #settings: SupervisedProcessSettings;
  readonly #restarts: Restarts;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #stopping = false;
  #timer: NodeJS.Timeout | null = null;
  #lastLine = '';
  #problem = '';
  #startedAt = 0;

  constructor(settings: SupervisedProcessSettings) {
    this.#settings = settings;
    this.#restarts = new Restarts(settings.backOff);
  }

  /** Why the process is not running, kept for 5 s after a restart; '' when there is no problem. */
  get problem(): string {
    if (this.#child !== null && performance.now() - this.#startedAt >= problemTtlMs) this.#problem = '';
    return this.#problem;
  }

  get alive(): boolean {
    return this.#child !== null;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    if (this.#stopping || this.#child !== null) return;
    const { program, onLine, onStart, onEnd } = this.#settings;
    const startedAt = performance.now();
    this.#startedAt = startedAt;
    const child = spawn(program.command, program.args, {
      cwd: program.cwd,
      env: { ...program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    this.#lastLine = '';
    if (child.pid !== undefined && program.niceness !== undefined) changeNiceness(child.pid, program.niceness);
    onStart?.(child.pid);
    this.#ended = new Promise((resolve) => {
      let startError: Error | undefined;
      const handleEnd = (code: number | null, signal: NodeJS.Signals | null) => {
        if (this.#child !== child) return;
        this.#killGroup('SIGKILL');
        this.#child = null;
        onEnd?.();
        if (!this.#stopping) this.#scheduleRestart(startError, code, signal, performance.now() - startedAt);
        resolve();
      };
      child.once('error', (error) => {
        startError = error;
        if (child.pid === undefined) handleEnd(null, null);
      });
      // 'close' follows the last line of output. A descendant could keep the pipes open, so the group is killed at 'exit'.
      child.once('exit', () => this.#killGroup('SIGKILL'));
      child.once('close', handleEnd);
    });
    // Without a free file descriptor there are no pipes; 'error' follows.
    if (child.stdin === undefined) return;
    // The pipe of an ended process breaks; 'exit' reports the end.
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr] as Readable[]) {
      onLines(stream, (line) => {
        if (line.trim() !== '') this.#lastLine = line;
        onLine(line);
      });
    }
  }

  /** Sends SIGTERM, closes standard input if `closeInput`, and kills the group after `graceMs`. */
  async stop(graceMs: number, closeInput = true): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    if (closeInput) child.stdin?.end();
    child.kill('SIGTERM');
    const timer = setTimeout(() => this.#killGroup('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #scheduleRestart(error: Error | undefined, code: number | null, signal: string | null, ranMs: number): void {
    const restartMs = this.#restarts.pauseAfter(ranMs);
    this.#problem = this.#describe(error, code, signal);
    this.#settings.onLoss(this.#problem, restartMs);
    this.#timer = setTimeout(() => this.start(), restartMs);
  }

  #describe(error: Error | undefined, code: number | null, signal: string | null): string {
    const { label, program } = this.#settings;
    if (error !== undefined) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return missing ? `${label}: ${program.command} was not found` : `${label}: ${error.message}`;
    }
    const how = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
    const message = messageOfLine(this.#lastLine);
    return message === '' ? `${label} ${how}` : `${label} ${how}: ${message}`;
  }

  #killGroup(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The group has ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Returns the message of a JSON log line, or the line, cut to 300 characters. */
export function messageOfLine(line: string): string {
  const text = line.trim();
  if (text.startsWith('{')) {
    try {
      const { msg } = JSON.parse(text) as { msg?: unknown };
      if (typeof msg === 'string') return msg.slice(0, 300);
    } catch {
      return text.slice(0, 300);
    }
  }
  return text.slice(0, 300);
}

/** Calls `onLine` for each line of a stream. Lines longer than `maxLineChars` are split, which bounds the memory. */
export function onLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > maxLineChars) {
      onLine(rest);
      rest = '';
    }
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
  stream.on('error', () => undefined);
}

const maxSuspendingMs = 5000;

/**
 * Suspends a process by SIGSTOP and waits, on Linux, until none of its threads runs: they go on until one of them has been scheduled and
 * takes the signal. Throws if a thread does not stop within 5 s.
 */
export async function suspend(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const tasks = `/proc/${pid}/task`;
  const runs = (task: string) => {
    try {
      return !/\) [TtZ] /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8'));
    } catch {
      return false; // It has ended.
    }
  };
  const stands = async () => {
    if (existsSync(tasks) && readdirSync(tasks).some(runs)) throw new Error(`process ${pid} does not stop`);
  };
  await retry(stands, { firstPauseMs: 1, maxPauseMs: 1, maxMs: maxSuspendingMs, retryIf: () => true });
}

/** Without privileges the kernel allows one change in 100 ms on the whole machine. */
const retryMs = 150;
const maxAttempts = 40;

/**
 * Gives a process that leads a session the nice value of this process plus `change`; negative: a larger share of busy processors.
 * Processes that it starts later inherit it. Linux may share processors between sessions first (sched(7), autogroup), and then a nice value counts only inside of a
 * session, so the session gets the same value. What the system does not support or allow is left as it is.
 */
export function changeNiceness(pid: number, change: number): void {
  const niceness = Math.max(-20, Math.min(19, getPriority() + change));
  try {
    setPriority(pid, niceness);
  } catch {
    return;
  }
  setSessionNiceness(pid, niceness, 1);
}

function setSessionNiceness(pid: number, niceness: number, attempt: number): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempt === maxAttempts) return;
    setTimeout(() => setSessionNiceness(pid, niceness, attempt + 1), retryMs).unref();
  }
}
