import { randomUUID } from 'node:crypto';
import { type AuditEntry, writeAudit } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import type { BotFiles } from '../domain/bot-files.ts';
import { type Quota, refuseAboveQuota } from '../domain/quota.ts';
import type { PrismaClient, Submission } from '../generated/client.ts';
import { putBot } from './bots.ts';
import { markUpload, quotaOf, quotaUse } from './quotas.ts';

export async function addSubmission(
  pool: pg.Pool,
  userId: string,
  files: BotFiles,
  limits: { readonly configured: Quota; readonly now: number },
  by: Caller,
): Promise<{ id: string }> {
  const id = randomUUID();
  await inTransaction(pool, async (client) => {
    await lockUser(client, userId);
    const { rows } = await client.query<{ deleted: boolean }>(
      'SELECT EXISTS (SELECT FROM deleted_users WHERE user_id = $1) AS deleted',
      [userId],
    );
    if (rows[0]?.deleted) throw new DomainError('UNAUTHENTICATED', 'user-deleted', 'This account has been deleted');
    const quota = await quotaOf(client, userId, limits.configured);
    refuseAboveQuota(quota, await quotaUse(client, userId, quota, limits.now), limits.now);
    await putBot(client, files);
    await client.query(
      `INSERT INTO submissions (id, user_id, bot_hash, player_file_id, requirements_file_id) VALUES ($1, $2, $3, $4, $5)`,
      [id, userId, files.botHash, randomUUID(), randomUUID()],
    );
    await markUpload(client, id, userId, limits.now);
    const after = { bot_hash: files.botHash };
    await audit(client, by, { action: 'submission.uploaded', subjectId: id, after });
  });
  return { id };
}

/** Moves the mark: at no moment has the user two, and a failure leaves it where it was. */
export function markFinal(
  pool: pg.Pool,
  userId: string,
  submissionId: string,
  final: boolean,
  by: Caller,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockUser(client, userId);
    if (final) {
      await client.query('UPDATE submissions SET final = false WHERE user_id = $1 AND final AND id <> $2', [
        userId,
        submissionId,
      ]);
    }
    const marked = await client.query('UPDATE submissions SET final = $3 WHERE user_id = $1 AND id = $2', [
      userId,
      submissionId,
      final,
    ]);
    if (marked.rowCount !== 1) return false;
    const action = final ? 'submission.marked_final' : 'submission.unmarked_final';
    await audit(client, by, { action, subjectId: submissionId });
    return true;
  });
}

/** Deletes all of a user's submissions for good: uploads under way are refused from here on. */
export function deleteUser(pool: pg.Pool, userId: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockUser(client, userId);
    await client.query('INSERT INTO deleted_users (user_id) VALUES ($1) ON CONFLICT DO NOTHING', [userId]);
    await client.query('DELETE FROM submissions WHERE user_id = $1', [userId]);
    await client.query('DELETE FROM user_quotas WHERE user_id = $1', [userId]);
  });
}

export function getSubmission(prisma: PrismaClient, id: string): Promise<Submission | null> {
  return prisma.submission.findUnique({ where: { id } });
}

export function listSubmissions(prisma: PrismaClient, userId: string): Promise<Submission[]> {
  return prisma.submission.findMany({ where: { userId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

export function countSubmissions(prisma: PrismaClient): Promise<number> {
  return prisma.submission.count();
}

export function getFinal(prisma: PrismaClient, userId: string): Promise<Submission | null> {
  return prisma.submission.findFirst({ where: { userId, final: true } });
}

export async function listUsersWithFinal(prisma: PrismaClient): Promise<string[]> {
  const rows = await prisma.submission.findMany({
    where: { final: true },
    select: { userId: true },
    orderBy: { userId: 'asc' },
  });
  return rows.map((row) => row.userId);
}

export function deleteSubmission(pool: pg.Pool, id: string, by: Caller): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ user_id: string; final: boolean; bot_hash: string }>(
      'DELETE FROM submissions WHERE id = $1 RETURNING user_id, final, bot_hash',
      [id],
    );
    const [before] = rows;
    if (before) await audit(client, by, { action: 'submission.deleted', subjectId: id, before });
  });
}

function audit(client: pg.ClientBase, by: Caller, entry: Omit<AuditEntry, 'subjectKind'>): Promise<void> {
  return writeAudit(client, 'submission', by, { ...entry, subjectKind: 'submission' });
}

export interface StoredFile {
  readonly userId: string;
  readonly fileName: 'player.py' | 'requirements.txt';
  readonly blobHash: string;
}

export async function findFile(prisma: PrismaClient, fileId: string): Promise<StoredFile | null> {
  const submission = await prisma.submission.findFirst({
    where: { OR: [{ playerFileId: fileId }, { requirementsFileId: fileId }] },
    include: { bot: true },
  });
  if (!submission) return null;
  return submission.playerFileId === fileId
    ? { userId: submission.userId, fileName: 'player.py', blobHash: submission.bot.playerHash }
    : { userId: submission.userId, fileName: 'requirements.txt', blobHash: submission.bot.requirementsFileHash };
}

async function lockUser(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 5))', [userId]);
}
