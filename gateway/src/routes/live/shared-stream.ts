import type { liveDataService } from '@husky/contracts/services';
import type { HandPlayed__Output } from '@husky/contracts/types/live/v1/HandPlayed';
import type { MatchEvent__Output } from '@husky/contracts/types/live/v1/MatchEvent';
import { outsideOfCall } from '@husky/runtime/call-context';
import type { RpcClient } from '@husky/runtime/grpc-client';
import { retry } from '@husky/runtime/retry';
import { type Histogram, metrics } from '@opentelemetry/api';
import type { Names } from '../../names.ts';
import type { Watchers } from '../../watchers.ts';
import { frame, presentEvent, presentHand } from './present-event.ts';

/** The last hand that a watcher has; attempt 0: none. */
export interface Position {
  readonly attempt: number;
  readonly hand: number;
}

/** A watcher of a shared stream. */
export interface Watcher {
  /** Writes encoded events. Returns false when the connection is full; `resume` must be called when it has drained. */
  readonly write: (events: Buffer) => boolean;
  /** Called once, with the error if the stream broke. */
  readonly end: (error?: unknown) => void;
}

export interface Seat {
  resume(): void;
  /** Removes the watcher; the last one ends the stream. Idempotent. */
  leave(): void;
}

interface Needs {
  readonly liveData: RpcClient<NonNullable<(typeof liveDataService)['definition']>>;
  readonly names: Names;
  readonly watchers: Watchers;
}

interface Place {
  readonly watcher: Watcher;
  at: Position;
  /** Number of the last progress event that was written. */
  progress: number;
  full: boolean;
}

let delays: Histogram | undefined;

// Created on first use: instruments created before the start of telemetry record nothing.
function recordDelay(delayMs: number): void {
  delays ??= metrics.getMeter('husky.http').createHistogram('http.streams.delay', {
    unit: 'ms',
    description: 'From the time when a hand was played to its writing to the watchers',
    advice: { explicitBucketBoundaries: [100, 250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000] },
  });
  delays.record(Math.max(0, delayMs));
}

/** Events are written at most this often: 200 watchers of a fast match cost four writes a second each. */
const flushMs = 250;

/**
 * The event stream of one public match, read once for all its watchers on this gateway. Each event is encoded once. Keeps the
 * hands of the current attempt, so that watchers who join or reconnect get theirs without another read. The stream is read as
 * an anonymous caller: it ends with an error when the match becomes private.
 */
class SharedStream {
  readonly #jobId: string;
  readonly #context: Needs;
  readonly #abort = new AbortController();
  readonly #places = new Set<Place>();
  #attempt = 0;
  /** Encoded hands of the attempt; index 0 is hand 1. */
  #hands: string[] = [];
  #progress = { number: 0, text: '' };
  #end: string | undefined;
  /** Whether all hands that were stored at the start have been read. */
  #ready = false;
  #timer: NodeJS.Timeout | undefined;
  /** When the newest hand that was not written yet was played, in milliseconds. */
  #newestMs: number | undefined;
  #finished: { readonly error: unknown } | undefined;
  readonly #closed: () => void;

  constructor(jobId: string, context: Needs, closed: () => void) {
    this.#jobId = jobId;
    this.#context = context;
    this.#closed = closed;
    outsideOfCall(() => this.#read()).then(
      () => this.#finish(),
      (error: unknown) => this.#finish(error),
    );
  }

  join(at: Position, watcher: Watcher): Seat {
    const place: Place = { watcher, at, progress: 0, full: false };
    this.#places.add(place);
    this.#flushSoon();
    return {
      resume: () => {
        place.full = false;
        if (this.#finished) this.#endPlace(place);
        else this.#flushSoon();
      },
      leave: () => {
        if (this.#places.delete(place) && this.#places.size === 0) this.#close();
      },
    };
  }

  async #read(): Promise<void> {
    const request = { jobId: this.#jobId, afterAttempt: 0, afterHand: 0, batched: true };
    const caller = { kind: 'anonymous' } as const;
    const { signal } = this.#abort;
    for await (const event of this.#context.liveData.streamMatch(request, { caller, signal })) {
      // A failed look-up of names must not end the stream of every watcher.
      await retry(() => this.#receive(event), { signal });
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
    if (event.event === 'progress') this.#progress = { number: this.#progress.number + 1, text };
    else if (event.event === 'ended') this.#end = text;
    this.#flushSoon();
  }

  async #addHands({ attempt, hand: last }: MatchEvent__Output, hands: readonly HandPlayed__Output[]): Promise<void> {
    const nameOf = await this.#context.names.of(hands.flatMap(({ playerIds }) => playerIds));
    for (const [index, hand] of hands.entries()) {
      const number = last - hands.length + 1 + index;
      this.#hands[number - 1] = presentHand(hand, `${attempt}:${number}`, nameOf);
    }
    // Hands that were stored before this stream began are not late.
    if (this.#ready) this.#newestMs = Date.parse(hands.at(-1)?.playedAt ?? '');
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
    for (const place of this.#places) {
      if (place.full) continue;
      const { at, progress } = place;
      const key = `${at.attempt}:${at.hand}:${progress}`;
      const events = encoded.get(key) ?? Buffer.from(this.#eventsAfter(at, progress));
      encoded.set(key, events);
      if (at.attempt !== this.#attempt || at.hand < this.#hands.length) {
        place.at = { attempt: this.#attempt, hand: this.#hands.length };
      }
      place.progress = this.#progress.number;
      if (events.length > 0) place.full = !place.watcher.write(events);
    }
    if (this.#newestMs !== undefined && !Number.isNaN(this.#newestMs)) recordDelay(Date.now() - this.#newestMs);
    this.#newestMs = undefined;
  }

  #eventsAfter(at: Position, progress: number): string {
    // A watcher of another gateway may be ahead of this stream; it waits.
    const same = at.attempt === this.#attempt;
    const fresh = at.attempt === 0 && at.hand === 0;
    const reset = same || fresh ? '' : frame('reset', { attempt: this.#attempt }, `${this.#attempt}:0`);
    const hands = this.#hands.slice(same ? at.hand : 0).join('');
    return reset + hands + (progress === this.#progress.number ? '' : this.#progress.text);
  }

  #finish(error?: unknown): void {
    clearTimeout(this.#timer);
    if (error === undefined) this.#flush();
    this.#finished = { error };
    for (const place of [...this.#places]) if (!place.full || this.#end === undefined) this.#endPlace(place);
    // No watcher may join a finished stream. Those whose connection is full get the rest when it has drained.
    this.#closed();
    this.#abort.abort();
  }

  /** Writes the hands that a watcher lacks and the end of the match. */
  #endPlace(place: Place): void {
    if (!this.#places.delete(place)) return;
    const { watcher, at } = place;
    if (this.#end !== undefined) {
      watcher.write(Buffer.from(this.#eventsAfter(at, this.#progress.number) + this.#end));
    }
    watcher.end(this.#finished?.error);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#closed();
    this.#abort.abort();
  }
}

/** Shares the streams of public matches among the watchers of this gateway. */
export interface SharedStreams {
  join(jobId: string, at: Position, watcher: Watcher): Seat;
}

export function createSharedStreams(context: Needs): SharedStreams {
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
