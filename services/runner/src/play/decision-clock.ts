/** Wall time counts at a third: sleeping stops at three times the limit. */
const wallShare = 1 / 3;
/**
 * The most wall time that counts between two looks. Beyond it dealer or host did not get the processor themselves: the machine
 * was throttled or stopped, and that is nobody's thinking.
 */
export const longestStepMs = 100;

/**
 * The clock of one long decision, fed with the host's figures. Time used is the seat's processor time, or a third of the wall
 * time that was fairly its own where that is more: stalls of the machine and other seats' processor time are taken off.
 */
export class DecisionClock {
  readonly seat: number;
  readonly limitMs: number;
  #cpuMs: number;
  #fairMs: number;
  #seenMs: number;
  #cpuSeen: number;
  #othersSeen: number;

  /**
   * `elapsedMs` since the question; `cpuMs` and `othersMs` are the totals of this seat and of all others by the host now;
   * `cpuSinceMs` bounds what this decision can have used so far.
   */
  constructor(start: {
    seat: number;
    limitMs: number;
    nowMs: number;
    elapsedMs: number;
    cpuMs: number;
    cpuSinceMs: number;
    othersMs: number;
  }) {
    this.seat = start.seat;
    this.limitMs = start.limitMs;
    this.#cpuMs = Math.min(start.elapsedMs, Math.max(0, start.cpuSinceMs));
    this.#fairMs = Math.min(start.elapsedMs, 2 * longestStepMs);
    this.#seenMs = start.nowMs;
    this.#cpuSeen = start.cpuMs;
    this.#othersSeen = start.othersMs;
  }

  /** Takes the host's figures at `nowMs`. */
  look(nowMs: number, cpuMs: number, othersMs: number): void {
    const step = Math.min(nowMs - this.#seenMs, longestStepMs);
    this.#fairMs += Math.max(0, step - (othersMs - this.#othersSeen));
    this.#cpuMs += Math.max(0, cpuMs - this.#cpuSeen);
    this.#seenMs = nowMs;
    this.#cpuSeen = cpuMs;
    this.#othersSeen = othersMs;
  }

  get usedMs(): number {
    return Math.max(this.#cpuMs, this.#fairMs * wallShare);
  }

  get expired(): boolean {
    return this.usedMs >= this.limitMs;
  }
}
