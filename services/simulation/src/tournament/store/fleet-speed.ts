import { at, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { jobState } from '../../domain/job-state.ts';

const seenMs = 60_000;
const recentMs = 7 * 24 * 3_600_000;
/** Matches that are long enough for their start to matter little. */
const leastHands = 100;

/** Returns how many hands a second the runners that are there play together, by the newest 100 matches of batches of a week; 0: not known. */
export async function fleetSpeed(pool: pg.Pool, now: number): Promise<number> {
  const { rows } = await pool.query<{ speed: number | null }>(
    sql`SELECT (sum(hands_played) / nullif(extract(epoch FROM sum(ended_at - started_at)), 0)
          * (SELECT count(*) FROM runners WHERE NOT cordoned AND last_seen >= ${at(now - seenMs)}))::float8 AS speed
        FROM (SELECT hands_played, started_at, ended_at FROM jobs
              WHERE kind = 'BATCH_MATCH' AND state = ${jobState.finished} AND hands_played >= ${leastHands}
                AND started_at IS NOT NULL AND ended_at >= ${at(now - recentMs)}
              ORDER BY job_number DESC LIMIT 100) AS newest`,
  );
  return rows[0]?.speed ?? 0;
}
