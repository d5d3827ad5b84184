import { houseUserId } from '@husky/contracts/house-user';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';

export interface BatchChange {
  readonly isPublic: boolean;
  /** Matches whose visibility has changed, and the hands that readers have of those. */
  readonly changed: number;
  readonly hands: number;
  readonly runningJobIds: readonly string[];
}

// Whoever adds a match of the batch holds the same lock shared, so that none slips in between with the old visibility.
const lockSql = "SELECT pg_advisory_xact_lock(hashtextextended('live_data.batch.' || $1, 0))";
export const sharedLockSql = "SELECT pg_advisory_xact_lock_shared(hashtextextended('live_data.batch.' || $1, 0))";

/** Makes a whole batch public or private, matches that come later included; `wanted` undefined: the other way. */
export function setBatchVisibility(
  pool: pg.Pool,
  batchId: string,
  wanted: boolean | undefined,
  /** Writes down what has changed, with it. */
  audit: (client: pg.PoolClient, change: BatchChange & { readonly before: boolean }) => Promise<void>,
): Promise<BatchChange> {
  return inTransaction(pool, async (client) => {
    await client.query(lockSql, [batchId]);
    const known = await client.query<{ is_public: boolean }>(
      'SELECT is_public FROM batch_visibility WHERE batch_id = $1',
      [batchId],
    );
    const before = known.rows[0]?.is_public ?? false;
    const isPublic = wanted ?? !before;
    await client.query(
      `INSERT INTO batch_visibility (batch_id, is_public) VALUES ($1, $2)
       ON CONFLICT (batch_id) DO UPDATE SET is_public = EXCLUDED.is_public, changed_at = now()`,
      [batchId, isPublic],
    );
    await client.query('SELECT 1 FROM matches WHERE batch_id = $1 ORDER BY job_id FOR UPDATE', [batchId]);
    const counted = await client.query<{ changed: number; hands: number; running: string[] }>(
      `SELECT count(*)::int AS changed, coalesce(sum(hands), 0)::int AS hands,
         coalesce(array_agg(job_id::text) FILTER (WHERE status = 'Running'), '{}') AS running
       FROM matches WHERE batch_id = $1 AND is_public <> $2`,
      [batchId, isPublic],
    );
    const { changed = 0, hands = 0, running = [] } = counted.rows[0] ?? {};
    if (changed > 0) {
      await moveTotals(client, batchId, isPublic);
      await client.query('UPDATE matches SET is_public = $2 WHERE batch_id = $1 AND is_public <> $2', [
        batchId,
        isPublic,
      ]);
    }
    const change = { isPublic, changed, hands, runningJobIds: running };
    if (changed > 0 || before !== isPublic) await audit(client, { ...change, before });
    return change;
  });
}

/** The lists' totals for what is about to change, in the order of keys that every other change of them takes. */
async function moveTotals(client: pg.PoolClient, batchId: string, isPublic: boolean): Promise<void> {
  await client.query(
    `INSERT INTO match_totals AS t (is_public, status, matches, hands)
     SELECT v.is_public, m.status, v.sign * count(*), v.sign * sum(m.hands)
     FROM matches m CROSS JOIN (VALUES (false, CASE WHEN $2 THEN -1 ELSE 1 END), (true, CASE WHEN $2 THEN 1 ELSE -1 END)) v (is_public, sign)
     WHERE m.batch_id = $1 AND m.is_public <> $2 AND m.first_hand_at IS NOT NULL
     GROUP BY v.is_public, v.sign, m.status ORDER BY v.is_public, m.status
     ON CONFLICT (is_public, status) DO UPDATE
     SET matches = t.matches + excluded.matches, hands = t.hands + excluded.hands`,
    [batchId, isPublic],
  );
  await client.query(
    `INSERT INTO player_totals AS t (user_id, matches, public_matches)
     SELECT u, 0, CASE WHEN $2 THEN 1 ELSE -1 END * count(*) FROM (
       SELECT DISTINCT m.job_id, p.u FROM matches m CROSS JOIN unnest(m.player_ids) AS p (u)
       WHERE m.batch_id = $1 AND m.is_public <> $2 AND m.first_hand_at IS NOT NULL AND p.u <> $3
     ) seats GROUP BY u ORDER BY u
     ON CONFLICT (user_id) DO UPDATE SET public_matches = t.public_matches + excluded.public_matches`,
    [batchId, isPublic, houseUserId],
  );
}

/** Those of the batches that are public as a whole. */
export async function publicBatches(pool: pg.Pool, batchIds: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ batch_id: string }>(
    'SELECT batch_id FROM batch_visibility WHERE batch_id = ANY($1::uuid[]) AND is_public',
    [batchIds],
  );
  return rows.map((row) => row.batch_id);
}
