import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';

export interface Repeating {
  /** Runs it soon, without waiting for the pause to end. */
  kick(): void;
  /** Waits for the work under way. */
  stop(): Promise<void>;
}

/** Runs `work` again and again with a pause between, at once while it answers true (there is more). */
export function repeat(name: string, everyMs: number, log: Logger, work: () => Promise<boolean>): Repeating {
  let stopped = false;
  let kicked = false;
  let wake: () => void = () => undefined;
  const running = (async () => {
    while (!stopped) {
      kicked = false;
      const more = await work().catch((error: unknown) => {
        log.warn({ err: error }, `${name}: ${messageOf(error)}`);
        return false;
      });
      if (more || kicked || stopped) continue;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, everyMs);
      });
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
