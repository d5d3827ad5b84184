import { retry } from '@husky/runtime/process/retry';
import { SupervisedProcess } from '@husky/runtime/process/supervised-process';
import { print, relay } from './log.ts';
import type { ProcessRegister } from './preflight.ts';

export interface PartOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly niceness?: number;
  /** host:port of /readyz. */
  readonly opsAddress: string;
}

const stopGraceMs = 15_000;
const keptLines = 5;

/** A service of `make up`: a supervised process with log, register entry and readiness check. */
export class Part {
  readonly #options: PartOptions;
  readonly #process: SupervisedProcess;
  readonly #stopping = new AbortController();
  #lastLines: string[] = [];

  constructor(options: PartOptions, register: ProcessRegister) {
    const { name } = options;
    this.#options = options;
    this.#process = new SupervisedProcess({
      label: name,
      program: options,
      onLine: (line) => {
        this.#lastLines = [...this.#lastLines, line].slice(-keptLines);
        relay(name, line);
      },
      onStart: (pid) => {
        if (pid !== undefined) register.add(name, pid);
      },
      onEnd: () => register.remove(name),
      onLoss: (cause, restartMs) => print(name, `${cause}; restarting in ${restartMs / 1000} s`),
    });
  }

  start(): void {
    this.#process.start();
  }

  /** Waits until /readyz returns 200 or stop() is called. Throws with the last log lines after `maxMs`. */
  async waitUntilReady(maxMs: number): Promise<void> {
    const { name, opsAddress } = this.#options;
    const { signal } = this.#stopping;
    const attempt = async () => {
      const response = await fetch(`http://${opsAddress}/readyz`, { signal: AbortSignal.timeout(2000) });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`/readyz returned ${response.status}`);
    };
    try {
      await retry(attempt, { signal, firstPauseMs: 60, maxPauseMs: 60, maxMs, retryIf: () => true });
    } catch {
      if (signal.aborted) return;
      const lines = this.#lastLines.join('\n');
      throw new Error(`${name} was not ready within ${maxMs / 1000} s. Its last lines:\n${lines}`);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#process.stop(stopGraceMs);
  }
}
