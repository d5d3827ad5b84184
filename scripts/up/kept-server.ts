import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '@husky/platform/server-process';
import { Restarts } from '@husky/runtime/process/supervised-process';
import { messageOf } from '@husky/runtime/rpc/errors';
import { print } from './log.ts';
import type { ProcessRegister } from './preflight.ts';

export interface KeptServerOptions {
  readonly name: string;
  /** Starts the server and resolves when it is ready. */
  readonly start: () => Promise<ServerProcess>;
  readonly register: ProcessRegister;
}

/** Keeps PostgreSQL, NATS or Keycloak of `make up` running: restarts the server with exponential backoff (0.25 to 10 s) if it ends. */
export class KeptServer {
  readonly #options: KeptServerOptions;
  readonly #stopping = new AbortController();
  #server: ServerProcess;
  readonly #restarts = new Restarts();
  readonly #watching: Promise<void>;

  /** `server`: the running server. The caller starts it the first time, because invalid settings or data must end `make up`. */
  constructor(options: KeptServerOptions, server: ServerProcess) {
    this.#options = options;
    this.#server = server;
    options.register.add(options.name, server.pid);
    this.#watching = this.#watch();
  }

  /** Ends the server with SIGTERM, after which it is restarted. */
  restart(): void {
    try {
      process.kill(this.#server.pid, 'SIGTERM');
    } catch (error) {
      // The server is already being restarted.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Stops the server and the restarts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#server.stop();
    await this.#watching;
    // A restart that was in progress has replaced the server.
    await this.#server.stop();
    this.#options.register.remove(this.#options.name);
  }

  async #watch(): Promise<void> {
    const { name, register } = this.#options;
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now();
      const { code, tail } = await this.#server.exited;
      if (this.#stopping.signal.aborted) return;
      register.remove(name);
      await this.#restart(`ended with code ${code}: ${tail.split('\n').at(-1) ?? ''}`, performance.now() - startedAt);
    }
  }

  async #restart(cause: string, ranMs: number): Promise<void> {
    const { name, start, register } = this.#options;
    const { signal } = this.#stopping;
    const pauseMs = this.#restarts.pauseAfter(ranMs);
    print(name, `${cause}; restarting in ${pauseMs / 1000} s`);
    await pause(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      this.#server = await start();
      register.add(name, this.#server.pid);
      print(name, 'runs again');
    } catch (error) {
      await this.#restart(messageOf(error), 0);
    }
  }
}
