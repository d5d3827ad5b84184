import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

export interface Repeating {
  /** Runs the work soon, without waiting for the pause to end. */
  kick(): void;
  /** Waits for the work under way. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs `work` at once and then again after a pause of `everyMs`; without a pause while it returns true (there is more to
 * do). Never runs twice at the same time. An error is logged as a warning and followed by the pause.
 */
export function repeat(
  name: string,
  everyMs: number,
  log: Logger,
  // biome-ignore lint/suspicious/noConfusingVoidType: work without a result is the usual case.
  work: () => Promise<boolean | void>,
): Repeating {
  let stopped = false;
  let kicked = false;
  let wake: () => void = () => undefined;
  const running = (async () => {
    while (!stopped) {
      kicked = false;
      const more = await work().catch((error: unknown) => {
        log.warn({ err: error }, `${name} failed: ${messageOf(error)}`);
        return false;
      });
      if (more || kicked || stopped) continue;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = setTimeout(resolve, everyMs);
      await promise;
      clearTimeout(timer);
    }
  })();
  return {
    kick() {
      kicked = true;
      wake();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
