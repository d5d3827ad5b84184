import type { Messaging } from '@husky/runtime/nats';
import { type Match, readableAttempt } from '../domain/match.ts';
import { type Attempt, findAttempt } from '../store/attempts.ts';
import type { Database } from '../store/database.ts';
import { findMatch } from '../store/matches.ts';

const subjectOf = (jobId: string) => `live.${jobId}`;

/**
 * Tells every replica that something of a match has changed. The message says nothing else: who watches reads what is
 * new from the tables, so nothing can be lost, doubled or seen by the wrong eyes on the way.
 */
export function nudgeWatchers(messaging: Messaging, jobId: string): void {
  messaging.broadcast(subjectOf(jobId), new Uint8Array());
}

/** A match and its readable attempt as they stand; null: there is no such match. */
export type Standing = { readonly match: Match; readonly attempt: Attempt | null } | null;

/** One watcher's view of a match. */
export interface MatchFeed {
  /** The match as it stood after the last nudge, and at most `maxAgeMs` ago. Read once for all its watchers. */
  standing(): Promise<Standing>;
  /** Resolves at the next nudge (or one since the last call), after `ms`, or when `signal` aborts. */
  next(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends the subscription with the last watcher. */
  leave(): Promise<void>;
}

const maxAgeMs = 500;

interface Shared {
  watchers: number;
  /** Counts nudges. */
  version: number;
  read: { version: number; atMs: number; standing: Promise<Standing> } | undefined;
  readonly waiting: Set<() => void>;
  readonly listening: Promise<{ stop(): Promise<void> }>;
}

/** What watchers of the same match share: one subscription and one read a change, or each half second. */
export class MatchFeeds {
  readonly #db: Database;
  readonly #messaging: Messaging;
  readonly #shared = new Map<string, Shared>();

  constructor(db: Database, messaging: Messaging) {
    this.#db = db;
    this.#messaging = messaging;
  }

  /** Listens before it answers, so that whatever is committed afterwards is heard. */
  async join(jobId: string): Promise<MatchFeed> {
    const shared = this.#shared.get(jobId) ?? this.#listen(jobId);
    shared.watchers += 1;
    // A watcher who comes back may have seen more than the last read has.
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
    await shared.listening.catch(async (error: unknown) => {
      this.#shared.delete(jobId);
      throw error;
    });
    return {
      standing: () => this.#standing(jobId, shared),
      async next(ms, signal) {
        if (seen === shared.version && !signal.aborted) await waitFor(shared.waiting, ms, signal);
        seen = shared.version;
      },
      leave,
    };
  }

  #listen(jobId: string): Shared {
    const subscription = this.#messaging.listen(subjectOf(jobId), () => {
      shared.version += 1;
      for (const wake of [...shared.waiting]) wake();
    });
    const listening = this.#messaging.connection.flush().then(() => subscription);
    const shared: Shared = { watchers: 0, version: 0, read: undefined, waiting: new Set(), listening };
    this.#shared.set(jobId, shared);
    return shared;
  }

  #standing(jobId: string, shared: Shared): Promise<Standing> {
    const nowMs = performance.now();
    const { read, version } = shared;
    if (read && read.version === version && nowMs - read.atMs < maxAgeMs) return read.standing;
    const standing = this.#read(jobId);
    const fresh = { version, atMs: nowMs, standing };
    shared.read = fresh;
    standing.catch(() => {
      if (shared.read === fresh) shared.read = undefined;
    });
    return standing;
  }

  async #read(jobId: string): Promise<Standing> {
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
