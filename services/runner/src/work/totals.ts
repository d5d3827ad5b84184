import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import type { Sandbox } from '@husky/contracts/types/simulation/v1/Sandbox';

/**
 * Counts the work of this dealer since its start. The counts are sent with every claim and heartbeat, so that nothing has to connect to
 * a runner to read them.
 */
export class Totals {
  readonly #startedAtMs = Date.now();
  #matches = 0;
  #hands = 0;
  #acts = 0;
  #playMs = 0;
  readonly #kills = new Map<string, number>();
  /** As the seat host last reported it; null before its first `hello`. */
  sandbox: Sandbox | null = null;

  countHand(acts: number): void {
    this.#hands += 1;
    this.#acts += acts;
  }

  countMatch(playMs: number): void {
    this.#matches += 1;
    this.#playMs += playMs;
  }

  /** Counts a bot that was out before the end of its match; `reason` is its fault. */
  countSeatKill(reason: string): void {
    this.#kills.set(reason, (this.#kills.get(reason) ?? 0) + 1);
  }

  describe(): RunnerTotals {
    return {
      startedAtMs: this.#startedAtMs,
      matches: this.#matches,
      hands: this.#hands,
      acts: this.#acts,
      playMs: Math.round(this.#playMs),
      seatKills: [...this.#kills].map(([reason, count]) => ({ reason, count })),
      sandbox: this.sandbox,
    };
  }
}
