import type { Writable } from 'node:stream';
import type { liveDataService } from '@husky/contracts/services';
import type { HandPlayed__Output } from '@husky/contracts/types/live/v1/HandPlayed';
import type { MatchEvent__Output } from '@husky/contracts/types/live/v1/MatchEvent';
import { retry } from '@husky/runtime/process/retry';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { metrics } from '@opentelemetry/api';
import type { Names } from '../../names.ts';
import type { Watchers } from '../../watchers.ts';
import { Freshness } from './freshness.ts';
import { frame, presentEvent, presentHand } from './present-event.ts';

/** The last hand that a watcher has; attempt 0: none. */
export interface Position {
  readonly attempt: number;
  readonly hand: number;
}

/** Receives the events of a shared stream for one connection. */
export interface Watcher {
  /** Writes encoded events. Returns false if the connection's buffer is full; call `resume` when it has drained. */
  readonly write: (events: Buffer) => boolean;
  /** Called once, with the error if the stream broke. */
  readonly end: (error?: unknown) => void;
}

export interface Subscription {
  /** Continues writing after the buffer of the connection was full. */
  resume(): void;
  /** Removes the watcher. Ends the stream when the last watcher leaves. Idempotent. */
  leave(): void;
}

interface Dependencies {
  readonly liveData: RpcClient<NonNullable<(typeof liveDataService)['definition']>>;
  readonly names: Names;
  readonly watchers: Watchers;
}

/** A watcher with its position in the stream. */
interface Subscriber {
  readonly watcher: Watcher;
  at: Position;
  /** Number of the last progress event that was written to it. */
  progress: number;
  full: boolean;
}

/** Interval between writes to a watcher, so that a fast match costs four writes a second for each watcher. */
const flushMs = 250;
/** Time for which look-ups of names that fail by a defect are repeated before the watchers are sent away. */
const maxNamelessMs = 30_000;

/**
 * The event stream of one public match, read once for all its watchers on this gateway. Encodes each event once. Keeps the hands of the
 * current attempt, so that watchers who join or reconnect need no read of their own. Reads the stream as an anonymous caller, so it
 * ends with an error when the match becomes private.
 */
class SharedStream {
  readonly #jobId: string;
  readonly #context: Dependencies;
  readonly #abort = new AbortController();
  readonly #subscribers = new Set<Subscriber>();
  #attempt = 0;
  /** Encoded hands of the attempt; index 0 is hand 1. */
  #hands: string[] = [];
  #progress = { number: 0, text: '' };
  #end: string | undefined;
  /** Whether the hands that were stored before the stream began have been read. */
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #freshness = new Freshness();
  /** Whether an event that has arrived is not presented yet. */
  #receiving = false;
  #finished: { readonly error: unknown } | undefined;
  readonly #onClosed: () => void;

  constructor(jobId: string, context: Dependencies, onClosed: () => void) {
    this.#jobId = jobId;
    this.#context = context;
    this.#onClosed = onClosed;
    outsideOfCall(() => this.#read()).then(
      () => this.#finish(),
      (error: unknown) => this.#finish(error),
    );
  }

