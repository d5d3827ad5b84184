import { createHash } from 'node:crypto';

/** A record of the platform's commitment chain. Hashes are lower-case hex. */
export interface ChainRecord {
  /** From 1, without gaps. */
  readonly number: number;
  /** SHA-256 of the job's id. */
  readonly jobHash: string;
  readonly commitment: string;
  readonly madeAt: Date;
  /** Hash of the previous record; 64 zeros in the first one. */
  readonly previous: string;
  readonly hash: string;
}

export type ChainHead = Pick<ChainRecord, 'number' | 'hash' | 'madeAt'>;

const chainStart = '0'.repeat(64);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Returns the text that a record's hash covers: JSON without spaces, keys in alphabetical order, the time in UTC with milliseconds. */
export function recordText({ number, jobHash, commitment, madeAt, previous }: Omit<ChainRecord, 'hash'>): string {
  return JSON.stringify({ commitment, jobHash, number, previous, time: madeAt.toISOString() });
}

/** Creates the records of these jobs after `head`. Their time is `now`, or that of `head` if it is later. */
export function linkRecords(
  head: ChainHead | undefined,
  jobs: readonly { readonly id: string; readonly commitment: string }[],
  now: number,
): ChainRecord[] {
  const madeAt = new Date(Math.max(now, head?.madeAt.getTime() ?? 0));
  let number = head?.number ?? 0;
  let previous = head?.hash ?? chainStart;
  return jobs.map(({ id, commitment }) => {
    number += 1;
    const link = { number, jobHash: sha256(id), commitment, madeAt, previous };
    previous = sha256(recordText(link));
    return { ...link, hash: previous };
  });
}
