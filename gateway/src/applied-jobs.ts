import type { leaderboardService } from '@husky/contracts/services';
import type { Caller } from '@husky/runtime/rpc/caller';

import type { ClientOf } from '@husky/runtime/rpc/grpc-client';
import { LRUCache } from 'lru-cache';

/** Caches for 60 s which jobs count in the 2025 standing. Used by admins' lists of jobs and matches. */
export interface AppliedJobs {
  /** Returns the jobs that leaderboard has applied. Queries leaderboard, as `caller`, for jobs that are not cached. */
  findApplied(jobIds: readonly string[], caller: Caller): Promise<ReadonlySet<string>>;
  /** Clears the cache. Call it after a change of entries, and when events may have been lost. */
  forget(): void;
}

// After a lost event, stale states are shown for at most this time. leaderboard refuses actions that rely on them.
const cacheMs = 60_000;
const maxCached = 20_000;

export function createAppliedJobs(
  leaderboard: Pick<ClientOf<typeof leaderboardService>, 'listAppliedJobs'>,
  now: () => number = () => performance.now(),
): AppliedJobs {
  const cache = new LRUCache<string, boolean>({ max: maxCached, ttl: cacheMs, ttlResolution: 0, perf: { now } });
  let generation = 0;
  return {
    async findApplied(jobIds, caller) {
      const applied = new Set(jobIds.filter((id) => cache.get(id) === true));
      const unknown = jobIds.filter((id) => cache.get(id) === undefined);
      if (unknown.length === 0) return applied;
      const startGeneration = generation;
      const found = new Set((await leaderboard.listAppliedJobs({ jobIds: unknown }, { caller })).jobIds);
      for (const id of unknown) {
        if (found.has(id)) applied.add(id);
        // forget() was called during the read: the result may be stale.
        if (startGeneration === generation) cache.set(id, found.has(id));
      }
      return applied;
    },
    forget() {
      generation += 1;
      cache.clear();
    },
  };
}
