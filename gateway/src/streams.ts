import type { Logger } from '@husky/runtime/process/logger';
import { repeat } from '@husky/runtime/process/repeat';
import { createAdmission, type UsedUp } from '@husky/runtime/rpc/admission';
import type { Caller } from '@husky/runtime/rpc/caller';
import { metrics } from '@opentelemetry/api';
import { HttpError } from './http/errors.ts';
import { addressKey } from './http/rate-limits.ts';
import type { Sessions } from './sessions.ts';

/** Event streams and downloads. Each kind is counted for itself. */
type Kind = 'live streams' | 'downloads';

export interface StreamSettings {
  /** Maximum number of open event streams of this gateway, from which the other limits derive; 0: no limit. */
  readonly STREAMS_MAX: number;
}

/** The part of its streams, at least one, that an account may open although its address is at the limit: others may have used that up. */
const reservePart = 1 / 10;

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

export function createStreams(sessions: Sessions, kind: Kind, { STREAMS_MAX }: StreamSettings, log: Logger): Streams {
  const max = STREAMS_MAX || Infinity;
  const most =
    kind === 'downloads'
      ? { all: Infinity, address: Math.ceil(max / 250), account: Math.ceil(max / 1250) }
      : { all: max, address: Math.ceil(max / 25), account: Math.ceil(max / 250) };
  const places = createAdmission({
    limit: () => most.all,
    share: most,
    reserve: { account: Math.ceil(most.account * reservePart), address: Infinity },
  });
  const entries = new Set<Entry>();
  const meter = metrics.getMeter('husky.http');
  const open = meter.createUpDownCounter('http.streams.open', { description: 'Open event streams' });
  // Exports 0 before the first stream.
  open.add(0, { of: kind });
  const refused = meter.createCounter('http.streams.refused', { description: 'Event streams refused, by limit' });
  const ended = meter.createCounter('http.streams.ended', { description: 'Event streams ended with their rights' });

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

  const checks = repeat(`the check of ${kind}`, checkMs, log, () => checkEntries([...entries]));
  return {
    open(owner) {
      const { caller, address } = owner;
      const account = caller.kind === 'user' ? caller.id : '';
      const leave = places.take(kind, { account, address: addressKey(address) });
      if (typeof leave === 'string') {
        refused.add(1, { limit: leave === 'all' ? 'gateway' : leave, of: kind });
        throw tooMany(kind, leave, most[leave]);
      }
      const entry: Entry = { ...owner, abort: new AbortController() };
      entries.add(entry);
      open.add(1, { of: kind });
      return {
        signal: entry.abort.signal,
        close() {
          if (!entries.delete(entry)) return;
          leave();
          open.add(-1, { of: kind });
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

function tooMany(kind: Kind, limit: UsedUp, max: number): HttpError {
  const headers = { 'Retry-After': String(retryAfterS) };
  if (limit === 'all') {
    return new HttpError(503, 'overloaded', `Too many ${kind} are open on this server: please try again`, { headers });
  }
  const scope = `${limit === 'account' ? 'for your account' : 'from your network'} (at most ${max})`;
  const [state, advice, reason] =
    kind === 'downloads'
      ? ['running', 'wait until one has ended', 'too-many-downloads']
      : ['open', 'close some', 'too-many-streams'];
  const message = `Too many ${kind} are ${state} ${scope}: please ${advice} and try again`;
  return new HttpError(429, reason ?? '', message, { headers });
}
