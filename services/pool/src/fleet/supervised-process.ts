import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onLines } from './lines.ts';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProcessSettings {
  /** 'dealer' or 'seats'. */
  readonly label: string;
  readonly program: Program;
  readonly onLine: (line: string) => void;
  /** Told each time it starts. */
  readonly onStart?: () => void;
  /** Told why the process ended and in how many ms it starts again. */
  readonly onLoss: (why: string, restartMs: number) => void;
  readonly backOff?: BackOff;
}

export interface BackOff {
  readonly firstMs: number;
  readonly mostMs: number;
  /** A process that has run this long starts from `firstMs` again. */
  readonly forgetMs: number;
}

/** One that has ended and runs again keeps its problem for so long: it may end of the same again. */
const provenMs = 5000;

const usual: BackOff = { firstMs: 250, mostMs: 10_000, forgetMs: 30_000 };

/**
 * One process and its descendants, started again with growing pauses when it ends by itself. Its standard input is a
 * lifeline: it ends when this process does, however that comes about. It leads a process group, so nothing of it is left.
 */
export class SupervisedProcess {
  readonly #settings: ProcessSettings;
  readonly #backOff: BackOff;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #stopping = false;
  #losses = 0;
  #timer: NodeJS.Timeout | null = null;
  #lastLine = '';
  #problem = '';
  #startedAt = 0;

  constructor(settings: ProcessSettings) {
    this.#settings = settings;
    this.#backOff = settings.backOff ?? usual;
  }

  /** Why it does not run, or did not until a moment ago, in words; otherwise empty. */
  get problem(): string {
    if (this.#child !== null && performance.now() - this.#startedAt >= provenMs) this.#problem = '';
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
    const { program, onLine, onStart } = this.#settings;
    const startedAt = performance.now();
    this.#startedAt = startedAt;
    onStart?.();
    const child = spawn(program.command, program.args, {
      cwd: program.cwd,
      env: { ...program.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    this.#lastLine = '';
    // A process that is gone breaks its pipe; its end is told by 'exit'.
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr] as Readable[]) {
      onLines(stream, (line) => {
        if (line.trim() !== '') this.#lastLine = line;
        onLine(line);
      });
    }
    this.#ended = new Promise((resolve) => {
      let startError: Error | undefined;
      const over = (code: number | null, signal: NodeJS.Signals | null) => {
        if (this.#child !== child) return;
        this.#killGroup('SIGKILL');
        this.#child = null;
        if (!this.#stopping) this.#startAgain(startError, code, signal, performance.now() - startedAt);
        resolve();
      };
      child.once('error', (error) => {
        startError = error;
        if (child.pid === undefined) over(null, null);
      });
      // 'close' comes after the last line of output, but a descendant may keep the pipes open: that one is killed at 'exit'.
      child.once('exit', () => this.#killGroup('SIGKILL'));
      child.once('close', over);
    });
  }

  /** Sends SIGTERM, closes the lifeline when `lifeline` says so, and kills what is left after `graceMs`. */
  async stop(graceMs: number, lifeline = true): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    if (lifeline) child.stdin?.end();
    child.kill('SIGTERM');
    const timer = setTimeout(() => this.#killGroup('SIGKILL'), graceMs);
    await this.#ended;
    clearTimeout(timer);
  }

  #startAgain(error: Error | undefined, code: number | null, signal: string | null, ranMs: number): void {
    if (ranMs >= this.#backOff.forgetMs) this.#losses = 0;
    const restartMs = Math.min(this.#backOff.mostMs, this.#backOff.firstMs * 2 ** this.#losses);
    this.#losses += 1;
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
    const words = lastWords(this.#lastLine);
    return words === '' ? `${label} ${how}` : `${label} ${how}: ${words}`;
  }

  #killGroup(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // Nobody of the group is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** The message of a line of our own JSON log, or the line. */
export function lastWords(line: string): string {
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
