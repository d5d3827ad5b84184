import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { describeSandbox, SeatHost } from '../host/seat-host.ts';

const firstPauseMs = 100;
const maxPauseMs = 3000;

/** Keeps a connection to the seat host of the run directory; reconnects when the host starts later or restarts. */
export class SeatsConnection {
  readonly #context: Context;
  #host: SeatHost | null = null;
  #problem = 'the seat host is not connected yet';

  constructor(context: Context) {
    this.#context = context;
  }

  /** Why no match can be played; '' when one can. */
  get problem(): string {
    if (this.#host !== null && this.#host.lost !== null) return this.#host.lost.message;
    return this.#problem;
  }

  /** Resolves with a connected host that accepts bots. Rejects with the signal's reason. */
  async ready(signal: AbortSignal): Promise<SeatHost> {
    let logged = '';
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      signal.throwIfAborted();
      if (this.#host !== null && this.#host.lost === null && this.#problem === '') return this.#host;
      this.#problem = await this.#connect();
      if (this.#problem !== '') {
        if (this.#problem !== logged) this.#context.log.warn(this.#problem);
        logged = this.#problem;
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  close(): void {
    this.#host?.disconnect();
    this.#host = null;
  }

  async #connect(): Promise<string> {
    this.close();
    try {
      const host = await SeatHost.connect(this.#context.runDir);
      this.#host = host;
      const { python, sandbox, strangers } = await host.hello();
      const { missing } = sandbox;
      this.#context.totals.sandbox = describeSandbox(sandbox);
      if (missing.length > 0 && !this.#context.allowUnsandboxed) {
        return `the seats' sandbox is incomplete (${missing.join('; ')}): matches are refused unless ALLOW_UNSANDBOXED is true`;
      }
      if (!strangers) return 'the seat host refuses bots of strangers';
      this.#context.log.info({ python, sandbox }, 'connected to the seat host');
      if (missing.length > 0) this.#context.log.warn(`bots run in an incomplete sandbox: ${missing.join('; ')}`);
      return '';
    } catch (error) {
      return messageOf(error);
    }
  }
}
