import { holdsLease, type Match } from '../domain/match.ts';
import type { AttemptState, PackedChunk } from '../domain/record.ts';
import { leaseLost } from '../domain/refusals.ts';
import type { Attempt } from '../generated/client.ts';
import type { Database, Transaction } from './database.ts';
import { lockMatch } from './matches.ts';
import { changeMatch } from './totals.ts';

export type { Attempt };

const key = (jobId: string, attempt: number) => ({ jobId_attempt: { jobId, attempt } });
const owned = (bytes: Uint8Array) => new Uint8Array(bytes);

async function lockLease(tx: Transaction, jobId: string, attempt: number): Promise<Match> {
  const match = await lockMatch(tx, jobId);
  if (match === null || !holdsLease(match, attempt)) throw leaseLost();
  return match;
}

export function findAttempt(db: Database, jobId: string, attempt: number): Promise<Attempt | null> {
  return db.prisma.attempt.findUnique({ where: key(jobId, attempt) });
}

/** Makes an attempt the current one of its match, which voids the earlier ones. Repeats change nothing. */
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
      data: { jobId, attempt, startedAt, ...rest, stacks: [...stacks], digest: owned(digest) },
    });
    return { opened: true };
  });
}

/**
 * Stores a chunk that follows `before` hands and moves the attempt on. False when another call has moved it meanwhile.
 */
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
        digest: owned(after.digest),
      },
    });
    if (count === 0) return false;
    await tx.chunk.create({ data: { jobId, attempt, ...chunk, bytes: owned(chunk.bytes) } });
    if (match.firstHandAt === null) await changeMatch(tx, match, { firstHandAt: now });
    return true;
  });
}

/** Books that an attempt has been verified whole: its series, and its chunks anew where they were small. */
export async function storeVerified(
  db: Database,
  jobId: string,
  attempt: number,
  verified: { series: Uint8Array; endReason: string; repacked: readonly PackedChunk[] | null },
  now: Date,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await lockLease(tx, jobId, attempt);
    if (verified.repacked !== null) {
      await tx.chunk.deleteMany({ where: { jobId, attempt } });
      await tx.chunk.createMany({
        data: verified.repacked.map((chunk) => ({ jobId, attempt, ...chunk, bytes: owned(chunk.bytes) })),
      });
    }
    const bytes = owned(verified.series);
    await tx.series.upsert({
      where: { jobId },
      create: { jobId, attempt, bytes },
      update: { attempt, bytes },
    });
    await tx.attempt.update({ where: key(jobId, attempt), data: { verifiedAt: now } });
    await tx.match.update({ where: { jobId }, data: { endReason: verified.endReason } });
  });
}

/**
 * Makes a verified attempt the one that readers get for good. Answers false when the match is gone, the attempt was never
 * verified here, or another one has been accepted.
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
