import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { jobState } from '../domain/job-state.ts';

export interface BotVersion {
  readonly botHash: string;
  readonly matches: number;
  readonly delta: number;
  readonly decisions: number;
  readonly failedDecisions: number;
  readonly firstEndedAt: Date;
  readonly lastEndedAt: Date;
}

const maxVersions = 100;

/** Returns the bots of a user in finished matches except test runs, the one that played last first. */
export async function botVersionsOf(pool: pg.Pool, userId: string): Promise<BotVersion[]> {
  const { rows } = await pool.query<BotVersion>(
    sql`SELECT s.bot_hash AS "botHash", count(*)::int AS matches, coalesce(sum(s.delta), 0)::float8 AS delta,
          coalesce(sum((s.faults ->> 'decisions')::int), 0)::int AS decisions,
          coalesce(sum((SELECT sum((c ->> 'count')::int) FROM jsonb_array_elements(s.faults -> 'counts') c)), 0)::int
            AS "failedDecisions",
          min(j.ended_at) AS "firstEndedAt", max(j.ended_at) AS "lastEndedAt"
        FROM job_seats s JOIN jobs j ON j.id = s.job_id
        WHERE s.user_id = ${userId} AND j.state = ${jobState.finished} AND j.kind <> 'TEST_RUN'
        GROUP BY s.bot_hash ORDER BY max(j.ended_at) DESC, s.bot_hash LIMIT ${maxVersions}`,
  );
  return rows;
}
