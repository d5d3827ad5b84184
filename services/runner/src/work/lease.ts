import type { HeartbeatRequest } from '@husky/contracts/types/simulation/v1/HeartbeatRequest';
import { messageOf } from '@husky/runtime/errors';
import type { RpcOptions } from '@husky/runtime/grpc-client';
import type { Context } from '../context.ts';
import { isPassing } from './insist.ts';

const heartbeatMs = 5000;
const heartbeatTimeoutMs = 4000;

/** The match is no longer ours: cancelled, or the lease has passed to nobody or somebody else. There is nobody to tell. */
export class LeaseGone extends Error {
  override readonly name = 'LeaseGone';
}

/** One attempt's lease: keeps it alive by heartbeats and says when it is gone. */
export class Lease {
  readonly token: string;
  readonly #context: Context;
  readonly #leaseMs: number;
  readonly #describe: () => HeartbeatRequest;
  readonly #onGone: (error: LeaseGone) => void;
  #validUntilMs: number;
  #timer: NodeJS.Timeout | null = null;
  #beating = false;
  #stopped = false;

  constructor(
    context: Context,
    lease: { token: string; seconds: number },
    describe: () => HeartbeatRequest,
    onGone: (error: LeaseGone) => void,
  ) {
    this.#context = context;
    this.token = lease.token;
    this.#leaseMs = lease.seconds * 1000;
    this.#describe = describe;
    this.#onGone = onGone;
    this.#validUntilMs = performance.now() + this.#leaseMs;
    this.#timer = setInterval(() => this.beat(), heartbeatMs);
  }

  /** Options of a call made with this lease. */
  options(more: Omit<RpcOptions, 'token' | 'caller'> = {}): RpcOptions {
    return { token: this.token, ...more };
  }

  /** Sends a heartbeat now, for instance because the state has changed. */
  beat(): void {
    if (this.#beating || this.#stopped) return;
    this.#beating = true;
    const sentAtMs = performance.now();
    this.#context.simulation
      .heartbeat(this.#describe(), this.options({ timeoutMs: heartbeatTimeoutMs }))
      .then(({ cancel, reason }) => {
        this.#validUntilMs = sentAtMs + this.#leaseMs;
        if (cancel) this.#gone(reason === '' ? 'the match was cancelled' : `the match was cancelled: ${reason}`);
      })
      .catch((error: unknown) => {
        if (!isPassing(error)) this.#gone(`the lease is not accepted: ${messageOf(error)}`);
        else if (performance.now() > this.#validUntilMs) this.#gone(`the lease ran out: ${messageOf(error)}`);
        else this.#context.log.warn(`a heartbeat failed: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#beating = false;
      });
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #gone(why: string): void {
    if (this.#stopped) return;
    this.stop();
    this.#onGone(new LeaseGone(why));
  }
}
