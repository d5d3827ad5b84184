import type { Writable } from 'node:stream';
import { metrics } from '@opentelemetry/api';
import { frame } from './present-event.ts';

/** Maximum time for which a watcher may read nothing while its buffer is full. */
const stalledMs = 30_000;
/** Time to send the last event before the connection is closed. */
const closeDelayMs = 5000;

const detail =
  'You were disconnected because your connection is too slow for this match. Reconnecting continues after the last hand that you have.';

/**
 * Watches a stream and ends it when its watcher has read nothing for `afterMs` while the buffer was full. The last event is `error` with
 * the reason `slow-reader`. Calls `drop` then. Call `stop` when the stream ends.
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
    out.write(frame('error', { detail, reason: 'slow-reader' }));
    drop();
    setTimeout(() => out.destroy(), closeDelayMs).unref();
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
