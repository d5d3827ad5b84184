import { DomainError } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';

const waitMs = 90_000;
const pauseMs = 1000;

/** Does what a start needs of another service that may still be starting itself; gives up after 90 s. */
export async function whenReached(log: Logger, work: () => Promise<void>): Promise<void> {
  const until = Date.now() + waitMs;
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const away = error instanceof DomainError && error.code === 'UNAVAILABLE';
      if (!away || Date.now() > until) throw error;
      if (tries === 1) log.info(`waiting: ${error.message}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
