import { messageOf } from '../rpc/errors.ts';
import { untraced } from '../telemetry/trace-context.ts';
import type { Logger } from './logger.ts';

export interface Repeating {
  /** Ends the current pause, so that the work runs at once; if it is running, it runs once more afterwards. */
  kick(): void;
  /** Stops repeating and waits for the work in progress. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs `work` at once, then repeatedly with a pause of `everyMs` between two runs. There is no pause after a run that returns true
 * (more work is left). Runs never overlap. They are untraced: work that belongs to a trace opens a span with its stored context. An
 * error is followed by the pause, and logged as a warning unless the run before ended with the same one.
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
  let problem = '';
  let wake: () => void = () => undefined;
  const running = (async () => {
    while (!stopped) {
      kicked = false;
      const more = await untraced(work).then(
        (left) => {
          problem = '';
          return left;
        },
        (error: unknown) => {
          const earlier = problem;
          problem = messageOf(error);
          if (problem !== earlier) log.warn({ err: error }, `${name} failed: ${problem}`);
          return false;
        },
      );
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

/** Background work that is started after the parts that wake it are created. */
export class WorkGroup {
  readonly #parts: Repeating[] = [];

  add(part: Repeating): void {
    this.#parts.push(part);
  }

  /** Wakes all work that has been added. */
  kick(): void {
    for (const part of this.#parts) part.kick();
  }
}
