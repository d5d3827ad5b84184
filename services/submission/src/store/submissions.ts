import { randomUUID } from 'node:crypto';
import { findCreated, keepRequestKey } from '@husky/runtime/database/created-once';
import { at, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { type AuditEntry, emitAudit } from '@husky/runtime/messages/audit';
import type { Caller, UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import { currentParty } from '@husky/runtime/rpc/party';
import { currentRequestKey } from '@husky/runtime/rpc/request-key';
import type pg from 'pg';
import { type CheckedBot, type Quota, refuseAboveQuota } from '../domain/bot-files.ts';
import type { SubmissionState } from '../domain/lock.ts';
import type { PrismaClient, Submission } from '../generated/client.ts';
import { deleteVersion, putBot, recordVersion } from './bots.ts';
import { finalAt } from './pins.ts';
import { effectiveQuota, quotaUse, recordUpload } from './quota.ts';

/** An upload that was checked. */
export interface CheckedUpload extends CheckedBot {
  /** 64 hex digits; null: none. */
  readonly nonce: string | null;
}

/**
 * Stores an upload of `user`, or returns the one that it repeats. Throws if it exceeds the quota, ALREADY_EXISTS for a nonce that a submission has, and UNAUTHENTICATED for a deleted user. Uploads of one user are
 * serialized, so that concurrent uploads cannot exceed the quota.
 */
export async function addSubmission(
  pool: pg.Pool,
  files: CheckedUpload,
  { configured, now }: { readonly configured: Quota; readonly now: number },
  user: UserCaller,
  state: 'ready' | 'preparing' = 'ready',
): Promise<{ id: string }> {
  return inTransaction(pool, async (client) => {
    await lockUser(client, user.id);
    const earlier = await findEarlier(client, files, user.id);
    if (earlier !== undefined) return { id: earlier };
    const id = randomUUID();
    const tombstone = await client.query(sql`SELECT FROM deleted_users WHERE user_id = ${user.id}`);
    if (tombstone.rowCount) throw new DomainError('UNAUTHENTICATED', 'user-deleted', 'This account has been deleted');
    const quota = await effectiveQuota(client, user.id, configured);
    refuseAboveQuota(quota, await quotaUse(client, user.id, quota, now), now);
    await putBot(client, files);
    const stored = await client.query(
      sql`INSERT INTO submissions (id, user_id, bot_hash, player_file_id, requirements_file_id, nonce, state, address, prepare_after)
          VALUES (${id}, ${user.id}, ${files.botHash}, ${randomUUID()}, ${randomUUID()}, ${files.nonce}, ${state},
            ${currentParty().address}, ${state === 'preparing' ? at(now) : null}::timestamptz)
          ON CONFLICT (nonce) DO NOTHING`,
    );
    if (stored.rowCount === 0) {
      const message = 'This nonce belongs to a submission that is stored already. Draw another one for another upload.';
      throw new DomainError('ALREADY_EXISTS', 'nonce-used', message);
    }
    await recordVersion(client, user.id, files.botHash);
    await recordUpload(client, id, user.id, now);
    const after = { bot_hash: files.botHash, state };
    await audit(client, user, { action: 'submission.uploaded', subjectId: id, after });
    await keepRequestKey(client, 'submissions', id);
    return { id };
  });
}

/** Returns the id of the user's submission that an upload repeats: by its request's key, or without one the same files and nonce within a minute. */
export async function findEarlier(
  client: pg.Pool | pg.ClientBase,
  { botHash, nonce }: Pick<CheckedUpload, 'botHash' | 'nonce'>,
  userId: string,
): Promise<string | undefined> {
  if (currentRequestKey() !== undefined) return findCreated(client, 'submissions');
  const { rows } = await client.query<{ id: string }>(
    sql`SELECT id FROM submissions WHERE user_id = ${userId} AND bot_hash = ${botHash} AND nonce IS NOT DISTINCT FROM ${nonce}
          AND created_at > now() - interval '1 minute' ORDER BY created_at LIMIT 1`,
  );
  return rows[0]?.id;
}

/**
 * Marks a submission as the user's final one, which unmarks another one, or removes the mark. Returns false, without a change,
 * if the user has no such submission. Throws for one that is not ready.
 */
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
      await refuseUnready(client, userId, submissionId);
      await client.query(
        sql`UPDATE submissions SET final = false WHERE user_id = ${userId} AND final AND id <> ${submissionId}`,
      );
    }
    const marked = await client.query(
      sql`UPDATE submissions SET final = ${final} WHERE user_id = ${userId} AND id = ${submissionId}`,
    );
    if (marked.rowCount !== 1) return false;
    const action = final ? 'submission.marked_final' : 'submission.unmarked_final';
    await audit(client, by, { action, subjectId: submissionId });
    return true;
  });
}

