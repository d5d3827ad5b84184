import type { leaderboardService } from '@husky/contracts/services';
import type { Caller } from '@husky/runtime/caller';
import type { ClientOf } from '@husky/runtime/grpc-client';
import { LRUCache } from 'lru-cache';

/** Which jobs count in the 2025 standing, with a cache of 60 s. For admins' lists of jobs and matches. */
export interface AppliedJobs {
  /** Returns those of the jobs that leaderboard has applied. Asks leaderboard about unknown ones, on behalf of an admin. */
  among(jobIds: readonly string[], caller: Caller): Promise<ReadonlySet<string>>;
  /** Forgets all: after a change of entries, and when events may have been lost. */
  forget(): void;
}

// Bounds the time for which a lost event shows an old state. An action on it is refused by leaderboard.
const cacheMs = 60_000;
const maxCached = 20_000;

export function createAppliedJobs(
  leaderboard: Pick<ClientOf<typeof leaderboardService>, 'listAppliedJobs'>,
  now: () => number = () => performance.now(),
): AppliedJobs {
  const cache = new LRUCache<string, boolean>({ max: maxCached, ttl: cacheMs, ttlResolution: 0, perf: { now } });
  let generation = 0;
  return {
    async among(jobIds, caller) {
      const applied = new Set(jobIds.filter((id) => cache.get(id) === true));
      const unknown = jobIds.filter((id) => cache.get(id) === undefined);
      if (unknown.length === 0) return applied;
      const begun = generation;
      const found = new Set((await leaderboard.listAppliedJobs({ jobIds: unknown }, { caller })).jobIds);
      for (const id of unknown) {
        if (found.has(id)) applied.add(id);
        // What was read before a change must not be kept after it.
        if (begun === generation) cache.set(id, found.has(id));
      }
      return applied;
    },
    forget() {
      generation += 1;
      cache.clear();
    },
  };
}
