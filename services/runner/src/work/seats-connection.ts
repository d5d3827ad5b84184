import { retry } from '@husky/runtime/process/retry';
import { messageOf } from '@husky/runtime/rpc/errors';
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
    if (this.#host !== null && this.#host.lost === null && this.#problem === '') return this.#host;
    return retry(() => this.#connect(), {
      signal,
      firstPauseMs,
      maxPauseMs,
      retryIf: () => true,
      onFailure: (error) => {
        this.#problem = messageOf(error);
      },
      onNewCause: (problem) => this.#context.log.warn(problem),
    });
  }

  close(): void {
    this.#host?.disconnect();
    this.#host = null;
  }

  async #connect(): Promise<SeatHost> {
    this.close();
    const host = await SeatHost.connect(this.#context.runDir);
    this.#host = host;
    const { python, sandbox, strangers } = await host.hello();
    const { missing } = sandbox;
    this.#context.totals.sandbox = describeSandbox(sandbox);
    if (missing.length > 0 && !this.#context.allowUnsandboxed) {
      const message = `the seats' sandbox is incomplete (${missing.join('; ')}): matches are refused unless ALLOW_STRANGERS_WITHOUT_SANDBOX is true`;
      throw new Error(message);
    }
    if (!strangers) throw new Error('the seat host refuses bots of strangers');
    this.#context.log.info({ python, sandbox }, 'connected to the seat host');
    if (missing.length > 0) this.#context.log.warn(`bots run in an incomplete sandbox: ${missing.join('; ')}`);
    this.#problem = '';
    return host;
  }
}
