import { setTimeout as pause } from 'node:timers/promises';
import type { Messaging } from '@husky/runtime/messages/nats';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import { type Match, readableAttempt } from './domain/match.ts';
import { type Attempt, findAttempt } from './store/attempts.ts';
import type { Database } from './store/database.ts';
import { findMatch } from './store/matches.ts';

const subjectOf = (jobId: string) => `live.${jobId}`;

/**
 * Notifies the watchers of a match on every replica that it has changed. The message is empty: watchers read the change
 * from the tables, so a lost or repeated message does no harm and no private data is sent.
 */
export function notifyWatchers(messaging: Messaging, jobId: string): void {
  messaging.broadcast(subjectOf(jobId), new Uint8Array());
}

/** A match with its readable attempt; null when the match does not exist. */
export type MatchState = { readonly match: Match; readonly attempt: Attempt | null } | null;

/** One watcher's subscription to a match. */
export interface MatchFeed {
  /** Returns the state as of the last notification and at most 500 ms old. Watchers of a match share one read. */
  current(): Promise<MatchState>;
  /** Resolves at the first notification since the last call, after `ms`, or when `signal` aborts. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  /** Removes this watcher; the last one ends the subscription. Idempotent. */
  leave(): Promise<void>;
}

const maxAgeMs = 500;
const maxFlushMs = 1000;

interface SharedFeed {
  watchers: number;
  /** Counts notifications. */
  version: number;
  read: { version: number; atMs: number; current: Promise<MatchState> } | undefined;
  readonly waiting: Set<() => void>;
  readonly listening: Promise<{ stop(): Promise<void> }>;
}

/** Shares one NATS subscription and one read per change among the watchers of a match. */
export class MatchFeeds {
  readonly #db: Database;
  readonly #messaging: Messaging;
  readonly #shared = new Map<string, SharedFeed>();

  constructor(db: Database, messaging: Messaging) {
    this.#db = db;
    this.#messaging = messaging;
  }

  /**
   * Adds a watcher. Resolves when the subscription is active, so that no later commit is missed, or after a second without NATS: then
   * the client subscribes once NATS is back, and until then the watcher sees changes by its own reads.
   */
  async join(jobId: string): Promise<MatchFeed> {
    const shared = this.#shared.get(jobId) ?? this.#listen(jobId);
    shared.watchers += 1;
    // A reconnecting watcher may have seen more than the cached read contains.
    shared.read = undefined;
    let seen = shared.version;
    let left = false;
    const leave = async () => {
      if (left) return;
      left = true;
      shared.watchers -= 1;
      if (shared.watchers > 0) return;
      this.#shared.delete(jobId);
      await (await shared.listening).stop();
    };
    await shared.listening;
    return {
      current: () => this.#current(jobId, shared),
      async next(ms, signal) {
        if (seen === shared.version && !signal.aborted) await waitFor(shared.waiting, ms, signal);
        seen = shared.version;
      },
      leave,
    };
  }

  #listen(jobId: string): SharedFeed {
    const subscription = this.#messaging.listen(subjectOf(jobId), () => {
      shared.version += 1;
      for (const wake of [...shared.waiting]) wake();
    });
    const active = this.#messaging.connection.flush().catch(() => undefined);
    const listening = Promise.race([active, pause(maxFlushMs, undefined, { ref: false })]).then(() => subscription);
    const shared: SharedFeed = { watchers: 0, version: 0, read: undefined, waiting: new Set(), listening };
    this.#shared.set(jobId, shared);
    return shared;
  }

  #current(jobId: string, shared: SharedFeed): Promise<MatchState> {
    const nowMs = performance.now();
    const { read, version } = shared;
    if (read && read.version === version && nowMs - read.atMs < maxAgeMs) return read.current;
    const current = outsideOfCall(() => this.#read(jobId));
    const fresh = { version, atMs: nowMs, current };
    shared.read = fresh;
    current.catch(() => {
      if (shared.read === fresh) shared.read = undefined;
    });
    return current;
  }

  async #read(jobId: string): Promise<MatchState> {
    const match = await findMatch(this.#db, jobId);
    if (match === null) return null;
    return { match, attempt: await findAttempt(this.#db, jobId, readableAttempt(match)) };
  }
}

function waitFor(waiting: Set<() => void>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      waiting.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    waiting.add(done);
    signal.addEventListener('abort', done, { once: true });
  });
}
