import { at, sql, texts } from '@husky/runtime/sql';
import type pg from 'pg';
import { jobState } from '../domain/job-state.ts';
import type { Runner } from '../generated/client.ts';

export type ListedRunner = Pick<Runner, 'name' | 'state' | 'jobId' | 'cordoned' | 'lastSeen' | 'totals'>;

/** Returns all runners by name. Pool reads them every few seconds and for its page. */
export async function listRunners(pool: pg.Pool): Promise<ListedRunner[]> {
  const { rows } = await pool.query<ListedRunner>(
    `SELECT name, state, job_id AS "jobId", cordoned, last_seen AS "lastSeen", totals FROM runners ORDER BY name`,
  );
  return rows;
}

/**
 * Cordons runners, including ones that have not requested work yet, or uncordons known ones. Uncordoning an unknown runner must not
 * list it: pool treats a listed runner as one that has requested work.
 */
export async function cordonRunners(
  pool: pg.Pool,
  names: readonly string[],
  cordoned: boolean,
  now: number,
): Promise<void> {
  await pool.query(
    cordoned
      ? sql`INSERT INTO runners (name, cordoned, last_seen)
            SELECT DISTINCT unnest(${texts(names)}), true, ${at(now)}
            ON CONFLICT (name) DO UPDATE SET cordoned = true`
      : sql`UPDATE runners SET cordoned = false WHERE name = ANY (${texts(names)})`,
  );
}

/**
 * Deletes runners that hold no match and were last seen before a time (ms since the epoch). Cordoned ones have their own limit,
 * which is longer than the shutdown of a runner.
 */
export async function deleteUnseenRunners(pool: pg.Pool, seenBefore: number, cordonedBefore: number): Promise<void> {
  await pool.query(
    sql`DELETE FROM runners r
        WHERE coalesce(last_seen, '-infinity') < CASE WHEN cordoned THEN ${at(cordonedBefore)} ELSE ${at(seenBefore)} END
          AND NOT EXISTS (SELECT FROM jobs j WHERE j.state = ${jobState.running} AND j.runner = r.name)`,
  );
}
