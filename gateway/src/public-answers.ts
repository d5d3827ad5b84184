import type { liveDataService } from '@husky/contracts/services';
import { outsideOfCall } from '@husky/runtime/call-context';
import type { ClientOf } from '@husky/runtime/grpc-client';
import { metrics } from '@opentelemetry/api';
import { LRUCache } from 'lru-cache';
import type { SharedAnswer } from './http/shared-answer.ts';

type Read = () => Promise<SharedAnswer>;

/** Answers that several callers share, in this gateway's memory. All are read as an anonymous caller. */
export interface PublicAnswers {
  /**
   * Returns the answer to a request (`key`: its path and query), read at most 1 s ago, or calls `read`. Concurrent requests share one
   * read. `jobId`: the match that the answer is about; what is said of a finished public match is kept until it is evicted,
   * but only returned while the match is public, which is read at most once a second. Failures are not kept.
   */
  find(key: string, jobId: string | undefined, read: Read): Promise<SharedAnswer>;
  /** Returns whether an anonymous caller may read a match, at most 1 s ago. Throws NOT_FOUND, and what live-data's call throws. */
  canRead(jobId: string): Promise<boolean>;
  /** Forgets what may have changed: call it after each change. Finished matches stay. */
  forgetRecent(): void;
  /** Forgets everything: after a change of a user's name, or when events may have been lost. */
  forgetAll(): void;
}

const recentMs = 1000;
const maxRecentBytes = 32 * 1024 * 1024;
const maxLastingBytes = 64 * 1024 * 1024;
const overheadBytes = 1024;
const everybody = { caller: { kind: 'anonymous' } } as const;

interface Access {
  readonly canRead: boolean;
  /** Public and finished: what is said of its hands does not change. */
  readonly settled: boolean;
}

interface Recent<T> {
  readonly startedMs: number;
  readonly value: Promise<T>;
}

/** Bounds the memory of an answer with its compressed contents, which are smaller than the content. */
const bytesOf = ({ content }: SharedAnswer): number => overheadBytes + 2 * content.length;

export function createPublicAnswers(
  liveData: Pick<ClientOf<typeof liveDataService>, 'getMatchAccess'>,
  now: () => number = () => performance.now(),
): PublicAnswers {
  const answers = new LRUCache<string, Recent<SharedAnswer>>({ maxSize: maxRecentBytes });
  const accesses = new LRUCache<string, Recent<Access>>({ max: 5000 });
  const lasting = new LRUCache<string, SharedAnswer>({ maxSize: maxLastingBytes });
  let generation = 0;
  const count = metrics.getMeter('husky.http').createCounter('http.answers', {
    description:
      'Answers to public reads: read by this request (read), shared within a second (recent), of a finished match (lasting)',
  });

  /** A read is shared for 1 s from its beginning, so that nobody gets an older answer, however long it takes. */
  function recent<T>(
    store: LRUCache<string, Recent<T>>,
    key: string,
    read: () => Promise<T>,
    size?: (value: T) => number,
  ) {
    const known = store.get(key);
    if (known !== undefined && now() - known.startedMs < recentMs) return { value: known.value, shared: true };
    const entry = { startedMs: now(), value: outsideOfCall(read) };
    store.set(key, entry, size && { size: overheadBytes });
    // An entry that was forgotten meanwhile must not return.
    const isCurrent = () => store.peek(key) === entry;
    entry.value.then(
      (value) => size && isCurrent() && store.set(key, entry, { size: size(value) }),
      () => isCurrent() && store.delete(key),
    );
    return { value: entry.value, shared: false };
  }

  function accessTo(jobId: string): Promise<Access> {
    const read = async () => {
      const { isPublic, canRead, finished } = await liveData.getMatchAccess({ jobId }, everybody);
      return { canRead, settled: isPublic && canRead && finished };
    };
    return recent(accesses, jobId, read).value;
  }

  /** Returns whether a match is public and finished, at most 1 s ago. Without live-data: no. */
  const isSettled = (jobId: string): Promise<boolean> =>
    accessTo(jobId).then(
      ({ settled }) => settled,
      () => false,
    );

  async function share(key: string, read: Read): Promise<SharedAnswer> {
    const { value, shared } = recent(answers, key, read, bytesOf);
    count.add(1, { from: shared ? 'recent' : 'read' });
    return value;
  }

  return {
    async find(key, jobId, read) {
      if (jobId === undefined || !(await isSettled(jobId))) return share(key, read);
      const kept = lasting.get(key);
      if (kept !== undefined) {
        count.add(1, { from: 'lasting' });
        return kept;
      }
      const begun = generation;
      // Not shared with reads that began before the match had finished.
      const answer = await share(`finished ${key}`, read);
      if (begun === generation) lasting.set(key, answer, { size: bytesOf(answer) });
      return answer;
    },
    canRead: async (jobId) => (await accessTo(jobId)).canRead,
    forgetRecent() {
      answers.clear();
      accesses.clear();
    },
    forgetAll() {
      generation += 1;
      answers.clear();
      accesses.clear();
      lasting.clear();
    },
  };
}
