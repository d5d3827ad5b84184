import { ExpiringCache } from '@husky/runtime/process/expiring-cache';
import type { StageResult } from './store/stages.ts';

const freshMs = 2000;
const oldestMs = 15_000;

/** Standings of stages in play for pages: while a newer one is computed, which takes long for many players, everybody gets the last one. */
export class StageStandings {
  readonly #kept = new ExpiringCache<readonly StageResult[]>({
    max: 20,
    ttl: freshMs,
    allowStale: true,
    fetchMethod: (_batchId, _last, { context }) => (context as () => Promise<readonly StageResult[]>)(),
  });

  /** Returns the standing of a stage, at most 15 s old. Rejects as `compute` does if there is none. */
  async read(batchId: string, compute: () => Promise<readonly StageResult[]>): Promise<readonly StageResult[]> {
    if (this.#kept.getRemainingTTL(batchId) < freshMs - oldestMs) this.#kept.delete(batchId);
    return (await this.#kept.fetch(batchId, { context: compute })) ?? compute();
  }
}
