import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '@husky/runtime/process/logger';
import { type Repeating, repeat } from '@husky/runtime/process/repeat';
import { CoordinationV1Api, type KubeConfig, type V1Lease, V1MicroTime } from '@kubernetes/client-node';
import { kubernetesProblem, statusOf, withTimeout } from './kubernetes-call.ts';

/** Decides which replica of the pool changes the fleet; every replica reads it. */
export interface Leadership {
  /** Whether this process may change the fleet now. */
  readonly leading: boolean;
  /** Why it is not known which replica leads; '' when it is known. */
  readonly problem: string;
  /** Calls `onChange` with true when this process becomes the leader, and with false when it is no longer the leader. Call once. */
  start(onChange: (leading: boolean) => void): void;
  /** Tries to become the leader, or to renew the leadership, now instead of at the next interval. */
  refresh(): Promise<void>;
  /** Gives up the leadership, so that another replica takes it over immediately. */
  close(): Promise<void>;
}

/** Thrown for a change by a process that does not lead, or no longer leads. */
export class NotLeading extends Error {}

export interface LeaseSettings {
  readonly config: KubeConfig;
  readonly namespace: string;
  readonly name: string;
  readonly log: Logger;
  readonly times?: LeaseTimes;
}

/** In milliseconds, with the meaning and defaults of client-go's leader election. */
export interface LeaseTimes {
  /** How long other replicas wait after the last renewal that they have seen before they take over the lease. */
  readonly durationMs: number;
  /** How long the leader may act after it has sent its last successful renewal. Shorter than `durationMs` by a request's deadline. */
  readonly renewMs: number;
  readonly retryMs: number;
}

const defaultTimes: LeaseTimes = { durationMs: 15_000, renewMs: 10_000, retryMs: 2000 };

/**
 * Leader election by a Lease (https://kubernetes.io/docs/concepts/architecture/leases/), by the rules of client-go: a
 * replica takes over a lease that is free, or that it has seen unchanged for `durationMs`. Times are measured with this
 * process's monotonic clock, so clocks of nodes need not agree. Writes name the version that was read: of two replicas one succeeds.
 */
export class LeaseLeadership implements Leadership {
  readonly #settings: LeaseSettings;
  readonly #times: LeaseTimes;
  readonly #api: CoordinationV1Api;
  readonly #identity = `${hostname()}_${randomUUID()}`;
  #onChange: (leading: boolean) => void = () => undefined;
  #renewing: Repeating | undefined;
  #lease: V1Lease | undefined;
  /** Whether `#lease` may be older than the stored one. */
  #stale = true;
  #seenMs = 0;
  #validUntilMs = 0;
  #expiry: NodeJS.Timeout | undefined;
  #announced = false;
  #problem = 'the API server has not answered yet';

  constructor(settings: LeaseSettings) {
    this.#settings = settings;
    this.#times = settings.times ?? defaultTimes;
    this.#api = settings.config.makeApiClient(CoordinationV1Api);
  }

  get leading(): boolean {
    return performance.now() < this.#validUntilMs;
  }

  get problem(): string {
    return this.#problem;
  }

  start(onChange: (leading: boolean) => void): void {
    this.#onChange = onChange;
    this.#renewing = repeat('leader election', this.#times.retryMs, this.#settings.log, () => this.#renew());
  }

  async refresh(): Promise<void> {
    await this.#renew();
  }

  async close(): Promise<void> {
    await this.#renewing?.stop();
    const held = this.leading;
    this.#resign();
    if (!held || this.#lease === undefined) return;
    await this.#write(this.#lease, '').catch((error: unknown) => {
      this.#settings.log.warn({ err: error }, `releasing the lease failed: ${kubernetesProblem(error)}`);
    });
  }

  /** Takes or renews the lease unless another replica holds it. Returns true to be called again immediately. */
  async #renew(): Promise<boolean> {
    try {
      // The leader writes without reading: a write of another replica makes it fail.
      if (!this.leading || this.#stale) await this.#read();
      if (this.#lease !== undefined && this.#isTaken(this.#lease)) {
        this.#resign();
        this.#reportProblem('');
        return false;
      }
      const sentMs = performance.now();
      this.#lease = await (this.#lease === undefined ? this.#create() : this.#write(this.#lease, this.#identity));
      this.#lead(sentMs + this.#times.renewMs);
      this.#reportProblem('');
    } catch (error) {
      // Another replica was faster, or an earlier write arrived although its response did not.
      this.#stale = true;
      if (statusOf(error) === 409) return true;
      this.#reportProblem(kubernetesProblem(error));
    }
    return false;
  }

  async #read(): Promise<void> {
    const { name, namespace } = this.#settings;
    const lease = await this.#api.readNamespacedLease({ name, namespace }, this.#deadline()).catch((error: unknown) => {
      if (statusOf(error) === 404) return undefined;
      throw error;
    });
    if (lease?.metadata?.resourceVersion !== this.#lease?.metadata?.resourceVersion) this.#seenMs = performance.now();
    this.#lease = lease;
    this.#stale = false;
  }

  #isTaken({ spec }: V1Lease): boolean {
    const holder = spec?.holderIdentity ?? '';
    if (holder === '' || holder === this.#identity) return false;
    return performance.now() < this.#seenMs + this.#times.durationMs;
  }

  #create(): Promise<V1Lease> {
    const { name, namespace } = this.#settings;
    const body = { metadata: { name, namespace }, spec: this.#spec(undefined, this.#identity) };
    return this.#api.createNamespacedLease({ namespace, body }, this.#deadline());
  }

  #write(lease: V1Lease, holder: string): Promise<V1Lease> {
    const { name, namespace } = this.#settings;
    const body = { ...lease, spec: this.#spec(lease, holder) };
    return this.#api.replaceNamespacedLease({ name, namespace, body }, this.#deadline());
  }

  #spec(before: V1Lease | undefined, holderIdentity: string): V1Lease['spec'] {
    const now = new V1MicroTime();
    const transitions = before?.spec?.leaseTransitions ?? 0;
    const kept = before?.spec?.holderIdentity === holderIdentity;
    return {
      holderIdentity,
      leaseDurationSeconds: Math.max(1, Math.round(this.#times.durationMs / 1000)),
      acquireTime: kept ? (before.spec?.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: kept || before === undefined ? transitions : transitions + 1,
    };
  }

  #deadline() {
    return withTimeout(this.#times.durationMs - this.#times.renewMs);
  }

  #lead(untilMs: number): void {
    this.#validUntilMs = untilMs;
    clearTimeout(this.#expiry);
    this.#expiry = setTimeout(() => this.#resign(), Math.max(0, untilMs - performance.now())).unref();
    this.#announce(true);
  }

  #resign(): void {
    clearTimeout(this.#expiry);
    this.#validUntilMs = 0;
    this.#announce(false);
  }

  #announce(leading: boolean): void {
    if (leading === this.#announced) return;
    this.#announced = leading;
    this.#settings.log.info(
      leading ? 'this replica leads: it changes the fleet' : 'this replica does not lead any more',
    );
    this.#onChange(leading);
  }

  #reportProblem(problem: string): void {
    if (problem !== '' && problem !== this.#problem) this.#settings.log.warn(`leader election failed: ${problem}`);
    this.#problem = problem;
  }
}
