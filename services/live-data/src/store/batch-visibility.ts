import { houseUserId } from '@husky/contracts/house-user';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';

export interface BatchChange {
  readonly isPublic: boolean;
  /** Number of changed matches and of their readable hands. */
  readonly changed: number;
  readonly hands: number;
  readonly runningJobIds: readonly string[];
}

// Inserts of a batch's matches hold this lock in shared mode, so that none gets the old visibility during a change.
const lock = (batchId: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('live_data.batch.' || ${batchId}, 0))::text`;
export const sharedLock = (batchId: string) =>
  sql`SELECT pg_advisory_xact_lock_shared(hashtextextended('live_data.batch.' || ${batchId}, 0))::text`;

/** Makes a batch public or private, including matches added later. Toggles it if `requested` is undefined. */
export function setBatchVisibility(
  pool: pg.Pool,
  batchId: string,
  requested: boolean | undefined,
  /** Writes the audit event in the same transaction. */
  audit: (client: pg.PoolClient, change: BatchChange & { readonly before: boolean }) => Promise<void>,
): Promise<BatchChange> {
  return inTransaction(pool, async (client) => {
    await client.query(lock(batchId));
    const known = await client.query<{ is_public: boolean }>(
      sql`SELECT is_public FROM batch_visibility WHERE batch_id = ${batchId}`,
    );
    const before = known.rows[0]?.is_public ?? false;
    const isPublic = requested ?? !before;
    await client.query(
      sql`INSERT INTO batch_visibility (batch_id, is_public) VALUES (${batchId}, ${isPublic})
        ON CONFLICT (batch_id) DO UPDATE SET is_public = EXCLUDED.is_public, changed_at = now()`,
    );
    await client.query(sql`SELECT 1 FROM matches WHERE batch_id = ${batchId} ORDER BY job_id FOR UPDATE`);
    const counted = await client.query<{ changed: number; hands: number; running: string[] }>(
      sql`SELECT count(*)::int AS changed, coalesce(sum(hands), 0)::int AS hands,
          coalesce(array_agg(job_id::text) FILTER (WHERE status = 'Running'), '{}') AS running
        FROM matches WHERE batch_id = ${batchId} AND is_public <> ${isPublic}`,
    );
    const { changed = 0, hands = 0, running = [] } = counted.rows[0] ?? {};
    if (changed > 0) {
      await moveTotals(client, batchId, isPublic);
      await client.query(
        sql`UPDATE matches SET is_public = ${isPublic}, sealed = false WHERE batch_id = ${batchId} AND is_public <> ${isPublic}`,
      );
    }
    const change = { isPublic, changed, hands, runningJobIds: running };
    if (changed > 0 || before !== isPublic) await audit(client, { ...change, before });
    return change;
  });
}

/** Moves the totals of the matches that are about to change. Locks the rows in the same order as all other code. */
async function moveTotals(client: pg.PoolClient, batchId: string, isPublic: boolean): Promise<void> {
  const sign = isPublic ? 1 : -1;
  await client.query(
    sql`INSERT INTO match_totals AS t (is_public, status, matches, hands)
      SELECT v.is_public, m.status, v.sign * count(*), v.sign * sum(m.hands)
      FROM matches m CROSS JOIN (VALUES (false, ${-sign}::int), (true, ${sign}::int)) v (is_public, sign)
      WHERE m.batch_id = ${batchId} AND m.is_public <> ${isPublic} AND m.first_hand_at IS NOT NULL
      GROUP BY v.is_public, v.sign, m.status ORDER BY v.is_public, m.status
      ON CONFLICT (is_public, status) DO UPDATE
      SET matches = t.matches + excluded.matches, hands = t.hands + excluded.hands`,
  );
  await client.query(
    sql`INSERT INTO player_totals AS t (user_id, matches, public_matches)
      SELECT u, 0, ${sign}::int * count(*) FROM (
        SELECT DISTINCT m.job_id, p.u FROM matches m CROSS JOIN unnest(m.player_ids) AS p (u)
        WHERE m.batch_id = ${batchId} AND m.is_public <> ${isPublic} AND m.first_hand_at IS NOT NULL
          AND p.u <> ${houseUserId}
      ) seats GROUP BY u ORDER BY u
      ON CONFLICT (user_id) DO UPDATE SET public_matches = t.public_matches + excluded.public_matches`,
  );
}

/** Returns which of the batches are public. */
export async function publicBatches(pool: pg.Pool, batchIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ batch_id: string }>(
    sql`SELECT batch_id FROM batch_visibility WHERE batch_id = ANY(${batchIds}::uuid[]) AND is_public`,
  );
  return rows.map((row) => row.batch_id);
}
