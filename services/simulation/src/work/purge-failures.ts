import type { Logger } from '@husky/runtime/process/logger';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { Outcome } from './for-each.ts';

const maxRemembered = 1000;
const rememberedMs = 60 * 60_000;

/**
 * Jobs whose purge has failed in this process, for reasons of their own. The next steps purge them last, so that they do not keep
 * others from being deleted. Holds at most 1,000 and forgets all every hour.
 */
export class PurgeFailures {
  readonly #log: Logger;
  /** Cause by job id. */
  readonly #causes = new Map<string, string>();
  #emptiedAt = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  get jobIds(): string[] {
    return [...this.#causes.keys()];
  }

  /** Remembers and forgets jobs after a step. Logs a failure once for each job and cause. `now`: ms since the epoch. */
  record({ done, failed }: Outcome<string>, now: number): void {
    if (now - this.#emptiedAt >= rememberedMs) {
      this.#causes.clear();
      this.#emptiedAt = now;
    }
    for (const jobId of done) this.#causes.delete(jobId);
    for (const { item: jobId, error } of failed) {
      const cause = messageOf(error);
      const known = this.#causes.get(jobId);
      if (known === cause || (known === undefined && this.#causes.size >= maxRemembered)) continue;
      this.#causes.set(jobId, cause);
      this.#log.warn({ err: error, jobId }, `purge failed, will retry: ${cause}`);
    }
  }
}
