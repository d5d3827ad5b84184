import type { liveDataService } from '@husky/contracts/services';
import { outsideOfCall } from '@husky/runtime/rpc/call-context';
import type { ClientOf } from '@husky/runtime/rpc/grpc-client';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import type { SharedResponse } from './http/shared-response.ts';

type Compute = () => Promise<SharedResponse>;

/** Cache of the responses that callers share, in this gateway's memory. All are computed as an anonymous caller. */
export interface PublicResponses {
  /**
   * Returns the response to a request (`key`: its path and the query as the handler reads it). Calls `compute` unless there is one from
   * the last second; concurrent requests share one computation. `jobId`: the match that the response is about. Responses about a finished
   * public match stay cached until they are evicted, but are only returned while the match is public, which is checked once a second.
   * Failures are not cached.
   */
  find(key: string, jobId: string | undefined, compute: Compute): Promise<SharedResponse>;
  /** Returns whether an anonymous caller may read a match; at most 1 s old. Throws NOT_FOUND and other errors of live-data. */
  canRead(jobId: string): Promise<boolean>;
  /** Discards responses that a change may have made stale. Call it after each change. Keeps those about finished matches. */
  forgetRecent(): void;
  /** Discards everything. Call it after a user was deleted, or when events may have been lost. */
  forgetAll(): void;
}

const recentMs = 1000;
const maxRecentBytes = 32 * 1024 * 1024;
const maxFinalBytes = 64 * 1024 * 1024;
const overheadBytes = 1024;
const asAnonymous = { caller: { kind: 'anonymous' } } as const;

interface Access {
  readonly canRead: boolean;
  /** Public and finished: responses about its hands do not change. */
  readonly final: boolean;
}

interface Recent<T> {
  readonly startedMs: number;
  readonly value: Promise<T>;
}

/** Returns an upper bound of an entry's memory: key, content, and the compressed contents, which are smaller. */
const maxBytesOf = (key: string, { content }: SharedResponse): number =>
  overheadBytes + key.length + 2 * content.length;

export function createPublicResponses(
  liveData: Pick<ClientOf<typeof liveDataService>, 'getMatchAccess'>,
  now: () => number = () => performance.now(),
): PublicResponses {
  const responses = new LRUCache<string, Recent<SharedResponse>>({ maxSize: maxRecentBytes });
  const accesses = new LRUCache<string, Recent<Access>>({ max: 5000 });
  const finalResponses = new LRUCache<string, SharedResponse>({ maxSize: maxFinalBytes });
  let generation = 0;
  const count = metrics.getMeter('husky.http').createCounter('http.answers', {
    description:
      'Answers to public reads: read by this request (read), shared within a second (recent), of a finished match (lasting)',
  });

  /** Shares a read for 1 s from its start, so that no result is older, however long the read takes. */
  function shareRecent<T>(
    store: LRUCache<string, Recent<T>>,
    key: string,
    read: () => Promise<T>,
    size?: (key: string, value: T) => number,
  ) {
    const known = store.get(key);
    if (known !== undefined && now() - known.startedMs < recentMs) return { value: known.value, shared: true };
    const entry = { startedMs: now(), value: outsideOfCall(read) };
    store.set(key, entry, size && { size: overheadBytes + key.length });
    // An entry that was discarded meanwhile must not be stored again.
    const isCurrent = () => store.peek(key) === entry;
    entry.value.then(
      (value) => size && isCurrent() && store.set(key, entry, { size: size(key, value) }),
      () => isCurrent() && store.delete(key),
    );
    return { value: entry.value, shared: false };
  }

  function accessTo(jobId: string): Promise<Access> {
    const read = async () => {
      const { isPublic, canRead, finished } = await liveData.getMatchAccess({ jobId }, asAnonymous);
      return { canRead, final: isPublic && canRead && finished };
    };
    return shareRecent(accesses, jobId, read).value;
  }

  /** Returns whether a match is public and finished; at most 1 s old. Returns false if live-data fails. */
  const isFinal = (jobId: string): Promise<boolean> =>
    accessTo(jobId).then(
      ({ final }) => final,
      () => false,
    );

  async function share(key: string, compute: Compute): Promise<SharedResponse> {
    const { value, shared } = shareRecent(responses, key, compute, maxBytesOf);
    count.add(1, { from: shared ? 'recent' : 'read' });
    return value;
  }

  return {
    async find(key, jobId, compute) {
      if (jobId === undefined || !(await isFinal(jobId))) return share(key, compute);
      const cached = finalResponses.get(key);
      if (cached !== undefined) {
        count.add(1, { from: 'lasting' });
        return cached;
      }
      const startGeneration = generation;
      // A key of its own: a computation that started before the match had finished must not be shared.
      const response = await share(`finished ${key}`, compute);
      if (startGeneration === generation) finalResponses.set(key, response, { size: maxBytesOf(key, response) });
      return response;
    },
    canRead: async (jobId) => (await accessTo(jobId)).canRead,
    forgetRecent() {
      responses.clear();
      accesses.clear();
    },
    forgetAll() {
      generation += 1;
      responses.clear();
      accesses.clear();
      finalResponses.clear();
    },
  };
}
