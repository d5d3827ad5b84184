import { at, json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';

/** A final submission on the ladder, or a house bot that fills its tables. */
export interface Participant {
  readonly userId: string;
  readonly botHash: string;
  /** Empty: a house bot. */
  readonly submissionId: string;
}

export interface Version {
  readonly id: string;
  readonly userId: string;
  readonly number: number;
  readonly botHash: string;
  readonly predecessor: string | null;
  readonly house: boolean;
  readonly pausedAt: Date | null;
  readonly pauseReason: string;
  readonly createdAt: Date;
  /** Sets that count or are in play. */
  readonly sets: number;
  /** When the last one was planned. */
  readonly lastSetAt: Date | null;
}

/** Holds the advisory lock of the ladder until the transaction ends: sets are planned and counted one at a time. */
export async function lockLadder(client: pg.ClientBase): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('ladder', 15))`);
}

/**
 * Stores who takes part: the active versions afterwards. A user's new files are a new version, which starts from the last one that sat in a
 * set; the same files in a new submission are no longer paused.
 */
export function storeParticipants(pool: pg.Pool, participants: readonly Participant[], now: number): Promise<void> {
  const given = sql`jsonb_to_recordset(${json(participants)}) AS f("userId" uuid, "botHash" text, "submissionId" text)`;
  return inTransaction(pool, async (client) => {
    await lockLadder(client);
    await client.query(
      sql`INSERT INTO ladder_versions (id, user_id, number, bot_hash, submission_id, predecessor, house, created_at)
          SELECT gen_random_uuid(), f."userId", 1 + coalesce((SELECT max(number) FROM ladder_versions WHERE user_id = f."userId"), 0),
            f."botHash", nullif(f."submissionId", '')::uuid,
            (SELECT v.id FROM ladder_versions v WHERE v.user_id = f."userId"
               AND v.sets > 0 ORDER BY v.active DESC, v.number DESC LIMIT 1),
            f."submissionId" = '', ${at(now)}
          FROM ${given} ON CONFLICT DO NOTHING`,
    );
    await client.query(
      sql`UPDATE ladder_versions v SET active = now.active, submission_id = now.submission_id,
            paused_at = CASE WHEN now.again THEN NULL ELSE paused_at END, pause_reason = CASE WHEN now.again THEN '' ELSE pause_reason END,
            failing_sets = CASE WHEN now.again THEN 0 ELSE failing_sets END
          FROM (SELECT w.id, f."userId" IS NOT NULL AS active, coalesce(nullif(f."submissionId", '')::uuid, w.submission_id) AS submission_id,
                  coalesce(nullif(f."submissionId", '')::uuid <> w.submission_id, false) AS again
                FROM ladder_versions w LEFT JOIN ${given} ON f."userId" = w.user_id AND f."botHash" = w.bot_hash) AS now
          WHERE v.id = now.id AND (v.active <> now.active OR now.again)`,
    );
  });
}

/** Returns the versions that take part now, paused ones included. */
export async function activeVersions(client: pg.Pool | pg.ClientBase): Promise<Version[]> {
  const { rows } = await client.query<Version>(
    sql`SELECT v.id, v.user_id AS "userId", v.number, v.bot_hash AS "botHash", v.predecessor, v.house, v.paused_at AS "pausedAt",
          v.pause_reason AS "pauseReason", v.created_at AS "createdAt", v.sets, v.last_set_at AS "lastSetAt"
        FROM ladder_versions v WHERE v.active ORDER BY v.id`,
  );
  return rows;
}

/** Returns the newest versions of a user. */
export async function versionsOf(
  pool: pg.Pool,
  userId: string,
): Promise<
  (Pick<Version, 'id' | 'number' | 'createdAt' | 'pausedAt' | 'pauseReason'> & { readonly active: boolean })[]
> {
  const { rows } = await pool.query(
    sql`SELECT id, number, active, created_at AS "createdAt", paused_at AS "pausedAt", pause_reason AS "pauseReason"
        FROM ladder_versions WHERE user_id = ${userId} ORDER BY number DESC LIMIT 20`,
  );
  return rows;
}

export async function optedOut(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>(sql`SELECT user_id AS id FROM ladder_opt_outs`);
  return new Set(rows.map(({ id }) => id));
}

/** Stores whether a user takes part. The bots of one who does not are left out at once. Idempotent. */
export async function setOptOut(pool: pg.Pool, userId: string, out: boolean, now: number): Promise<void> {
  if (out) {
    await pool.query(
      sql`INSERT INTO ladder_opt_outs (user_id, since) VALUES (${userId}, ${at(now)}) ON CONFLICT DO NOTHING`,
    );
    await deactivateVersions(pool, userId);
  } else {
    await pool.query(sql`DELETE FROM ladder_opt_outs WHERE user_id = ${userId}`);
  }
}

async function deactivateVersions(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(sql`UPDATE ladder_versions SET active = false WHERE user_id = ${userId} AND active`);
}

/** Takes a deleted user out of the ladder. The sets of their bots stay, for the ratings of others. Idempotent. */
export async function leaveLadder(pool: pg.Pool, userId: string): Promise<void> {
  await pool.query(sql`DELETE FROM ladder_opt_outs WHERE user_id = ${userId}`);
  await deactivateVersions(pool, userId);
}
