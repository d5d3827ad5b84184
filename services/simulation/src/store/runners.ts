import { RULES_VERSION } from '@husky/match/rules-version';
import { at, sql, texts } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { jobState } from '../domain/job-state.ts';
import type { Runner } from '../generated/client.ts';
import { unsealed } from './jobs.ts';
import { isUnlistedKind } from './queue.ts';

export type ListedRunner = Pick<Runner, 'name' | 'state' | 'jobId' | 'cordoned' | 'lastSeen' | 'totals'>;

/** Returns all runners by name. Pool reads them every few seconds and for its page. */
export async function listRunners(pool: pg.Pool): Promise<ListedRunner[]> {
  const { rows } = await pool.query<ListedRunner>(
    `SELECT name, state, job_id AS "jobId", cordoned, last_seen AS "lastSeen", totals FROM runners ORDER BY name`,
  );
  return rows;
}

/** Time after its last request for which a runner of an earlier release may still claim a match. */
const seenMs = 60_000;

/** Returns the newest rules that every runner knows: those of new matches, so that an update that replaces runners loses none. */
export async function playableRules(client: pg.ClientBase, now: number): Promise<number> {
  // A row without a version is a cordon of a runner that has not requested work.
  const { rows } = await client.query<{ known: number | null }>(
    sql`SELECT min(rules_version) AS known FROM runners WHERE version <> '' AND last_seen >= ${at(now - seenMs)}`,
  );
  return Math.min(RULES_VERSION, rows[0]?.known ?? RULES_VERSION);
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

/** Sums of the decisions of seats (`s`), and of those that failed. */
export const decisionSums = sql`coalesce(sum((s.faults ->> 'decisions')::int), 0)::int AS decisions,
  coalesce(sum((SELECT sum((c ->> 'count')::int) FROM jsonb_array_elements(s.faults -> 'counts') c)), 0)::int AS "failedDecisions"`;

/** Returns the bots of a user in finished matches, without test runs and the ladder, the one that played last first. */
export async function botVersionsOf(pool: pg.Pool, userId: string): Promise<BotVersion[]> {
  const { rows } = await pool.query<BotVersion>(
    sql`SELECT s.bot_hash AS "botHash", count(*)::int AS matches, coalesce(sum(s.delta), 0)::float8 AS delta,
          ${decisionSums},
          min(j.ended_at) AS "firstEndedAt", max(j.ended_at) AS "lastEndedAt"
        FROM job_seats s JOIN jobs j ON j.id = s.job_id
        WHERE s.user_id = ${userId} AND j.state = ${jobState.finished} AND j.kind <> 'TEST_RUN' AND NOT ${isUnlistedKind(sql`j.kind`)}
          AND ${unsealed}
        GROUP BY s.bot_hash ORDER BY max(j.ended_at) DESC, s.bot_hash LIMIT ${maxVersions}`,
  );
  return rows;
}
