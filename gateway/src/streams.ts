import type { Caller } from '@husky/runtime/caller';
import type { Logger } from '@husky/runtime/logger';
import { metrics } from '@opentelemetry/api';
import { HttpError } from './http/errors.ts';
import { addressKey } from './http/rate-limits.ts';
import type { Sessions } from './sessions.ts';

/** Maximum number of open event streams; 0: no limit. */
export interface StreamSettings {
  readonly STREAMS_PER_ADDRESS: number;
  readonly STREAMS_PER_ACCOUNT: number;
}

/** The caller of a stream. */
export interface StreamOwner {
  readonly caller: Caller;
  readonly token: string | undefined;
  readonly address: string;
}

export interface OpenStream {
  /** Aborts when the caller's session ends or rights change; the reason is an Error with a message for the reader. */
  readonly signal: AbortSignal;
  /** Must be called when the stream ends. Idempotent. */
  close(): void;
}

/** Counts and limits the open event streams of this gateway. */
export interface Streams {
  /** Registers a stream. Throws 429 when its address or account has too many. */
  open(owner: StreamOwner): OpenStream;
  /** Ends a user's streams whose session or rights have changed since their start. */
  check(userId: string): Promise<void>;
  stop(): void;
}

interface Entry extends StreamOwner {
  readonly abort: AbortController;
}

// Covers lost events and expired sessions.
const checkMs = 5000;
const retryAfterS = 10;

export function createStreams(sessions: Sessions, settings: StreamSettings, log: Logger): Streams {
  const entries = new Set<Entry>();
  const counts = new Map<string, number>();
  const meter = metrics.getMeter('husky.http');
  const open = meter.createUpDownCounter('http.streams.open', { description: 'Open event streams' });
  const refused = meter.createCounter('http.streams.refused', { description: 'Event streams refused, by limit' });
  const ended = meter.createCounter('http.streams.ended', { description: 'Event streams ended with their rights' });

  function limitsOf({ caller, address }: StreamOwner) {
    const byAddress = { name: 'address', key: `address ${addressKey(address)}`, max: settings.STREAMS_PER_ADDRESS };
    if (caller.kind !== 'user') return [byAddress];
    return [{ name: 'account', key: `account ${caller.id}`, max: settings.STREAMS_PER_ACCOUNT }, byAddress];
  }

  function count(key: string, change: number): void {
    const now = (counts.get(key) ?? 0) + change;
    if (now > 0) counts.set(key, now);
    else counts.delete(key);
  }

  async function checkEntries(some: readonly Entry[]): Promise<void> {
    await Promise.all(
      some.map(async (entry) => {
        const why = await endReason(entry, sessions).catch((error: unknown) => {
          // Without auth the stream continues; the next check retries.
          log.debug({ err: error }, 'the caller of a stream could not be looked up');
          return undefined;
        });
        if (why === undefined || entry.abort.signal.aborted || !entries.has(entry)) return;
        ended.add(1);
        entry.abort.abort(new Error(why));
      }),
    );
  }

  const timer = setInterval(() => void checkEntries([...entries]), checkMs);
  timer.unref();
  return {
    open(owner) {
      const limits = limitsOf(owner);
      const full = limits.find(({ key, max }) => max > 0 && (counts.get(key) ?? 0) >= max);
      if (full) {
        refused.add(1, { limit: full.name });
        throw tooMany(full.name, full.max);
      }
      const entry: Entry = { ...owner, abort: new AbortController() };
      entries.add(entry);
      for (const { key } of limits) count(key, 1);
      open.add(1);
      return {
        signal: entry.abort.signal,
        close() {
          if (!entries.delete(entry)) return;
          for (const { key } of limits) count(key, -1);
          open.add(-1);
        },
      };
    },
    check: (userId) =>
      checkEntries([...entries].filter(({ caller }) => caller.kind === 'user' && caller.id === userId)),
    stop: () => clearInterval(timer),
  };
}

/** Returns why a stream must end, or undefined while session and rights are unchanged. */
async function endReason({ caller, token }: Entry, sessions: Sessions): Promise<string | undefined> {
  if (caller.kind !== 'user' || token === undefined) return undefined;
  const user = await sessions.identify(token);
  if (user === undefined || user.id !== caller.id) return 'Your session has ended.';
  if (user.admin !== caller.admin || user.isVerified !== caller.verified) return 'Your rights have changed.';
  return undefined;
}

function tooMany(limit: string, max: number): HttpError {
  const whose = limit === 'account' ? 'for your account' : 'from your network';
  const message = `Too many live streams are open ${whose} (at most ${max}): please close some and try again`;
  return new HttpError(429, 'too-many-streams', message, { headers: { 'Retry-After': String(retryAfterS) } });
}
