import { emitAudit } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import type { Match } from '../domain/match.ts';
import { alreadySo } from '../domain/refusals.ts';
import type { Prisma } from '../generated/client.ts';
import { sharedLockSql } from './batch-visibility.ts';
import type { Database, Transaction } from './database.ts';
import { changeMatch, removeMatch } from './totals.ts';

export type NewMatch = Prisma.MatchUncheckedCreateInput;

export function findMatch(db: Database, jobId: string): Promise<Match | null> {
  return db.prisma.match.findUnique({ where: { jobId } });
}

/** Adds a match unless it is there; one of a batch is as visible as its batch. */
export async function insertMatch(db: Database, match: NewMatch): Promise<void> {
  const { batchId } = match;
  if (!batchId) {
    await db.prisma.match.createMany({ data: [match], skipDuplicates: true });
    return;
  }
  await db.prisma.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(sharedLockSql, batchId);
    const batch = await tx.batchVisibility.findUnique({ where: { batchId } });
    await tx.match.createMany({ data: [{ ...match, isPublic: batch?.isPublic ?? false }], skipDuplicates: true });
  });
}

/** The match, locked against every other change until the transaction ends. */
export async function lockMatch(tx: Transaction, jobId: string): Promise<Match | null> {
  await tx.$queryRaw`SELECT 1 FROM matches WHERE job_id = ${jobId}::uuid FOR UPDATE`;
  return tx.match.findUnique({ where: { jobId } });
}

/** Turns a match public or private again, on behalf of `by`; null when there is none, ABORTED when it is as `wanted` already. */
export function toggleVisibility(
  db: Database,
  jobId: string,
  wanted: boolean | undefined,
  by: Caller,
): Promise<Match | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) return null;
    if (match.isPublic === wanted) throw alreadySo(wanted);
    const change = { before: { public: match.isPublic }, after: { public: !match.isPublic } };
    const entry = { action: 'job.visibility_changed', subjectKind: 'job', subjectId: jobId, ...change };
    await emitAudit(tx, 'live_data', by, entry);
    return changeMatch(tx, match, { isPublic: !match.isPublic });
  });
}

/** Ends a match without a result, unless it has one. Readers keep what its last attempt has stored. */
export function failMatch(db: Database, jobId: string, reason: string): Promise<Match | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null || match.acceptedAttempt !== null) return match;
    const last = await tx.attempt.findUnique({ where: { jobId_attempt: { jobId, attempt: match.currentAttempt } } });
    return changeMatch(tx, match, { status: 'Failed', hands: last?.hands ?? 0, endReason: reason });
  });
}

/** Removes every trace of a match and answers how many hands readers had; null when there was none. */
export function purgeMatch(db: Database, jobId: string): Promise<number | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) return null;
    const attempt = match.acceptedAttempt ?? match.currentAttempt;
    const read = await tx.attempt.findUnique({ where: { jobId_attempt: { jobId, attempt } } });
    await removeMatch(tx, match);
    return read?.hands ?? 0;
  });
}
