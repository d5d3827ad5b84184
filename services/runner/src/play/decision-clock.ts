/** Wall time counts at a third: sleeping stops at three times the limit. */
const wallShare = 1 / 3;
/**
 * The most wall time that counts between two looks. Beyond it dealer or host did not get the processor themselves: the machine
 * was throttled or stopped, and that is nobody's thinking.
 */
export const longestStepMs = 100;

/** A seat's figures by the host: totals since its start. */
export interface SeatTimes {
  readonly cpuMs: number;
  /** Ready to run, but without a processor. */
  readonly waitMs: number;
}

/**
 * The clock of one decision, fed with the host's figures. Time used is the seat's processor time, or a third of the wall time
 * that was fairly its own where that is more: what it waited for a processor and what the machine stood still is taken off.
 */
export class DecisionClock {
  readonly limitMs: number;
  #cpuMs: number;
  #fairMs: number;
  #seenAtMs: number;
  #seen: SeatTimes;

  /** `elapsedMs` since the question; `since` is what this decision can have used of `times` by now. */
  constructor(start: { limitMs: number; nowMs: number; elapsedMs: number; times: SeatTimes; since: SeatTimes }) {
    const { elapsedMs, since } = start;
    this.limitMs = start.limitMs;
    this.#cpuMs = Math.min(elapsedMs, Math.max(0, since.cpuMs));
    this.#fairMs = Math.max(0, Math.min(elapsedMs, 2 * longestStepMs) - since.waitMs);
    this.#seenAtMs = start.nowMs;
    this.#seen = start.times;
  }

  /** Takes the host's figures at `nowMs`. */
  look(nowMs: number, times: SeatTimes): void {
    const step = Math.min(nowMs - this.#seenAtMs, longestStepMs);
    this.#fairMs += Math.max(0, step - (times.waitMs - this.#seen.waitMs));
    this.#cpuMs += Math.max(0, times.cpuMs - this.#seen.cpuMs);
    this.#seenAtMs = nowMs;
    this.#seen = times;
  }

  get usedMs(): number {
    return Math.max(this.#cpuMs, this.#fairMs * wallShare);
  }

  get expired(): boolean {
    return this.usedMs >= this.limitMs;
  }
}
