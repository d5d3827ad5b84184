import { type RecordKind, recordText, sha256Hex, subjectHash } from '@husky/match/commitment';

/** A record of the platform's commitment chain. Hashes are lower-case hex. */
export interface ChainRecord {
  /** From 1, without gaps. */
  readonly number: number;
  readonly kind: RecordKind;
  /** As subjectHash returns it. */
  readonly jobHash: string;
  readonly commitment: string;
  readonly madeAt: Date;
  /** Hash of the previous record; 64 zeros in the first one. */
  readonly previous: string;
  readonly hash: string;
}

export type ChainHead = Pick<ChainRecord, 'number' | 'hash' | 'madeAt'>;

export const chainStart = '0'.repeat(64);

/** What a record is to be made of. `id`: of a match, or of what is planned. */
export interface Commitment {
  readonly kind?: RecordKind;
  readonly id: string;
  readonly commitment: string;
}

/** Creates the records of these commitments after `head`. Their time is `now`, or that of `head` if it is later. */
export function linkRecords(
  head: ChainHead | undefined,
  commitments: readonly Commitment[],
  now: number,
): ChainRecord[] {
  const madeAt = new Date(Math.max(now, head?.madeAt.getTime() ?? 0));
  let number = head?.number ?? 0;
  let previous = head?.hash ?? chainStart;
  return commitments.map(({ kind = 'match', id, commitment }) => {
    number += 1;
    const link = { number, kind, jobHash: subjectHash(kind, id), commitment, madeAt, previous };
    previous = sha256Hex(recordText({ ...link, time: madeAt.toISOString() }));
    return { ...link, hash: previous };
  });
}

/** Where a check of the chain has arrived. */
export type ChainPosition = Pick<ChainRecord, 'number' | 'hash'> & { readonly madeAt: number };

export const chainBeginning: ChainPosition = { number: 0, hash: chainStart, madeAt: 0 };

/** Checks that a record follows a position. Returns what is wrong; undefined: nothing. */
export function brokenLink(before: ChainPosition, record: ChainRecord): string | undefined {
  const next = before.number + 1;
  if (record.number !== next) return `Record ${next} of the chain is missing.`;
  const text = recordText({ ...record, time: record.madeAt.toISOString() });
  if (record.previous !== before.hash) return `Record ${next} of the chain does not follow the record before it.`;
  if (record.hash !== sha256Hex(text)) return `Record ${next} of the chain was changed.`;
  if (record.madeAt.getTime() < before.madeAt) return `Record ${next} of the chain is older than the record before it.`;
  return undefined;
}
