import { createHistogram } from 'node:perf_hooks';
import type { DecisionTimes as Description } from '@husky/contracts/types/live/v1/DecisionTimes';
import { DECISION_BOUNDS_MS, decisionPlace } from '@husky/match/decision-times';

const usPerMs = 1000;

/** Wall time of one bot's decisions, from the question to the answer. */
export class DecisionTimes {
  readonly #counts = new Array<number>(DECISION_BOUNDS_MS.length + 1).fill(0);
  // Node's HDR histogram: percentiles to 0.1 % in a fixed size. In microseconds, of which it takes none below 1.
  readonly #histogram = createHistogram({ figures: 3 });

  add(ms: number): void {
    const place = decisionPlace(ms);
    this.#counts[place] = (this.#counts[place] as number) + 1;
    this.#histogram.record(Math.max(1, Math.round(ms * usPerMs)));
  }

  describe(): Description {
    const { count } = this.#histogram;
    const at = (percentile: number) => (count === 0 ? 0 : this.#histogram.percentile(percentile) / usPerMs);
    return { count, p50Ms: at(50), p95Ms: at(95), maxMs: at(100), counts: [...this.#counts] };
  }
}
