import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import type { Sandbox } from '@husky/contracts/types/simulation/v1/Sandbox';

/**
 * Counts what this dealer has done since its start. Sent with every claim and heartbeat, so nothing has to connect to a runner to
 * read it.
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

  /** Counts a bot that was ended before its match; `reason` is its fault. */
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
