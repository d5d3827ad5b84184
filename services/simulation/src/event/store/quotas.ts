import { quotaChanged } from '@husky/contracts/events';
import { at, ids, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emit } from '@husky/runtime/messages/outbox';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { AuditWriter } from '../../store/audit.ts';
import { type Quota, type QuotaOverride, quotaOf, userNotFound } from '../domain/quota.ts';

type Columns = { readonly [K in keyof Quota]: number | null };

const columns = sql`max_test_runs AS "maxTestRuns", max_test_runs_a_day AS "maxTestRunsADay",
  max_submissions AS "maxSubmissions", max_uploads_a_day AS "maxUploadsADay", max_challenges_a_day AS "maxChallengesADay",
  max_trial_hands_a_day AS "maxTrialHandsADay"`;

/** Returns the limits that admins have set for everybody. */
export async function readEventQuota(client: pg.Pool | pg.ClientBase): Promise<QuotaOverride> {
  const { rows } = await client.query<Columns>(sql`SELECT ${columns} FROM settings WHERE id = 1`);
  return quotaOf(rows[0] ?? {});
}

export interface UserQuota {
  readonly own: QuotaOverride;
  /** 0: never set. */
  readonly version: number;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

/** Returns the limits that an admin has set for one user. */
export async function readUserQuota(client: pg.Pool | pg.ClientBase, userId: string): Promise<UserQuota> {
  const { rows } = await client.query<Columns & Omit<UserQuota, 'own'>>(
    sql`SELECT ${columns}, version, updated_at AS "updatedAt", updated_by AS "updatedBy" FROM user_quotas
        WHERE user_id = ${userId}`,
  );
  const [row] = rows;
  if (!row) return { own: {}, version: 0, updatedAt: null, updatedBy: null };
  const { version, updatedAt, updatedBy } = row;
  return { own: quotaOf(row), version, updatedAt, updatedBy };
}

/** Returns the limits of a user: their own override the event's, which override the configured ones. */
export async function effectiveQuota(
  client: pg.Pool | pg.ClientBase,
  userId: string,
  configured: Quota,
): Promise<Quota> {
  const event = await readEventQuota(client);
  const { own } = await readUserQuota(client, userId);
  return { ...configured, ...event, ...own };
}

/**
 * Replaces all limits of a user and publishes quota_changed. Throws NOT_FOUND for a deleted user, ABORTED if they have changed since
 * `expectedVersion`.
 */
export function saveUserQuota(
  pool: pg.Pool,
  userId: string,
  own: QuotaOverride,
  by: { readonly userId: string; readonly expectedVersion: number | undefined; readonly now: number },
  auditWriterFor: (before: QuotaOverride) => AuditWriter,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 12))`);
    if (await isDeleted(client, userId)) throw userNotFound();
    const before = await readUserQuota(client, userId);
    if (by.expectedVersion !== undefined && by.expectedVersion !== before.version) {
      const message = 'Somebody else has changed this quota since you opened it. Reload it first.';
      throw new DomainError('ABORTED', 'quota-changed', message);
    }
    const version = before.version + 1;
    const { maxTestRuns = null, maxTestRunsADay = null, maxSubmissions = null, maxUploadsADay = null } = own;
    const { maxChallengesADay = null, maxTrialHandsADay = null } = own;
    await client.query(
      sql`INSERT INTO user_quotas (user_id, max_test_runs, max_test_runs_a_day, max_submissions, max_uploads_a_day, max_challenges_a_day,
            max_trial_hands_a_day, version, updated_at, updated_by)
          VALUES (${userId}, ${maxTestRuns}, ${maxTestRunsADay}, ${maxSubmissions}, ${maxUploadsADay}, ${maxChallengesADay},
            ${maxTrialHandsADay}, ${version}, ${at(by.now)}, ${by.userId})
          ON CONFLICT (user_id) DO UPDATE SET max_test_runs = excluded.max_test_runs,
            max_test_runs_a_day = excluded.max_test_runs_a_day, max_submissions = excluded.max_submissions,
            max_uploads_a_day = excluded.max_uploads_a_day, max_challenges_a_day = excluded.max_challenges_a_day,
            max_trial_hands_a_day = excluded.max_trial_hands_a_day, version = excluded.version, updated_at = excluded.updated_at,
            updated_by = excluded.updated_by`,
    );
    const limits = quotaOf({ maxSubmissions, maxUploadsADay });
    await emit(client, quotaChanged, { userId, version, ...limits });
    await auditWriterFor(before.own)(client);
  });
}

/** Deletes the limits of a deleted user. Idempotent. */
export async function deleteUserQuota(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(sql`DELETE FROM user_quotas WHERE user_id = ${userId}`);
}

// Transactions that create something for a user share the user's lock. The tombstone is inserted under the exclusive lock: it waits for
// those under way, whose jobs are then found and ended, and later ones are refused.
const lockClass = 14;

/** Inserts the tombstone of a deleted user. Idempotent. */
export function addTombstone(pool: pg.Pool, userId: string, now: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, ${lockClass}))`);
    await client.query(
      sql`INSERT INTO deleted_users (user_id, deleted_at) VALUES (${userId}, ${at(now)}) ON CONFLICT DO NOTHING`,
    );
  });
}

/** Returns those of the users who have been deleted. A deletion waits until the transaction ends. */
export async function deletedAmong(client: pg.ClientBase, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  await client.query(
    sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(id::text, ${lockClass}))::text FROM unnest(${ids(userIds)}) AS u(id) ORDER BY id`,
  );
  const { rows } = await client.query<{ id: string }>(
    sql`SELECT user_id AS id FROM deleted_users WHERE user_id = ANY (${ids(userIds)})`,
  );
  return new Set(rows.map(({ id }) => id));
}

const isDeleted = async (client: pg.ClientBase, userId: string): Promise<boolean> =>
  (await deletedAmong(client, [userId])).has(userId);

/** Throws UNAUTHENTICATED if the user has been deleted. A deletion waits until the transaction ends. */
export async function refuseDeleted(client: pg.ClientBase, userId: string): Promise<void> {
  if (await isDeleted(client, userId)) {
    throw new DomainError('UNAUTHENTICATED', 'user-deleted', 'This account has been deleted');
  }
}
