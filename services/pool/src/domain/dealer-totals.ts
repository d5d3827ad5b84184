import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';

/** What dealers have done between two looks, or since the first. */
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

const nothing: DealerFigures = { matches: 0, hands: 0, acts: 0, playMs: 0, seatKills: new Map() };

/** Adds up what each dealer says of itself since it was started, over dealers that come and go. */
export class DealerTotals {
  #known: Map<string, Known> | null = null;
  #sum = nothing;

  /** Since this object was made. */
  get sum(): DealerFigures {
    return this.#sum;
  }

  /** What dealers had done before the first call is not ours to count: it was counted by another process. */
  take(runners: readonly Runner__Output[]): void {
    const before = this.#known;
    const known = new Map<string, Known>();
    for (const { name, totals } of runners) {
      if (totals === null) continue;
      const figures = { ...totals, seatKills: new Map(totals.seatKills.map(({ reason, count }) => [reason, count])) };
      known.set(name, { startedAtMs: totals.startedAtMs, figures });
      if (before === null) continue;
      const last = before.get(name);
      this.#sum = grown(this.#sum, figures, last?.startedAtMs === totals.startedAtMs ? last.figures : nothing);
    }
    this.#known = known;
  }
}

function grown(sum: DealerFigures, now: DealerFigures, last: DealerFigures): DealerFigures {
  const more = (of: 'matches' | 'hands' | 'acts' | 'playMs') => sum[of] + Math.max(0, now[of] - last[of]);
  const seatKills = new Map(sum.seatKills);
  for (const [reason, count] of now.seatKills) {
    seatKills.set(reason, (seatKills.get(reason) ?? 0) + Math.max(0, count - (last.seatKills.get(reason) ?? 0)));
  }
  return { matches: more('matches'), hands: more('hands'), acts: more('acts'), playMs: more('playMs'), seatKills };
}
