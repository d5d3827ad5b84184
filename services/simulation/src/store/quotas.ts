import { quotaChanged } from '@husky/contracts/events';
import { DomainError } from '@husky/runtime/errors';
import { outboxRow } from '@husky/runtime/outbox';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { type OwnQuota, type Quota, quotaFields } from '../domain/quota.ts';
import type { Also } from './also.ts';

export interface StoredQuota {
  readonly own: OwnQuota;
  /** 0: never set. */
  readonly version: number;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

type Columns = { readonly [K in keyof Quota]: number | null };

const columns = `max_test_runs AS "maxTestRuns", max_test_runs_a_day AS "maxTestRunsADay",
  max_submissions AS "maxSubmissions", max_uploads_a_day AS "maxUploadsADay"`;

function given(row: Columns): OwnQuota {
  return Object.fromEntries(quotaFields.flatMap((field) => (row[field] === null ? [] : [[field, row[field]]])));
}

/** What the organisers have set for everybody. */
export async function readEventQuota(client: pg.Pool | pg.ClientBase): Promise<OwnQuota> {
  const { rows } = await client.query<Columns>(`SELECT ${columns} FROM settings WHERE id = 1`);
  return rows[0] ? given(rows[0]) : {};
}

/** What an admin has set for one user. */
export async function readUserQuota(client: pg.Pool | pg.ClientBase, userId: string, lock = ''): Promise<StoredQuota> {
  const { rows } = await client.query<Columns & Omit<StoredQuota, 'own'>>(
    `SELECT ${columns}, version, updated_at AS "updatedAt", updated_by AS "updatedBy" FROM user_quotas
     WHERE user_id = $1 ${lock}`,
    [userId],
  );
  const [row] = rows;
  if (!row) return { own: {}, version: 0, updatedAt: null, updatedBy: null };
  const { version, updatedAt, updatedBy } = row;
  return { own: given(row), version, updatedAt, updatedBy };
}

/** What holds for a user: their own quota before the event's before the configured one. */
export async function effectiveQuota(
  client: pg.Pool | pg.ClientBase,
  userId: string,
  configured: Quota,
): Promise<Quota> {
  const [event, { own }] = [await readEventQuota(client), await readUserQuota(client, userId)];
  return { ...configured, ...event, ...own };
}

/** Sets all of a user's quota and tells submission; ABORTED when somebody else has changed it since `expectedVersion`. */
export function saveUserQuota(
  pool: pg.Pool,
  userId: string,
  own: OwnQuota,
  by: { readonly userId: string; readonly expectedVersion: number | undefined; readonly now: number },
  also: (before: OwnQuota) => Also,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 12))', [userId]);
    const before = await readUserQuota(client, userId);
    if (by.expectedVersion !== undefined && by.expectedVersion !== before.version) {
      const message = 'Somebody else has changed this quota since you opened it. Reload it first.';
      throw new DomainError('ABORTED', 'quota-changed', message);
    }
    const version = before.version + 1;
    await client.query(
      `INSERT INTO user_quotas (user_id, max_test_runs, max_test_runs_a_day, max_submissions, max_uploads_a_day, version,
         updated_at, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (user_id) DO UPDATE SET max_test_runs = $2, max_test_runs_a_day = $3, max_submissions = $4,
         max_uploads_a_day = $5, version = $6, updated_at = $7, updated_by = $8`,
      [userId, ...quotaFields.map((field) => own[field] ?? null), version, new Date(by.now), by.userId],
    );
    const { maxSubmissions, maxUploadsADay } = own;
    const row = outboxRow(quotaChanged, {
      ...{ userId, version },
      ...(maxSubmissions === undefined ? {} : { maxSubmissions }),
      ...(maxUploadsADay === undefined ? {} : { maxUploadsADay }),
    });
    await client.query('INSERT INTO outbox (subject, payload, trace_context) VALUES ($1, $2, $3)', [
      ...[row.subject, Buffer.from(row.payload), row.traceContext],
    ]);
    await also(before.own)(client);
  });
}

export async function forgetQuota(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query('DELETE FROM user_quotas WHERE user_id = $1', [userId]);
}

export interface TestRunUse {
  readonly unfinished: number;
  /** When the test run began that stands in the way of one more today (ms); undefined: none does. */
  readonly inTheWay: number | undefined;
}

const dayMs = 24 * 3_600_000;

/** Locks out other test runs of the same user until the transaction ends, and says what they have used. */
export async function testRunUse(
  client: pg.ClientBase,
  ownerId: string,
  limitADay: number,
  now: number,
): Promise<TestRunUse> {
  const unfinished = await client.query<{ count: number }>(
    `SELECT count(*)::int FROM jobs
     WHERE owner_id = $1 AND kind = 'TEST_RUN' AND state IN ('PREPARING', 'QUEUED', 'PAUSED', 'RUNNING')`,
    [ownerId],
  );
  const today = await client.query<{ started_at: Date }>(
    `SELECT started_at FROM test_run_starts WHERE user_id = $1 AND started_at > $2
     ORDER BY started_at DESC OFFSET $3 LIMIT 1`,
    [ownerId, new Date(now - dayMs), Math.max(0, limitADay - 1)],
  );
  return { unfinished: unfinished.rows[0]?.count ?? 0, inTheWay: today.rows[0]?.started_at.getTime() };
}

export async function lockTestRunsOf(client: pg.ClientBase, ownerId: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 11))', [ownerId]);
}

export async function countTestRun(client: pg.ClientBase, jobId: string, userId: string, now: number): Promise<void> {
  await client.query('INSERT INTO test_run_starts (job_id, user_id, started_at) VALUES ($1, $2, $3)', [
    ...[jobId, userId, new Date(now)],
  ]);
}

export async function forgetTestRuns(pool: pg.Pool, now: number): Promise<void> {
  await pool.query('DELETE FROM test_run_starts WHERE started_at < $1', [new Date(now - 2 * dayMs)]);
}
