import { setImmediate as nextTurn } from 'node:timers/promises';
import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { packBlockSums } from '@husky/estimate/match-sums';
import type { Standings } from '@husky/estimate/standings';
import { blindsAt } from '@husky/holdem/blinds';
import { parseStacks } from '@husky/match/stacks';
import { createSharedWork } from '@husky/runtime/process/shared-work';
import { startThreads } from '@husky/runtime/process/threads';
import { createAdmission } from '@husky/runtime/rpc/admission';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import { unpackSeries } from '../../domain/series.ts';
import { findSeries } from '../../store/chunks.ts';
import { sumMatch } from '../domain/match-values.ts';
import type { ComputedStandings, Scope, StandingsJob, StandingsState } from '../domain/packed-standings.ts';
import {
  findMatchSums,
  putMatchSums,
  type ScopeMatch,
  type ScopeSignature,
  scopeMatches,
  scopeSignature,
} from '../store/match-sums.ts';
import { loadMatchValues, type MatchValues } from '../store/match-values.ts';

interface Cached extends ComputedStandings {
  readonly signature: ScopeSignature;
  readonly jobIds: ReadonlySet<string>;
}

interface Progress {
  done: number;
  of: number;
}

// A scope with more than a million matches would be computed again for each reader.
const maxCachedBytes = 128 * 2 ** 20;
const bytesPerMatch = 100;
// The standings of 20 players take 100 KB.
const bytesPerPair = 250;
const matchesPerRead = 200;
// Enough for a small scope, so that its first reader needs no second request.
const maxWaitMs = 1500;
// While luck values of many matches are computed, the standings are updated at this interval.
const valuesIntervalMs = 60_000;
// A place is always free for others than one account or one address.
const concurrentScopes = 2;
const share = { account: 1 / 2, address: 1 / 2 };
const maxWaiting = 200;
const maxQueuedMs = 10 * 60_000;
// Below matches in play. At the lowest priority the thread starved on busy machines.
const niceness = 10;

/**
 * Computes standings in the background and caches them with the signature of their inputs. The sums of each match are stored, so that one
 * more match costs only its own sums and the estimates. Two scopes at a time, of different accounts and addresses; concurrent requests for a
 * scope share its computation.
 */
