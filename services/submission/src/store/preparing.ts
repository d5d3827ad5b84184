import { at, empty, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import type pg from 'pg';
import type { PreparationStep, SubmissionState } from '../domain/lock.ts';

export interface PreparingSubmission {
  readonly id: string;
  readonly userId: string;
  readonly botHash: string;
  /** Keyed hash of the client's address; empty: unknown. */
  readonly address: string;
  /** When a try failed first; null: none has failed. */
  readonly failingSince: Date | null;
  /** This one included. */
  readonly tries: number;
}

const service = { kind: 'service', name: 'submission' } as const;

/**
 * Leases a due submission that is preparing to this process for `leaseMs`, the longest-waiting one of a user of whom no other is leased;
 * undefined: there is none. A user's submissions are prepared one after the other.
 */
export async function takePreparing(
  pool: pg.Pool,
  now: number,
  leaseMs: number,
): Promise<PreparingSubmission | undefined> {
  const { rows } = await pool.query<PreparingSubmission>(
    sql`UPDATE submissions SET prepare_after = ${at(now + leaseMs)}, prepare_tries = prepare_tries + 1, step = 'waiting'
        WHERE id = (SELECT id FROM submissions s WHERE state = 'preparing' AND prepare_after <= ${at(now)}
                      AND NOT EXISTS (SELECT FROM submissions o WHERE o.user_id = s.user_id AND o.id <> s.id
                        AND o.state = 'preparing' AND o.step <> '' AND o.prepare_after > ${at(now)})
                    ORDER BY prepare_after LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, user_id AS "userId", bot_hash AS "botHash", address, failing_since AS "failingSince", prepare_tries AS tries`,
  );
  return rows[0];
}

/** Renews a lease and records the step. */
export async function renewPreparing(
  pool: pg.Pool,
  id: string,
  step: PreparationStep,
  leasedUntil: number,
): Promise<void> {
  await pool.query(
    sql`UPDATE submissions SET prepare_after = ${at(leasedUntil)}, step = ${step}
        WHERE id = ${id} AND state = 'preparing'`,
  );
}

/** Ends a lease; the submission is tried again from `dueAt` on. `failure`: why this try failed, and when. */
export async function postponePreparing(
  pool: pg.Pool,
  id: string,
  dueAt: number,
  failure?: { readonly reason: string; readonly at: number },
): Promise<void> {
  const set = failure
    ? sql`, reason = ${failure.reason}, failing_since = coalesce(failing_since, ${at(failure.at)})`
    : empty;
  await pool.query(
    sql`UPDATE submissions SET prepare_after = ${at(dueAt)}, step = '' ${set}
        WHERE id = ${id} AND state = 'preparing'`,
  );
}

/** Ends the preparation of a submission and publishes it. No effect on one that is not preparing any more, or deleted. */
export function endPreparing(
  pool: pg.Pool,
  { id, userId }: Pick<PreparingSubmission, 'id' | 'userId'>,
  state: Exclude<SubmissionState, 'preparing'>,
  reason: string,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      sql`UPDATE submissions SET state = ${state}, reason = ${reason}, step = '', prepare_after = NULL
          WHERE id = ${id} AND state = 'preparing'`,
    );
    if (rowCount !== 1) return;
    const after = { user_id: userId, state, reason };
    const entry = { action: 'submission.prepared', subjectKind: 'submission', subjectId: id, after } as const;
    await emitAudit(client, 'submission', service, entry);
  });
}

/** Returns the number of a user's submissions that are preparing. */
export async function countPreparing(pool: pg.Pool, userId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM submissions WHERE user_id = ${userId} AND state = 'preparing'`,
  );
  return rows[0]?.count ?? 0;
}
