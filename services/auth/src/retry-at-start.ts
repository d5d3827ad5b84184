import type { Logger } from '@husky/runtime/process/logger';
import { retry } from '@husky/runtime/process/retry';
import { messageOf } from '@husky/runtime/rpc/errors';

/** Retries `work` for up to 90 s, since the database or Keycloak may still be starting or busy. `work` must be idempotent. */
export function retryAtStart<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  return retry(work, {
    firstPauseMs: 1000,
    maxPauseMs: 1000,
    maxMs: 90_000,
    onFailure: (error, failures) => {
      if (failures === 1) log.info(`start waits: ${messageOf(error)}`);
    },
  });
}
