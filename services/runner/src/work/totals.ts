import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import type { Sandbox } from '@husky/contracts/types/simulation/v1/Sandbox';

/**
 * What this dealer has done since it was started. It goes out with every claim and heartbeat: nothing has to reach a runner
 * to know it.
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

  hand(acts: number): void {
    this.#hands += 1;
    this.#acts += acts;
  }

  match(playMs: number): void {
    this.#matches += 1;
    this.#playMs += playMs;
  }

  /** A bot that was ended before its match: `reason` is its fault. */
  seatKill(reason: string): void {
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
