import { holdsLease, type Match } from '../domain/match.ts';
import type { MatchIndex } from '../domain/match-index.ts';
import type { AttemptState, PackedChunk } from '../domain/record.ts';
import { leaseLost } from '../domain/refusals.ts';
import type { Attempt } from '../generated/client.ts';
import type { Database, Transaction } from './database.ts';
import { putHandIndex } from './hand-indexes.ts';
import { lockMatch } from './matches.ts';
import { changeMatch } from './totals.ts';

export type { Attempt };

const key = (jobId: string, attempt: number) => ({ jobId_attempt: { jobId, attempt } });
const copyOf = (bytes: Uint8Array) => new Uint8Array(bytes);

async function lockLease(tx: Transaction, jobId: string, attempt: number): Promise<Match> {
  const match = await lockMatch(tx, jobId);
  if (match === null || !holdsLease(match, attempt)) throw leaseLost();
  return match;
}

export function findAttempt(db: Database, jobId: string, attempt: number): Promise<Attempt | null> {
  return db.prisma.attempt.findUnique({ where: key(jobId, attempt) });
}

/** Makes an attempt the current one of its match and voids earlier ones. Idempotent. Throws ABORTED for a voided attempt. */
export async function openAttempt(
  db: Database,
  jobId: string,
  attempt: number,
  startedAt: Date,
  state: AttemptState,
): Promise<{ opened: boolean }> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) throw leaseLost();
    if (holdsLease(match, attempt)) return { opened: false };
    if (match.acceptedAttempt !== null || attempt < match.currentAttempt) throw leaseLost();
    const fresh = { currentAttempt: attempt, status: 'Running', firstHandAt: null, hands: 0, endReason: '' };
    await changeMatch(tx, match, fresh);
    const { stacks, digest, ...rest } = state;
    await tx.attempt.create({
      data: { jobId, attempt, startedAt, ...rest, stacks: [...stacks], digest: copyOf(digest) },
    });
    return { opened: true };
  });
}

/** Stores a chunk and the state after it by compare-and-set on the number of hands. Returns false if the number has changed. */
export async function storeChunk(
  db: Database,
  jobId: string,
  attempt: number,
  before: number,
  chunk: PackedChunk,
  after: AttemptState,
  now: Date,
): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockLease(tx, jobId, attempt);
    const { count } = await tx.attempt.updateMany({
      where: { jobId, attempt, hands: before, verifiedAt: null },
      data: {
        hands: after.hands,
        stacks: [...after.stacks],
        bigBlindSeat: after.bigBlindSeat,
        digest: copyOf(after.digest),
      },
    });
    if (count === 0) return false;
    await tx.chunk.create({ data: { jobId, attempt, ...chunk, bytes: copyOf(chunk.bytes) } });
    if (match.firstHandAt === null) await changeMatch(tx, match, { firstHandAt: now });
    return true;
  });
}

/** Marks an attempt as verified and stores its series, its index and, if present, its repacked chunks. Idempotent. */
export async function storeVerified(
  db: Database,
  jobId: string,
  attempt: number,
  verified: { series: Uint8Array; index: MatchIndex; endReason: string; repacked: readonly PackedChunk[] | null },
  now: Date,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await lockLease(tx, jobId, attempt);
    if (verified.repacked !== null) {
      await tx.chunk.deleteMany({ where: { jobId, attempt } });
      await tx.chunk.createMany({
        data: verified.repacked.map((chunk) => ({ jobId, attempt, ...chunk, bytes: copyOf(chunk.bytes) })),
      });
    }
    const bytes = copyOf(verified.series);
    await tx.series.upsert({
      where: { jobId },
      create: { jobId, attempt, bytes },
      update: { attempt, bytes },
    });
    await putHandIndex(tx, jobId, attempt, verified.index);
    await tx.attempt.update({ where: key(jobId, attempt), data: { verifiedAt: now } });
    await tx.match.update({ where: { jobId }, data: { endReason: verified.endReason } });
  });
}

/**
 * Makes a verified attempt the accepted one. Idempotent. Returns false if the match was deleted, the attempt is not verified,
 * or another one was accepted.
 */
export async function acceptAttempt(db: Database, jobId: string, attempt: number, now: Date): Promise<boolean> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    const row = await tx.attempt.findUnique({ where: key(jobId, attempt) });
    if (match === null || row === null || row.verifiedAt === null) return false;
    if (match.acceptedAttempt !== null) return match.acceptedAttempt === attempt;
    const firstHandAt = match.firstHandAt ?? (row.hands > 0 ? now : null);
    await changeMatch(tx, match, { acceptedAttempt: attempt, status: 'Finished', hands: row.hands, firstHandAt });
    return true;
  });
}
