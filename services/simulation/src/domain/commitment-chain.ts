import { recordText, sha256Hex } from '@husky/match/commitment';

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
    const link = { number, jobHash: sha256Hex(id), commitment, madeAt, previous };
    previous = sha256Hex(recordText({ ...link, time: madeAt.toISOString() }));
    return { ...link, hash: previous };
  });
}
