import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { relay, say } from './log.ts';
import type { ProcessRegister } from './preflight.ts';

export interface PartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** host:port of its /readyz. */
  readonly opsAddress: string;
}

const longestPauseMs = 10_000;
const stopMs = 15_000;

/** One supervised process: started again when it ends by itself, with a pause that grows while it keeps ending. */
export class Part {
  readonly options: PartOptions;
  readonly #register: ProcessRegister;
  #child: ChildProcess | undefined;
  #stopping = false;
  #pauseMs = 250;
  #restart: NodeJS.Timeout | undefined;
  #lastLines: string[] = [];

  constructor(options: PartOptions, register: ProcessRegister) {
    this.options = options;
    this.#register = register;
  }

  start(): void {
    const { name, command, args, cwd, env } = this.options;
    const startedAt = Date.now();
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    this.#child = child;
    if (child.pid !== undefined) this.#register.add(name, child.pid);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.#lastLines = [...this.#lastLines.slice(-4), line];
        relay(name, line);
      });
    }
    child.once('error', (error) => say(name, `cannot be started: ${error.message}`));
    child.once('close', (code, signal) => {
      this.#register.remove(name);
      this.#child = undefined;
      if (this.#stopping) return;
      if (Date.now() - startedAt > 30_000) this.#pauseMs = 250;
      const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
      say(name, `${how}; it is started again in ${this.#pauseMs / 1000} s`);
      this.#restart = setTimeout(() => this.start(), this.#pauseMs);
      this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
    });
  }

  /** Resolves when /readyz answers 200; throws with its last lines when that takes longer than `timeoutMs`. */
  async ready(timeoutMs: number): Promise<void> {
    const until = Date.now() + timeoutMs;
    while (Date.now() < until) {
      if (this.#stopping) return;
      try {
        const response = await fetch(`http://${this.options.opsAddress}/readyz`, { signal: AbortSignal.timeout(2000) });
        await response.arrayBuffer();
        if (response.ok) return;
      } catch {
        // Not listening yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    throw new Error(
      `${this.options.name} was not ready within ${timeoutMs / 1000} s. Its last lines:\n${this.#lastLines.join('\n')}`,
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => {
      say(this.options.name, 'does not stop and is killed');
      child.kill('SIGKILL');
    }, stopMs);
    await closed;
    clearTimeout(timer);
  }
}
