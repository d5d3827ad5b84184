import type { SeatUsage } from '../host/seat-host.ts';

/** Weight of wall time in a decision: a bot that only sleeps times out after three times the limit. */
const decisionWallShare = 1 / 3;
/**
 * Maximum wall time that is charged between two samples. A longer gap means that the dealer or the host had no processor, because the
 * machine was throttled or stopped.
 */
export const maxStepMs = 100;

/** A seat's times as the host reports them: totals since the seat's start. */
export interface SeatTimes {
  readonly cpuMs: number;
  /** Time ready to run without a processor. */
  readonly waitMs: number;
}

export function timesOf(usage: SeatUsage): SeatTimes {
  return { cpuMs: usage.cpu_ms, waitMs: usage.wait_ms };
}

/**
 * The clock of one decision, start or end of a seat, updated with samples of the host. The time used is the greater of the seat's
 * processor time and a share of the wall time. Time for which the seat waited for a processor, or the machine stood still, is subtracted
 * from the wall time.
 */
export class DecisionClock {
  readonly limitMs: number;
  readonly #wallShare: number;
  #cpuMs: number;
  #chargedWallMs: number;
  #sampledAtMs: number;
  #last: SeatTimes;

  /** `elapsedMs` since the question; `since` is the part of `times` that this decision can have used. */
  constructor(start: {
    limitMs: number;
    nowMs: number;
    elapsedMs: number;
    times: SeatTimes;
    since: SeatTimes;
    wallShare?: number;
  }) {
    const { elapsedMs, since } = start;
    this.#wallShare = start.wallShare ?? decisionWallShare;
    this.limitMs = start.limitMs;
    this.#cpuMs = Math.min(elapsedMs, Math.max(0, since.cpuMs));
    this.#chargedWallMs = Math.max(0, Math.min(elapsedMs, 2 * maxStepMs) - since.waitMs);
    this.#sampledAtMs = start.nowMs;
    this.#last = start.times;
  }

  /** Adds the host's sample taken at `nowMs`. */
  sample(nowMs: number, times: SeatTimes): void {
    const step = Math.min(nowMs - this.#sampledAtMs, maxStepMs);
    this.#chargedWallMs += Math.max(0, step - (times.waitMs - this.#last.waitMs));
    this.#cpuMs += Math.max(0, times.cpuMs - this.#last.cpuMs);
    this.#sampledAtMs = nowMs;
    this.#last = times;
  }

  get usedMs(): number {
    return Math.max(this.#cpuMs, this.#chargedWallMs * this.#wallShare);
  }

  get expired(): boolean {
    return this.usedMs >= this.limitMs;
  }
}
