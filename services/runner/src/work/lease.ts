import type { HeartbeatRequest } from '@husky/contracts/types/simulation/v1/HeartbeatRequest';
import { isTransient } from '@husky/runtime/process/retry';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { untraced } from '@husky/runtime/telemetry/trace-context';
import type { Context } from '../context.ts';

const heartbeatMs = 5000;
const heartbeatTimeoutMs = 4000;

/** The match was cancelled, or its lease has expired or is held by another runner. Nothing is reported. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** One attempt's lease: renews it by heartbeats and reports its loss. */
export class Lease {
  readonly token: string;
  readonly #context: Context;
  readonly #leaseMs: number;
  readonly #describe: () => HeartbeatRequest;
  readonly #onLost: (error: LeaseLost) => void;
  #validUntilMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #end = new AbortController();
  #heartbeat: Promise<void> | null = null;

  constructor(
    context: Context,
    lease: { token: string; seconds: number },
    describe: () => HeartbeatRequest,
    onLost: (error: LeaseLost) => void,
  ) {
    this.#context = context;
    this.token = lease.token;
    this.#leaseMs = lease.seconds * 1000;
    this.#describe = describe;
    this.#onLost = onLost;
    this.#validUntilMs = performance.now() + this.#leaseMs;
    this.#timer = setInterval(() => this.beat(), heartbeatMs);
  }

  /** Returns the options of a call made with this lease. */
  options(more: Omit<RpcOptions, 'token' | 'caller'> = {}): RpcOptions {
    return { token: this.token, ...more };
  }

  /** Sends a heartbeat now, for instance because the state has changed. */
  beat(): void {
    const { signal } = this.#end;
    if (this.#heartbeat !== null || signal.aborted) return;
    const sentAtMs = performance.now();
    const options = this.options({ timeoutMs: heartbeatTimeoutMs, signal });
    this.#heartbeat = untraced(() => this.#context.simulation.heartbeat(this.#describe(), options))
      .then(({ cancel, reason }) => {
        this.#validUntilMs = sentAtMs + this.#leaseMs;
        if (cancel) this.#lose(reason === '' ? 'the match was cancelled' : `the match was cancelled: ${reason}`);
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        if (!isTransient(error)) this.#lose(`the lease is not accepted: ${messageOf(error)}`);
        else if (performance.now() > this.#validUntilMs) this.#lose(`the lease ran out: ${messageOf(error)}`);
        else this.#context.log.warn(`a heartbeat failed: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#heartbeat = null;
      });
  }

  /** Ends the heartbeats and waits for the one in flight, which is aborted. Idempotent. */
  async stop(): Promise<void> {
    this.#stopBeating();
    await this.#heartbeat;
  }

  #stopBeating(): void {
    this.#end.abort();
    clearInterval(this.#timer);
  }

  #lose(why: string): void {
    if (this.#end.signal.aborted) return;
    this.#stopBeating();
    this.#onLost(new LeaseLost(why));
  }
}

/**
 * Returns a clock in ms since the epoch that shows `nowMs` now and continues with the monotonic clock. The times of hands are published and
 * compared with that of the commitment, so they must not depend on this machine's clock. For 0, which a simulation of an older release
 * sends, returns the machine's clock.
 */
export function platformClock(nowMs: number, monotonicMs: () => number = () => performance.now()): () => number {
  if (nowMs === 0) return Date.now;
  const offsetMs = nowMs - monotonicMs();
  return () => Math.floor(offsetMs + monotonicMs());
}