export class StandingsWork {
  readonly #context: Pick<Context, 'db' | 'log' | 'stopping' | 'now'>;
  readonly #threads = startThreads<StandingsJob, Standings>(new URL('./standings-thread.ts', import.meta.url), {
    count: concurrentScopes,
    niceness,
  });
  readonly #cache = new LRUCache<string, Cached>({
    maxSize: maxCachedBytes,
    sizeCalculation: ({ jobIds, standings }, key) =>
      key.length + bytesPerMatch * jobIds.size + bytesPerPair * standings.players.length ** 2,
  });
  readonly #progress = new Map<string, Progress>();
  readonly #scopes = createSharedWork<void>(
    createAdmission({
      limit: () => concurrentScopes,
      share,
      maxWaiting,
      maxWaitMs: maxQueuedMs,
    }),
  );

  constructor(context: Pick<Context, 'db' | 'log' | 'stopping' | 'now'>) {
    this.#context = context;
  }

  /** Returns the standings of a scope. Starts their computation if they are not current, and waits for it at most `maxWaitMs`. */
  async read(scope: Scope): Promise<StandingsState> {
    const { db, now } = this.#context;
    const key = JSON.stringify(scope);
    const signature = await scopeSignature(db, scope);
    const isCurrent = () => {
      const cached = this.#cache.get(key);
      if (cached?.signature.matches !== signature.matches) return false;
      if (cached.signature.values === signature.values) return true;
      return !signature.complete && now() - cached.computedAt < valuesIntervalMs;
    };
    if (!isCurrent()) await settledWithin(this.#start(key, scope), maxWaitMs);
    const cached = this.#cache.get(key);
    const current = isCurrent();
    const shown = cached !== undefined && (current || (await this.#holdsAll(scope, cached)));
    const progress = this.#progress.get(key) ?? { done: 0, of: 0 };
    return { result: shown ? cached : null, computing: !current, done: progress.done, of: progress.of };
  }

  /** Stores the packed sums of a match, with luck values of LUCK_VERSION. */
  putSums(match: Pick<ScopeMatch, 'jobId' | 'attempt'>, bytes: Uint8Array): Promise<void> {
    return putMatchSums(this.#context.db, match, LUCK_VERSION, bytes);
  }

  /** Returns the stored luck values of a match; null without those of LUCK_VERSION. */
  async valuesOf(jobId: string): Promise<MatchValues['cumulative'] | null> {
    const values = await loadMatchValues(this.#context, jobId);
    return values?.version === LUCK_VERSION ? values.cumulative : null;
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  /** Returns whether all matches of an older result are still in the scope: none was deleted or made private. */
  async #holdsAll(scope: Scope, { jobIds }: Cached): Promise<boolean> {
    const present = new Set((await scopeMatches(this.#context.db, scope)).map(({ jobId }) => jobId));
    return [...jobIds].every((jobId) => present.has(jobId));
  }

  #start(key: string, scope: Scope): Promise<void> {
    const ended = outsideOfCall(() => this.#scopes.run(key, () => this.#compute(key, scope)));
    ended.catch((error: unknown) => {
      const { log, stopping } = this.#context;
      if (!stopping.aborted && !isOverloaded(error))
        log.warn({ err: error }, `computing standings: ${messageOf(error)}`);
    });
    return ended;
  }

  async #compute(key: string, scope: Scope): Promise<void> {
    const progress = { done: 0, of: 0 };
    this.#progress.set(key, progress);
    try {
      await this.#computeScope(key, scope, progress);
    } finally {
      this.#progress.delete(key);
    }
  }

  async #computeScope(key: string, scope: Scope, progress: Progress): Promise<void> {
    const { db, now, stopping } = this.#context;
    // Read before the matches, so that a match that is added in between makes the result outdated.
    const signature = await scopeSignature(db, scope);
    const matches = await scopeMatches(db, scope);
    progress.of = matches.length;
    const job: StandingsJob[number][] = [];
    for (let at = 0; at < matches.length && !stopping.aborted; at += matchesPerRead) {
      const group = matches.slice(at, at + matchesPerRead);
      const stored = await findMatchSums(db, group);
      for (const match of group) {
        const found = stored.get(match.jobId);
        const bytes =
          found !== undefined && found.luckVersion >= match.valuesVersion ? found.bytes : await this.#sum(match);
        progress.done += 1;
        if (bytes === null) continue;
        const { players, startingStack, bigBlind } = match;
        const seed = Buffer.from(match.seed).toString('hex');
        const schedule = { bigBlind, multiplier: match.blindMultiplier, interval: match.blindInterval };
        const { big: lastBigBlind } = blindsAt(match.numRounds, schedule, players.length * startingStack);
        job.push({ seed, players, stacks: parseStacks(match.stacks), startingStack, bigBlind, lastBigBlind, bytes });
      }
    }
    if (stopping.aborted) return;
    const standings = await this.#threads.run(job);
    const jobIds = new Set(matches.map(({ jobId }) => jobId));
    this.#cache.set(key, { signature, jobIds, standings, computedAt: now() });
  }

  /** Sums a match and stores the sums. Null for a match that was deleted meanwhile. */
  async #sum(match: ScopeMatch): Promise<Uint8Array | null> {
    const { db } = this.#context;
    const series = await findSeries(db, match.jobId, match.attempt);
    if (series === null) return null;
    const values = match.valuesVersion === 0 ? null : await loadMatchValues(this.#context, match.jobId);
    const bytes = packBlockSums(sumMatch(match, unpackSeries(series), values?.cumulative ?? null));
    await putMatchSums(db, match, values?.version ?? 0, bytes);
    await nextTurn();
    return bytes;
  }
}

const isOverloaded = (error: unknown) => error instanceof DomainError && error.code === 'UNAVAILABLE';

/** Waits until a promise is fulfilled, at most this long. Rejects with its error. */
async function settledWithin(promise: Promise<void>, ms: number): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
