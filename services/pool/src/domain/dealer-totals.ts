import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';

/** Work of dealers. */
export interface DealerFigures {
  readonly matches: number;
  readonly hands: number;
  readonly acts: number;
  readonly playMs: number;
  readonly seatKills: ReadonlyMap<string, number>;
}

interface Known {
  readonly startedAtMs: number;
  readonly figures: DealerFigures;
}

const zero: DealerFigures = { matches: 0, hands: 0, acts: 0, playMs: 0, seatKills: new Map() };

/** Sums the counters of dealers, which restart at 0 with each dealer. */
export class DealerTotals {
  #known: Map<string, Known> | null = null;
  #sum = zero;

  /** Work since the first call of `add`. */
  get sum(): DealerFigures {
    return this.#sum;
  }

  /** Adds the increase since the last call. The first call sets the baseline: an earlier process has counted that work. */
  add(runners: readonly Runner__Output[]): void {
    const before = this.#known;
    const known = new Map<string, Known>();
    for (const { name, totals } of runners) {
      if (totals === null) continue;
      const figures = { ...totals, seatKills: new Map(totals.seatKills.map(({ reason, count }) => [reason, count])) };
      known.set(name, { startedAtMs: totals.startedAtMs, figures });
      if (before === null) continue;
      const last = before.get(name);
      this.#sum = addIncrease(this.#sum, figures, last?.startedAtMs === totals.startedAtMs ? last.figures : zero);
    }
    this.#known = known;
  }
}

function addIncrease(sum: DealerFigures, now: DealerFigures, last: DealerFigures): DealerFigures {
  const increased = (of: 'matches' | 'hands' | 'acts' | 'playMs') => sum[of] + Math.max(0, now[of] - last[of]);
  const seatKills = new Map(sum.seatKills);
  for (const [reason, count] of now.seatKills) {
    seatKills.set(reason, (seatKills.get(reason) ?? 0) + Math.max(0, count - (last.seatKills.get(reason) ?? 0)));
  }
  return {
    matches: increased('matches'),
    hands: increased('hands'),
    acts: increased('acts'),
    playMs: increased('playMs'),
    seatKills,
  };
}
