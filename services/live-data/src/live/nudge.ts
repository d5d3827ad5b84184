import type { Messaging } from '@husky/runtime/nats';

const subjectOf = (jobId: string) => `live.${jobId}`;

/**
 * Tells every replica that something of a match has changed. The message says nothing else: who watches reads what is
 * new from the tables, so nothing can be lost, doubled or seen by the wrong eyes on the way.
 */
export function nudgeWatchers(messaging: Messaging, jobId: string): void {
  messaging.broadcast(subjectOf(jobId), new Uint8Array());
}

/** Waits for nudges of one match. */
export interface Nudges {
  /** Resolves at the next nudge (or one since the last call), after `ms`, or when `signal` aborts. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** Listens before it answers, so that whatever is committed afterwards is heard. */
export async function listenForNudges(messaging: Messaging, jobId: string): Promise<Nudges> {
  let pending = false;
  let wake: (() => void) | undefined;
  const subscription = messaging.listen(subjectOf(jobId), () => {
    pending = true;
    wake?.();
  });
  await messaging.connection.flush();
  return {
    async next(ms, signal) {
      if (!pending && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          const done = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            resolve();
          };
          wake = done;
          signal.addEventListener('abort', done, { once: true });
        });
        wake = undefined;
      }
      pending = false;
    },
    stop: () => subscription.stop(),
  };
}
