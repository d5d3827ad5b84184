import { emitAudit } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import type { Match } from '../domain/match.ts';
import { handsRemoved, visibilityUnchanged } from '../domain/refusals.ts';
import { dropExportsOf } from '../exports/store/exports.ts';
import type { Prisma } from '../generated/client.ts';
import { sharedLock } from './batch-visibility.ts';
import type { Database, Transaction } from './database.ts';
import { changeMatch, removeMatch } from './totals.ts';

export type NewMatch = Prisma.MatchUncheckedCreateInput;

export function findMatch(db: Database, jobId: string): Promise<Match | null> {
  return db.prisma.match.findUnique({ where: { jobId } });
}

/** Returns the stored ones of these matches in the order of their ids. */
export function findMatches(db: Database, jobIds: readonly string[]): Promise<Match[]> {
  return db.prisma.match.findMany({ where: { jobId: { in: [...jobIds] } }, orderBy: { jobId: 'asc' } });
}

/** Stores a match with the visibility of its batch. Idempotent. */
export async function insertMatch(db: Database, match: NewMatch): Promise<void> {
  const { batchId } = match;
  if (!batchId) {
    await db.prisma.match.createMany({ data: [match], skipDuplicates: true });
    return;
  }
  await db.prisma.$transaction(async (tx) => {
    await tx.$queryRaw(sharedLock(batchId));
    const batch = await tx.batchVisibility.findUnique({ where: { batchId } });
    await tx.match.createMany({ data: [{ ...match, isPublic: batch?.isPublic ?? false }], skipDuplicates: true });
  });
}

/** Returns the match with its row locked until the transaction ends. */
export async function lockMatch(tx: Transaction, jobId: string): Promise<Match | null> {
  await tx.$queryRaw`SELECT 1 FROM matches WHERE job_id = ${jobId}::uuid FOR UPDATE`;
  return tx.match.findUnique({ where: { jobId } });
}

/** Toggles a match's visibility, with an audit event. Returns null for an unknown match. Throws ABORTED if it is already as `requested`. */
export function toggleVisibility(
  db: Database,
  jobId: string,
  requested: boolean | undefined,
  by: Caller,
): Promise<Match | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) return null;
    if (match.isPublic === requested) throw visibilityUnchanged(requested);
    if (match.handsRemovedAt !== null) throw handsRemoved(match.handsRemovedAt);
    const change = { before: { public: match.isPublic }, after: { public: !match.isPublic } };
    const entry = { action: 'job.visibility_changed', subjectKind: 'job', subjectId: jobId, ...change };
    await emitAudit(tx, 'live_data', by, entry);
    return changeMatch(tx, match, { isPublic: !match.isPublic });
  });
}

/** Marks a match without a result as failed. The hands of its last attempt remain readable. Idempotent. */
export function failMatch(db: Database, jobId: string, reason: string): Promise<Match | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null || match.acceptedAttempt !== null) return match;
    const last = await tx.attempt.findUnique({ where: { jobId_attempt: { jobId, attempt: match.currentAttempt } } });
    return changeMatch(tx, match, { status: 'Failed', hands: last?.hands ?? 0, endReason: reason });
  });
}

/** Deletes a match with everything stored about it. Returns how many readable hands it had; null for an unknown match. */
export function purgeMatch(db: Database, jobId: string): Promise<number | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) return null;
    const attempt = match.acceptedAttempt ?? match.currentAttempt;
    const read = await tx.attempt.findUnique({ where: { jobId_attempt: { jobId, attempt } } });
    await dropExportsOf(tx, jobId);
    await removeMatch(tx, match);
    return read?.hands ?? 0;
  });
}
