import { DomainError, messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import { isBusy } from './store/database.ts';

const waitMs = 90_000;
const pauseMs = 1000;

/** Does what a start needs of somebody who may still be starting, or has much to do; gives up after 90 s. */
export async function whenReached(log: Logger, work: () => Promise<void>, limitMs = waitMs): Promise<void> {
  const until = Date.now() + limitMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (Date.now() > until) {
        throw new Error(`gave up after ${Math.round(limitMs / 1000)} s: ${messageOf(error)}`, { cause: error });
      }
      if (tries === 1) log.info(`waiting: ${messageOf(error)}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function isPassing(error: unknown): boolean {
  return isBusy(error) || (error instanceof DomainError && error.code === 'UNAVAILABLE');
}
