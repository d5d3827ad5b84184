import { createHistogram } from 'node:perf_hooks';
import type { DecisionTimes as DecisionTimesMessage } from '@husky/contracts/types/live/v1/DecisionTimes';
import type { FailedCalls as FailedCallsMessage } from '@husky/contracts/types/live/v1/FailedCalls';
import { DECISION_BOUNDS_MS, decisionBucket } from '@husky/match/decision-times';

const usPerMs = 1000;
/** Maximum number of distinct failed calls; further ones are counted with the newest of these. */
const maxKinds = 20;

/** Wall times of one bot's decisions, from question to reply. */
export class DecisionTimes {
  readonly #counts = new Array<number>(DECISION_BOUNDS_MS.length + 1).fill(0);
  // Node's HDR histogram: percentiles with an error of 0.1 % in a fixed size. In microseconds; it refuses values below 1.
  readonly #histogram = createHistogram();

  add(ms: number): void {
    const bucket = decisionBucket(ms);
    this.#counts[bucket] = (this.#counts[bucket] as number) + 1;
    this.#histogram.record(Math.max(1, Math.round(ms * usPerMs)));
  }

  describe(): DecisionTimesMessage {
    const at = (percentile: number) => this.#histogram.percentile(percentile) / usPerMs;
    return { count: this.#histogram.count, p50Ms: at(50), p95Ms: at(95), maxMs: at(100), counts: [...this.#counts] };
  }
}

/** Counts exceptions of a bot's callbacks. They cause no fold, but explain later faults. */
export class FailedCalls {
  readonly #kinds = new Map<string, Required<FailedCallsMessage>>();
  #last: Required<FailedCallsMessage> | null = null;

  add(method: string, text: string, hand: number): void {
    const key = `${method} ${text}`;
    const known = this.#kinds.get(key) ?? (this.#kinds.size < maxKinds ? undefined : this.#last);
    if (known) {
      known.count += 1;
      return;
    }
    this.#last = { method, text, count: 1, firstHand: hand };
    this.#kinds.set(key, this.#last);
  }

  get list(): Required<FailedCallsMessage>[] {
    return [...this.#kinds.values()];
  }
}
