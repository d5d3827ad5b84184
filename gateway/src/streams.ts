import type { Caller } from '@husky/runtime/caller';
import type { Logger } from '@husky/runtime/logger';
import { metrics } from '@opentelemetry/api';
import { HttpError } from './http/errors.ts';
import { addressKey } from './http/rate-limits.ts';
import type { Sessions } from './sessions.ts';

/** How many event streams may be open at once; 0: no limit. */
export interface StreamSettings {
  readonly STREAMS_PER_ADDRESS: number;
  readonly STREAMS_PER_ACCOUNT: number;
}

/** Whose stream it is. */
export interface StreamOwner {
  readonly caller: Caller;
  readonly token: string | undefined;
  readonly address: string;
}

export interface OpenStream {
  /** Aborts with an Error whose message is for the reader, once the caller's session or rights have changed. */
  readonly signal: AbortSignal;
  /** Call it however the stream ends. */
  close(): void;
}

/** The open event streams of this gateway. */
export interface Streams {
  /** Counts a stream. 429 when its address or account has too many. */
  open(owner: StreamOwner): OpenStream;
  /** Ends the streams of a user whose session or rights are not what they were at the start. */
  check(userId: string): Promise<void>;
  stop(): void;
}

interface Entry extends StreamOwner {
  readonly abort: AbortController;
}

// Covers events that were lost and sessions that have run out.
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
    const byAddress = { name: 'address', key: `address ${addressKey(address)}`, most: settings.STREAMS_PER_ADDRESS };
    if (caller.kind !== 'user') return [byAddress];
    return [{ name: 'account', key: `account ${caller.id}`, most: settings.STREAMS_PER_ACCOUNT }, byAddress];
  }

  function count(key: string, change: number): void {
    const now = (counts.get(key) ?? 0) + change;
    if (now > 0) counts.set(key, now);
    else counts.delete(key);
  }

  async function checkThese(some: readonly Entry[]): Promise<void> {
    await Promise.all(
      some.map(async (entry) => {
        const why = await whyEnded(entry, sessions).catch((error: unknown) => {
          // While auth is away nobody can be asked; the next look can.
          log.debug({ err: error }, 'the caller of a stream could not be looked up');
          return undefined;
        });
        if (why === undefined || entry.abort.signal.aborted || !entries.has(entry)) return;
        ended.add(1);
        entry.abort.abort(new Error(why));
      }),
    );
  }

  const timer = setInterval(() => void checkThese([...entries]), checkMs);
  timer.unref();
  return {
    open(owner) {
      const limits = limitsOf(owner);
      const full = limits.find(({ key, most }) => most > 0 && (counts.get(key) ?? 0) >= most);
      if (full) {
        refused.add(1, { limit: full.name });
        throw tooMany(full.name, full.most);
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
    check: (userId) => checkThese([...entries].filter(({ caller }) => caller.kind === 'user' && caller.id === userId)),
    stop: () => clearInterval(timer),
  };
}

/** Why a stream must end, or undefined while its caller is who they were. */
async function whyEnded({ caller, token }: Entry, sessions: Sessions): Promise<string | undefined> {
  if (caller.kind !== 'user' || token === undefined) return undefined;
  const user = await sessions.identify(token);
  if (user === undefined || user.id !== caller.id) return 'Your session has ended.';
  if (user.admin !== caller.admin || user.isVerified !== caller.verified) return 'Your rights have changed.';
  return undefined;
}

function tooMany(limit: string, most: number): HttpError {
  const whose = limit === 'account' ? 'for your account' : 'from your network';
  const message = `Too many live streams are open ${whose} (at most ${most}): please close some and try again`;
  return new HttpError(429, 'too-many-streams', message, { headers: { 'Retry-After': String(retryAfterS) } });
}
