import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { startThreads } from '@husky/runtime/process/threads';
import type { Context } from '../../context.ts';
import type { Match } from '../../domain/match.ts';
import { chunksAfter } from '../../store/chunks.ts';
import { findMatches } from '../../store/matches.ts';
import { beforeAllIds, eachMatch, type MatchWork, pagesById, pauseAfter } from '../../work/each-match.ts';
import type { ValuesJob } from '../domain/match-values.ts';
import { deleteValuesBefore, matchesWithoutValues, putValues } from '../store/match-values.ts';

const threadCount = 2;
// A tenth of the share of a process that plays matches, if both need a processor. At 19 a busy machine would never finish the work.
const niceness = 10;
// While this replica stores hands of matches in play, one thread works a fifth of the time.
const pauseRatio = 4;
const deliveryWindowMs = 10_000;
const searchIntervalMs = 10 * 60_000;
// Some 20 KB each.
const valuesPerDeletion = 500;

/**
 * Computes the values of finished matches in the background (docs/methodology.md, Luck). New results are computed immediately. Matches
 * without values of the present version, such as those of an earlier release, are searched every ten minutes by one
 * replica at a time; an interrupted search is resumed by the next one, since it skips matches with values.
 */
export class ValuesWork {
  readonly #context: Pick<Context, 'db' | 'log' | 'stopping' | 'workLocks'>;
  readonly #threads = startThreads<ValuesJob, Uint8Array>(new URL('./values-thread.ts', import.meta.url), {
    count: threadCount,
    niceness,
  });
  readonly #finished = new Set<string>();
  #wake: () => void = () => undefined;
  #deliveredAt = Number.NEGATIVE_INFINITY;
  #searchedAt = Number.NEGATIVE_INFINITY;

  constructor(context: Pick<Context, 'db' | 'log' | 'stopping' | 'workLocks'>) {
    this.#context = context;
  }

  /** Adds a match that has just been accepted, and wakes `run`. */
  enqueue(jobId: string): void {
    this.#finished.add(jobId);
    this.#wake();
  }

  /** Reports that hands of a match in play were stored. The work slows down for some seconds. */
  reportDelivery(): void {
    this.#deliveredAt = performance.now();
  }

  /** Sets the function that `enqueue` calls, so that `run` is called again. */
  onEnqueued(wake: () => void): void {
    this.#wake = wake;
  }

  /** Works until nothing is left to compute. */
  async run(): Promise<void> {
    await this.#compute((limit) => this.#takeFinished(limit));
    if (performance.now() - this.#searchedAt < searchIntervalMs) return;
    await this.#context.workLocks.run('match_values', () => this.#search());
    this.#searchedAt = performance.now();
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #search(): Promise<void> {
    const { db, log, stopping } = this.#context;
    const search = pagesById((after, limit) => matchesWithoutValues(db, LUCK_VERSION, after, limit));
    const computed = await this.#compute(async (limit) => {
      // New results do not wait for the end of a long search.
      const finished = await this.#takeFinished(limit);
      return finished.length > 0 ? finished : search(limit);
    });
    if (computed > 0) log.info({ computed }, `computed the values of ${computed} matches`);
    // Values of an earlier version are shown until all matches have those of the present one.
    let last: string | null = beforeAllIds;
    while (last !== null && !stopping.aborted) {
      const startedAt = performance.now();
      last = await deleteValuesBefore(db, LUCK_VERSION, last, valuesPerDeletion);
      await pauseAfter(startedAt, 1, stopping);
    }
  }

  /** Returns matches that were enqueued and removes them from the queue; none if it is empty. */
  async #takeFinished(limit: number): Promise<readonly Match[]> {
    while (this.#finished.size > 0) {
      const jobIds = [...this.#finished].slice(0, limit);
      for (const jobId of jobIds) this.#finished.delete(jobId);
      const matches = await findMatches(this.#context.db, jobIds);
      if (matches.length > 0) return matches;
    }
    return [];
  }

  #compute(next: MatchWork['next']): Promise<number> {
    return eachMatch(this.#context, {
      name: 'computing the values of',
      next,
      work: (match) => this.#valuesOf(match),
      concurrency: () => (this.#isDelivering() ? 1 : threadCount),
      pauseRatio: () => (this.#isDelivering() ? pauseRatio : 0),
    });
  }

  #isDelivering(): boolean {
    return performance.now() - this.#deliveredAt < deliveryWindowMs;
  }

  async #valuesOf(match: Match): Promise<void> {
    const { db } = this.#context;
    const { jobId, acceptedAttempt, playerIds, startingStack, bigBlind, blindMultiplier, blindInterval, seed } = match;
    if (acceptedAttempt === null) return;
    const chunks: Uint8Array[] = [];
    for await (const { bytes } of chunksAfter(db, jobId, acceptedAttempt, 0)) chunks.push(bytes);
    const facts = { playerIds, startingStack, bigBlind, blindMultiplier, blindInterval, seed };
    const bytes = await this.#threads.run({ match: facts, chunks });
    await putValues(db, jobId, acceptedAttempt, { version: LUCK_VERSION, bytes });
  }
}
