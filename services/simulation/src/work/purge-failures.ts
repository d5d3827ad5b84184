import { messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';

/** After this many failures no further purge of a step begins, since each may last as long as a call's deadline. */
const maxFailures = 5;
const maxRemembered = 1000;

/** Jobs whose purge has failed in this process. The next steps purge them last, so that they do not keep others from being deleted. */
export class PurgeFailures {
  readonly #log: Logger;
  /** Cause by job id. */
  readonly #causes = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** The job that failed longest ago first. */
  get jobIds(): string[] {
    return [...this.#causes.keys()];
  }

  /**
   * Purges jobs, `atOnce` at the same time, until five have failed. Logs a failure once for each job and cause. Returns the ids of the
   * purged jobs.
   */
  async purgeEach(
    jobIds: readonly string[],
    atOnce: number,
    purge: (jobId: string) => Promise<unknown>,
  ): Promise<string[]> {
    const queue = [...jobIds];
    const purged: string[] = [];
    let failures = 0;
    const purgeNext = async () => {
      while (failures < maxFailures) {
        const jobId = queue.shift();
        if (jobId === undefined) return;
        try {
          await purge(jobId);
          this.#causes.delete(jobId);
          purged.push(jobId);
        } catch (error) {
          failures++;
          this.#add(jobId, error);
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, purgeNext));
    return purged;
  }

  #add(jobId: string, error: unknown): void {
    const cause = messageOf(error);
    const logged = this.#causes.get(jobId) === cause;
    this.#causes.delete(jobId);
    this.#causes.set(jobId, cause);
    const [oldest = ''] = this.#causes.keys();
    if (this.#causes.size > maxRemembered) this.#causes.delete(oldest);
    if (!logged) this.#log.warn({ err: error, jobId }, `purge failed, will retry: ${cause}`);
  }
}
