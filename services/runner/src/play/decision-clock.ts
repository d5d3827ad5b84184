/** Wall time counts at a third: a sleeping bot is stopped at three times the limit. */
const wallShare = 1 / 3;
/**
 * The most wall time that counts between two samples. Beyond it, dealer or host did not get a processor themselves: the machine was
 * throttled or stopped, which is not charged.
 */
export const maxStepMs = 100;

/** A seat's times by the host: totals since its start. */
export interface SeatTimes {
  readonly cpuMs: number;
  /** Time ready to run without a processor. */
  readonly waitMs: number;
}

/**
 * The clock of one decision, fed with samples of the host. Time used is the seat's processor time, or a third of the wall time where
 * that is more, less the time it waited for a processor and the time the machine stood still.
 */
export class DecisionClock {
  readonly limitMs: number;
  #cpuMs: number;
  #fairMs: number;
  #sampledAtMs: number;
  #last: SeatTimes;

  /** `elapsedMs` since the question; `since` is the part of `times` that this decision can have used. */
  constructor(start: { limitMs: number; nowMs: number; elapsedMs: number; times: SeatTimes; since: SeatTimes }) {
    const { elapsedMs, since } = start;
    this.limitMs = start.limitMs;
    this.#cpuMs = Math.min(elapsedMs, Math.max(0, since.cpuMs));
    this.#fairMs = Math.max(0, Math.min(elapsedMs, 2 * maxStepMs) - since.waitMs);
    this.#sampledAtMs = start.nowMs;
    this.#last = start.times;
  }

  /** Adds the host's sample taken at `nowMs`. */
  sample(nowMs: number, times: SeatTimes): void {
    const step = Math.min(nowMs - this.#sampledAtMs, maxStepMs);
    this.#fairMs += Math.max(0, step - (times.waitMs - this.#last.waitMs));
    this.#cpuMs += Math.max(0, times.cpuMs - this.#last.cpuMs);
    this.#sampledAtMs = nowMs;
    this.#last = times;
  }

  get usedMs(): number {
    return Math.max(this.#cpuMs, this.#fairMs * wallShare);
  }

  get expired(): boolean {
    return this.usedMs >= this.limitMs;
  }
}
