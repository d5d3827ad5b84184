import type { Logger } from '@husky/runtime/process/logger';
import { repeat } from '@husky/runtime/process/repeat';
import type { Caller } from '@husky/runtime/rpc/caller';
import { metrics } from '@opentelemetry/api';
import { HttpError } from './http/errors.ts';
import { addressKey } from './http/rate-limits.ts';
import type { Sessions } from './sessions.ts';

/** Maximum numbers of open event streams and downloads; 0: no limit. */
export interface StreamSettings {
  readonly STREAMS_MAX: number;
  readonly STREAMS_PER_ADDRESS: number;
  readonly STREAMS_PER_ACCOUNT: number;
  readonly DOWNLOADS_PER_ADDRESS: number;
  readonly DOWNLOADS_PER_ACCOUNT: number;
}

/** The limits of one kind of stream. Each kind is counted for itself. */
export interface StreamLimits {
  /** For messages such as 'Too many live streams are open'. */
  readonly name: 'live streams' | 'downloads';
  readonly perAddress: number;
  readonly perAccount: number;
  /** For this gateway. */
  readonly total: number;
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
  /** Unregisters the stream. Must be called when it ends. Idempotent. */
  close(): void;
}

/** The part of its streams, at least one, that an account may open although its address is at the limit: others may have used that up. */
const reservePart = 1 / 10;

/** Counts and limits the open event streams, or downloads, of this gateway. */
export interface Streams {
  /** Registers a stream. Throws 429 if its address or account has too many streams, 503 if the gateway has. */
  open(owner: StreamOwner): OpenStream;
  /** Ends those streams of a user for which session or rights have changed since their start. */
  check(userId: string): Promise<void>;
  /** Stops the periodic checks and waits for one in progress. */
  stop(): Promise<void>;
}

interface Entry extends StreamOwner {
  readonly abort: AbortController;
}

// The periodic check covers lost events and expired sessions.
const checkMs = 5000;
const retryAfterS = 10;

export function createStreams(sessions: Sessions, limits: StreamLimits, log: Logger): Streams {
  const entries = new Set<Entry>();
  const counts = new Map<string, number>();
  const meter = metrics.getMeter('husky.http');
  const open = meter.createUpDownCounter('http.streams.open', { description: 'Open event streams' });
  // Exports 0 before the first stream.
  open.add(0, { of: limits.name });
  const refused = meter.createCounter('http.streams.refused', { description: 'Event streams refused, by limit' });
  const ended = meter.createCounter('http.streams.ended', { description: 'Event streams ended with their rights' });

  function limitsOf({ caller, address }: StreamOwner) {
    const ofGateway = { name: 'gateway', key: 'gateway', max: limits.total };
    const byAddress = { name: 'address', key: `address ${addressKey(address)}`, max: limits.perAddress };
    if (caller.kind !== 'user') return [byAddress, ofGateway];
    return [{ name: 'account', key: `account ${caller.id}`, max: limits.perAccount }, byAddress, ofGateway];
  }

  function count(key: string, change: number): void {
    const now = (counts.get(key) ?? 0) + change;
    if (now > 0) counts.set(key, now);
    else counts.delete(key);
  }

  async function checkEntries(checked: readonly Entry[]): Promise<void> {
    await Promise.all(
      checked.map(async (entry) => {
        const reason = await findEndReason(entry, sessions).catch((error: unknown) => {
          // Without auth the stream continues; the next check retries.
          log.debug({ err: error }, 'looking up the caller of a stream failed');
          return undefined;
        });
        if (reason === undefined || entry.abort.signal.aborted || !entries.has(entry)) return;
        ended.add(1);
        entry.abort.abort(new Error(reason));
      }),
    );
  }

  const checks = repeat(`the check of ${limits.name}`, checkMs, log, () => checkEntries([...entries]));
  return {
    open(owner) {
      const applied = limitsOf(owner);
      const isFull = ({ key, max }: { readonly key: string; readonly max: number }) =>
        max > 0 && (counts.get(key) ?? 0) >= max;
      const reserve = Math.ceil(limits.perAccount * reservePart);
      const hasReserve = applied.some(({ name, key }) => name === 'account' && (counts.get(key) ?? 0) < reserve);
      const exhausted = applied.find((one) => isFull(one) && !(one.name === 'address' && hasReserve));
      if (exhausted) {
        refused.add(1, { limit: exhausted.name, of: limits.name });
        throw tooMany(limits.name, exhausted.name, exhausted.max);
      }
      const entry: Entry = { ...owner, abort: new AbortController() };
      entries.add(entry);
      for (const { key } of applied) count(key, 1);
      open.add(1, { of: limits.name });
      return {
        signal: entry.abort.signal,
        close() {
          if (!entries.delete(entry)) return;
          for (const { key } of applied) count(key, -1);
          open.add(-1, { of: limits.name });
        },
      };
    },
    check: (userId) =>
      checkEntries([...entries].filter(({ caller }) => caller.kind === 'user' && caller.id === userId)),
    stop: () => checks.stop(),
  };
}

/** Returns why a stream must end, or undefined while session and rights are unchanged. */
async function findEndReason({ caller, token }: Entry, sessions: Sessions): Promise<string | undefined> {
  if (caller.kind !== 'user' || token === undefined) return undefined;
  const user = await sessions.identify(token);
  if (user === undefined || user.id !== caller.id) return 'Your session has ended.';
  if (user.admin !== caller.admin || user.isVerified !== caller.verified) return 'Your rights have changed.';
  return undefined;
}

function tooMany(name: StreamLimits['name'], limit: string, max: number): HttpError {
  const headers = { 'Retry-After': String(retryAfterS) };
  if (limit === 'gateway') {
    return new HttpError(503, 'overloaded', `Too many ${name} are open on this server: please try again`, { headers });
  }
  const scope = limit === 'account' ? 'for your account' : 'from your network';
  const [state, advice, reason] =
    name === 'downloads'
      ? ['running', 'wait until one has ended', 'too-many-downloads']
      : ['open', 'close some', 'too-many-streams'];
  const message = `Too many ${name} are ${state} ${scope} (at most ${max}): please ${advice} and try again`;
  return new HttpError(429, reason ?? '', message, { headers });
}