  join(at: Position, watcher: Watcher): Subscription {
    const subscriber: Subscriber = { watcher, at, progress: 0, full: false };
    this.#subscribers.add(subscriber);
    this.#flushSoon();
    return {
      resume: () => {
        subscriber.full = false;
        if (this.#finished) this.#endSubscriber(subscriber);
        else this.#flushSoon();
      },
      leave: () => {
        if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#close();
      },
    };
  }

  async #read(): Promise<void> {
    const request = { jobId: this.#jobId, afterAttempt: 0, afterHand: 0, batched: true };
    const caller = { kind: 'anonymous' } as const;
    const { signal } = this.#abort;
    for await (const event of this.#context.liveData.streamMatch(request, { caller, signal })) {
      const [first] = event.handsPlayed?.hands ?? [];
      if (first) this.#freshness.received(first.playedAt);
      this.#receiving = true;
      // Retried, so that a failed look-up of names does not end the stream of every watcher.
      await retry(() => this.#receive(event), { signal, maxInternalMs: maxNamelessMs });
      this.#receiving = false;
      if (event.event === 'ended') return;
    }
  }

  async #receive(event: MatchEvent__Output): Promise<void> {
    if (event.attempt !== this.#attempt) {
      this.#attempt = event.attempt;
      this.#hands = [];
    }
    if (event.event === 'reset') return this.#flushSoon();
    if (event.handsPlayed) return this.#addHands(event, event.handsPlayed.hands);
    const text = await presentEvent(event, this.#jobId, this.#context);
    this.#ready = true;
    if (event.event === 'progress') {
      this.#progress = { number: this.#progress.number + 1, text };
      this.#freshness.progress();
    } else if (event.event === 'ended') this.#end = text;
    this.#flushSoon();
  }

  async #addHands({ attempt, hand: last }: MatchEvent__Output, hands: readonly HandPlayed__Output[]): Promise<void> {
    const nameOf = await this.#context.names.of(hands.flatMap(({ playerIds }) => playerIds));
    for (const [index, hand] of hands.entries()) {
      const number = last - hands.length + 1 + index;
      this.#hands[number - 1] = presentHand(hand, `${attempt}:${number}`, nameOf);
    }
    this.#flushSoon();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, flushMs);
  }

  #flush(): void {
    if (!this.#ready) return;
    // Most watchers are at the same position and get the same bytes.
    const encoded = new Map<string, Buffer>();
    for (const subscriber of this.#subscribers) {
      if (subscriber.full) continue;
      const { at, progress } = subscriber;
      const key = `${at.attempt}:${at.hand}:${progress}`;
      const events = encoded.get(key) ?? Buffer.from(this.#eventsAfter(at, progress));
      encoded.set(key, events);
      if (at.attempt !== this.#attempt || at.hand < this.#hands.length) {
        subscriber.at = { attempt: this.#attempt, hand: this.#hands.length };
      }
      subscriber.progress = this.#progress.number;
      if (events.length > 0) subscriber.full = !subscriber.watcher.write(events);
    }
    if (!this.#receiving) this.#freshness.written();
  }

  #eventsAfter(at: Position, progress: number): string {
    // A watcher that was connected to another gateway may be ahead of this stream; it gets no hands until the stream catches up.
    const same = at.attempt === this.#attempt;
    const isNew = at.attempt === 0 && at.hand === 0;
    const reset = same || isNew ? '' : frame('reset', { attempt: this.#attempt }, `${this.#attempt}:0`);
    const hands = this.#hands.slice(same ? at.hand : 0).join('');
    return reset + hands + (progress === this.#progress.number ? '' : this.#progress.text);
  }

  #finish(error?: unknown): void {
    clearTimeout(this.#timer);
    if (error === undefined) this.#flush();
    this.#freshness.stop();
    this.#finished = { error };
    for (const subscriber of [...this.#subscribers])
      if (!subscriber.full || this.#end === undefined) this.#endSubscriber(subscriber);
    // No watcher may join a finished stream. Watchers with a full buffer get the rest when it has drained.
    this.#onClosed();
    this.#abort.abort();
  }

  /** Writes the hands that a watcher lacks and the end of the match. */
  #endSubscriber(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    const { watcher, at } = subscriber;
    if (this.#end !== undefined) {
      watcher.write(Buffer.from(this.#eventsAfter(at, this.#progress.number) + this.#end));
    }
    watcher.end(this.#finished?.error);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#freshness.stop();
    this.#onClosed();
    this.#abort.abort();
  }
}

/** The streams of public matches, which the watchers of this gateway share. */
export interface SharedStreams {
  join(jobId: string, at: Position, watcher: Watcher): Subscription;
}

export function createSharedStreams(context: Dependencies): SharedStreams {
  const streams = new Map<string, SharedStream>();
  return {
    join(jobId, at, watcher) {
      const known = streams.get(jobId);
      if (known !== undefined) return known.join(at, watcher);
      const stream: SharedStream = new SharedStream(jobId, context, () => {
        if (streams.get(jobId) === stream) streams.delete(jobId);
      });
      streams.set(jobId, stream);
      return stream.join(at, watcher);
    },
  };
}

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