async function refuseUnready(client: pg.ClientBase, userId: string, submissionId: string): Promise<void> {
  const { rows } = await client.query<{ state: SubmissionState; reason: string }>(
    sql`SELECT state, reason FROM submissions WHERE user_id = ${userId} AND id = ${submissionId} FOR UPDATE`,
  );
  if (rows[0]?.state === 'preparing') {
    const message = 'The packages of this submission are still being prepared. Mark it as final when they are ready.';
    throw new DomainError('FAILED_PRECONDITION', 'packages-preparing', message);
  }
  if (rows[0]?.state === 'refused') {
    const message = `This submission cannot be final, because its packages cannot be used: ${rows[0].reason}`;
    throw new DomainError('FAILED_PRECONDITION', 'packages-refused', message);
  }
}

/** Deletes all data of a user and stores a tombstone, so that uploads in progress are refused. Idempotent. */
export function deleteUser(pool: pg.Pool, userId: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await lockUser(client, userId);
    await client.query(sql`INSERT INTO deleted_users (user_id) VALUES (${userId}) ON CONFLICT DO NOTHING`);
    await client.query(sql`DELETE FROM submissions WHERE user_id = ${userId}`);
    await client.query(sql`DELETE FROM final_marks WHERE user_id = ${userId}`);
    await client.query(sql`DELETE FROM bot_versions WHERE user_id = ${userId}`);
    await client.query(sql`DELETE FROM user_quotas WHERE user_id = ${userId}`);
  });
}

export function findSubmission(prisma: PrismaClient, id: string): Promise<Submission | null> {
  return prisma.submission.findUnique({ where: { id } });
}

/** Returns all submissions of a user, newest first. */
export function listSubmissions(prisma: PrismaClient, userId: string): Promise<Submission[]> {
  return prisma.submission.findMany({ where: { userId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

export function countSubmissions(prisma: PrismaClient): Promise<number> {
  return prisma.submission.count();
}

export function findFinal(prisma: PrismaClient, userId: string): Promise<Submission | null> {
  return prisma.submission.findFirst({ where: { userId, final: true } });
}

/** Returns the submissions that are final, or were at a time, in the order of their users. */
export async function findFinals(
  pool: pg.Pool,
  at: Date | null = null,
): Promise<{ userId: string; botHash: string; submissionId: string }[]> {
  const { rows } = await pool.query(
    sql`SELECT user_id AS "userId", bot_hash AS "botHash", submission_id AS "submissionId" FROM final_marks m
        WHERE ${finalAt(at)} ORDER BY user_id`,
  );
  return rows;
}

/** Deletes a submission. Idempotent: only the first call writes an audit record. */
export function deleteSubmission(pool: pg.Pool, id: string, by: Caller): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ user_id: string; final: boolean; bot_hash: string }>(
      sql`DELETE FROM submissions WHERE id = ${id} RETURNING user_id, final, bot_hash`,
    );
    const [before] = rows;
    if (!before) return;
    await deleteVersion(client, before.user_id, before.bot_hash);
    await audit(client, by, { action: 'submission.deleted', subjectId: id, before });
  });
}

function audit(client: pg.ClientBase, by: Caller, entry: Omit<AuditEntry, 'subjectKind'>): Promise<void> {
  return emitAudit(client, 'submission', by, { ...entry, subjectKind: 'submission' });
}

export interface StoredFile {
  readonly userId: string;
  readonly fileName: 'player.py' | 'requirements.txt';
  readonly blobHash: string;
}

/** Finds a file of a submission by the id of the file. */
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

/** Holds the advisory lock of a user's submissions until the transaction ends. */
async function lockUser(client: pg.ClientBase, userId: string): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 5))`);
}
