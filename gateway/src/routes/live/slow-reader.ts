import type { Writable } from 'node:stream';
import { metrics } from '@opentelemetry/api';
import { frame } from './present-event.ts';

/** Longest time for which a watcher may read nothing of what was written to its stream. */
const stalledMs = 30_000;
/** Time for the last event to be sent before the connection is closed. */
const farewellMs = 5000;

const marker =
  'You were disconnected because your connection is too slow for this match. Reconnecting continues after the last hand that you have.';

/**
 * Ends the stream of a watcher that has read nothing for `afterMs` although its buffer is full, with an `error` event whose reason
 * is `slow-reader`. Call `stop` when the stream ends.
 */
export function dropSlowReader(
  out: Writable,
  drop: () => void,
  afterMs = stalledMs,
): { readonly dropped: () => boolean; stop(): void } {
  const counter = metrics.getMeter('husky.http').createCounter('http.streams.dropped', {
    description: 'Event streams ended because their reader was too slow',
  });
  let fullSinceMs: number | undefined;
  let dropped = false;
  const onDrain = () => {
    fullSinceMs = undefined;
  };
  out.on('drain', onDrain);
  const timer = setInterval(() => {
    if (!out.writableNeedDrain) fullSinceMs = undefined;
    else fullSinceMs ??= performance.now();
    if (fullSinceMs === undefined || performance.now() - fullSinceMs < afterMs) return;
    dropped = true;
    counter.add(1);
    clearInterval(timer);
    out.write(frame('error', { detail: marker, reason: 'slow-reader' }));
    drop();
    setTimeout(() => out.destroy(), farewellMs).unref();
  }, afterMs / 10);
  timer.unref();
  return {
    dropped: () => dropped,
    stop() {
      clearInterval(timer);
      out.off('drain', onDrain);
    },
  };
}
