import { type RecordKind, recordText, sha256Hex, subjectHash, type TakenSeeds } from '@husky/match/commitment';

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
  /** Of a plan that takes seeds of a list. */
  readonly seeds: TakenSeeds | null;
}

export type ChainHead = Pick<ChainRecord, 'number' | 'hash' | 'madeAt'>;

export const chainStart = '0'.repeat(64);

/** What a record is to be made of. `id`: of a match, or of what is planned. */
export interface Commitment {
  readonly kind?: RecordKind;
  readonly id: string;
  readonly commitment: string;
  readonly seeds?: TakenSeeds | null;
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
  return commitments.map(({ kind = 'match', id, commitment, seeds = null }) => {
    number += 1;
    const link = { number, kind, jobHash: subjectHash(kind, id), commitment, madeAt, previous, seeds };
    previous = sha256Hex(recordText({ ...link, time: madeAt.toISOString() }));
    return { ...link, hash: previous };
  });
}

/** Where a check of the chain has arrived. */
export type ChainPosition = Pick<ChainRecord, 'number' | 'hash'> & {
  readonly madeAt: number;
  /** The list of the last seeds that a plan took, and the first place after them. */
  readonly list: number;
  readonly place: number;
};

export const chainBeginning: ChainPosition = { number: 0, hash: chainStart, madeAt: 0, list: 1, place: 0 };

/** Returns the position after a record. */
export function positionAfter(before: ChainPosition, { number, hash, madeAt, seeds }: ChainRecord): ChainPosition {
  const taken = seeds && { list: seeds.list, place: seeds.first + seeds.count };
  return { ...before, number, hash, madeAt: madeAt.getTime(), ...taken };
}

/** Checks that a record follows a position. Returns what is wrong; undefined: nothing. */
export function brokenLink(before: ChainPosition, record: ChainRecord): string | undefined {
  const next = before.number + 1;
  if (record.number !== next) return `Record ${next} of the chain is missing.`;
  const text = recordText({ ...record, time: record.madeAt.toISOString() });
  if (record.previous !== before.hash) return `Record ${next} of the chain does not follow the record before it.`;
  if (record.hash !== sha256Hex(text)) return `Record ${next} of the chain was changed.`;
  if (record.madeAt.getTime() < before.madeAt) return `Record ${next} of the chain is older than the record before it.`;
  const { seeds } = record;
  const follows = !seeds || (seeds.list === before.list ? seeds.first === before.place : seeds.first === 0);
  if (!follows || (seeds && ![before.list, before.list + 1].includes(seeds.list)))
    return `Record ${next} of the chain takes seed ${seeds?.first} of list ${seeds?.list}, where seed ${before.place} of list ${before.list} follows.`;
  return undefined;
}
