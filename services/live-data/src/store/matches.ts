import { houseUserId, type Match } from '../domain/match.ts';
import type { Prisma } from '../generated/client.ts';
import type { Database, Transaction } from './database.ts';

export type NewMatch = Prisma.MatchUncheckedCreateInput;

export function findMatch(db: Database, jobId: string): Promise<Match | null> {
  return db.prisma.match.findUnique({ where: { jobId } });
}

/** Adds a match unless it is there. */
export async function insertMatch(db: Database, match: NewMatch): Promise<void> {
  await db.prisma.match.createMany({ data: [match], skipDuplicates: true });
}

/** The match, locked against every other change until the transaction ends. */
export async function lockMatch(tx: Transaction, jobId: string): Promise<Match | null> {
  await tx.$queryRaw`SELECT 1 FROM matches WHERE job_id = ${jobId}::uuid FOR UPDATE`;
  return tx.match.findUnique({ where: { jobId } });
}

/** Turns a match public or private again; null when there is none. */
export function toggleVisibility(db: Database, jobId: string): Promise<Match | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) return null;
    const isPublic = !match.isPublic;
    if (match.firstHandAt !== null) await addToTotals(tx, match, 0, isPublic ? 1 : -1);
    return tx.match.update({ where: { jobId }, data: { isPublic } });
  });
}

/** Ends a match without a result, unless it has one. Readers keep what its last attempt has stored. */
export function failMatch(db: Database, jobId: string, reason: string): Promise<Match | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null || match.acceptedAttempt !== null) return match;
    const last = await tx.attempt.findUnique({ where: { jobId_attempt: { jobId, attempt: match.currentAttempt } } });
    const data = { status: 'Failed', hands: last?.hands ?? 0, endReason: reason };
    return tx.match.update({ where: { jobId }, data });
  });
}

/** Removes every trace of a match and answers how many hands readers had; null when there was none. */
export function purgeMatch(db: Database, jobId: string): Promise<number | null> {
  return db.prisma.$transaction(async (tx) => {
    const match = await lockMatch(tx, jobId);
    if (match === null) return null;
    const attempt = match.acceptedAttempt ?? match.currentAttempt;
    const read = await tx.attempt.findUnique({ where: { jobId_attempt: { jobId, attempt } } });
    if (match.firstHandAt !== null) await unlist(tx, match);
    await tx.match.delete({ where: { jobId } });
    return read?.hands ?? 0;
  });
}

export const list = (tx: Transaction, match: Match) => addToTotals(tx, match, 1, match.isPublic ? 1 : 0);
export const unlist = (tx: Transaction, match: Match) => addToTotals(tx, match, -1, match.isPublic ? -1 : 0);

// In order of id, so that two matches with the same players never wait for each other in a circle.
async function addToTotals(tx: Transaction, match: Match, matches: number, publicMatches: number): Promise<void> {
  const users = [...new Set(match.playerIds)].filter((id) => id !== houseUserId).sort();
  await tx.$executeRaw`
    INSERT INTO player_totals AS t (user_id, matches, public_matches)
    SELECT u, ${matches}::int, ${publicMatches}::int FROM unnest(${users}::uuid[]) AS u ORDER BY u
    ON CONFLICT (user_id) DO UPDATE
    SET matches = t.matches + excluded.matches, public_matches = t.public_matches + excluded.public_matches`;
}
