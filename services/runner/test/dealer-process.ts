import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { testIdentities } from '@husky/testkit/servers';
import type { Services } from './services.ts';

/** The process `node src/main.ts`, started with a pipe as its lifeline, as the fleet does. */
export class DealerProcess {
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  readonly ended: Promise<number | null>;
  readonly #watchers = new Set<(line: string) => void>();

  constructor(runDir: string, services: Services, more: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [join(import.meta.dirname, '../src/main.ts')], {
      env: {
        PATH: process.env.PATH ?? '',
        RUNNER_NAME: 'runner-test',
        RUN_DIR: runDir,
        SIMULATION_ADDRESS: services.addresses.simulation,
        SUBMISSION_ADDRESS: services.addresses.submission,
        LIVE_DATA_ADDRESS: services.addresses.liveData,
        IDENTITY_KEY_FILE: testIdentities().keyFile('runner'),
        OPS_ADDRESS: '127.0.0.1:0',
        ...more,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    for (const stream of [this.process.stdout, this.process.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(line);
        for (const watch of [...this.#watchers]) watch(line);
      });
    }
  }

  /** Resolves with the first line of output, past or future, that contains this text. */
  waitForLine(text: string, timeoutMs = 15_000): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const watch = (line: string) => {
      if (line.includes(text)) resolve(line);
    };
    const timer = setTimeout(
      () => reject(new Error(`the dealer did not log ${JSON.stringify(text)}:\n${this.lines.join('\n')}`)),
      timeoutMs,
    );
    this.#watchers.add(watch);
    this.lines.forEach(watch);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#watchers.delete(watch);
    });
  }

  /** Closes the lifeline and waits until the process has ended. */
  async stop(): Promise<number | null> {
    this.process.stdin?.end();
    return this.ended;
  }
}
