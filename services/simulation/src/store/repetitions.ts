import { SEEDED_FROM } from '@husky/match/deck';
import { at, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { jobState } from '../domain/job-state.ts';
import type { Lease } from './leases.ts';
import { isUnlistedKind } from './queue.ts';

/** Share of the finished matches that is drawn. */
const share = 0.01;
const betweenDrawsMs = 24 * 60 * 60_000;
/** Time without a sign after which a runner that plays a repetition is lost. */
const lostAfterMs = 60_000;
const maxTries = 3;
/** Matches in these states need runners, so nothing is repeated. */
const busyStates = [jobState.preparing, jobState.queued, jobState.running];

/** How a repetition ended; stopped: it is pending again. */
export type RepetitionOutcome = 'equal' | 'different' | 'not_compared' | 'stopped';

export interface RepetitionResult {
  readonly outcome: RepetitionOutcome;
  readonly hand: number;
  readonly act: number;
  readonly byLimit: boolean;
  readonly cause: string;
}

export interface RepetitionCounts {
  readonly pending: number;
  readonly equal: number;
  readonly different: number;
  readonly byLimit: number;
  readonly notCompared: number;
  readonly lastDrawnAt: Date | null;
}

/** Draws, at most once a day, one of each hundred matches that finished since the last draw, at least one of them. Safe on every replica. */
export async function drawRepetitions(pool: pg.Pool, now: number): Promise<void> {
  const due = sql`NOT EXISTS (SELECT FROM repetitions WHERE drawn_at > ${at(now - betweenDrawsMs)})`;
  const { rows } = await pool.query<{ due: boolean }>(sql`SELECT ${due} AS due`);
  if (rows[0]?.due !== true) return;
  await inTransaction(pool, async (client) => {
    await client.query(sql`LOCK TABLE repetitions IN SHARE ROW EXCLUSIVE MODE`);
    await client.query(
      sql`INSERT INTO repetitions (job_id, drawn_at)
          SELECT id, ${at(now)} FROM (
            SELECT id, row_number() OVER (ORDER BY random()) AS n, count(*) OVER () AS total FROM jobs
            WHERE state = ${jobState.finished} AND NOT ${isUnlistedKind(sql`kind`)} AND rules_version >= ${SEEDED_FROM} AND ended_at <= ${at(now)}
              AND ended_at > coalesce((SELECT max(drawn_at) FROM repetitions), '-infinity')) AS finished
          WHERE n <= ceil(total * ${share}::float8) AND ${due} ON CONFLICT DO NOTHING`,
    );
  });
}

/** Returns whether a match waits for a runner or is played, except those of the ladder and of trials. */
export async function isBusy(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ busy: boolean }>(
    sql`SELECT EXISTS (SELECT FROM jobs WHERE state = ANY (${texts(busyStates)}) AND NOT ${isUnlistedKind(sql`kind`)}) AS busy`,
  );
  return rows[0]?.busy === true;
}

/** Leases a drawn match to a runner for a repetition, with its accepted attempt; undefined if there is none or a match needs runners. */
export async function claimRepetition(
  pool: pg.Pool,
  { runner, rulesVersion }: { readonly runner: string; readonly rulesVersion: number },
  now: number,
): Promise<Lease | undefined> {
  if (await isBusy(pool)) return undefined;
  const lost = sql`(claimed_at IS NULL OR claimed_at < ${at(now - lostAfterMs)})`;
  const finished = sql`SELECT FROM jobs WHERE id = job_id AND state = ${jobState.finished}`;
  await pool.query(
    sql`UPDATE repetitions SET outcome = 'not_compared', ended_at = ${at(now)},
          cause = CASE WHEN tries < ${maxTries} THEN 'the match was deleted' ELSE 'the runners were lost' END
        WHERE outcome IS NULL AND ${lost} AND (tries >= ${maxTries} OR NOT EXISTS (${finished}))`,
  );
  const { rows } = await pool.query<Lease>(
    sql`UPDATE repetitions r SET claimed_at = ${at(now)}, runner = ${runner}, tries = tries + 1 FROM jobs j
        WHERE j.id = r.job_id AND r.job_id = (
          SELECT job_id FROM repetitions JOIN jobs ON id = job_id
          WHERE outcome IS NULL AND ${lost} AND rules_version <= ${rulesVersion}
            AND NOT EXISTS (SELECT FROM runners WHERE name = ${runner} AND cordoned)
          ORDER BY drawn_at, job_id LIMIT 1 FOR UPDATE OF repetitions SKIP LOCKED)
        RETURNING j.id AS "jobId", j.accepted_attempt AS attempt`,
  );
  return rows[0];
}

/** Renews a runner's claim. Returns false if the repetition is no longer its own. */
export async function renewRepetition(pool: pg.Pool, jobId: string, runner: string, now: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    sql`UPDATE repetitions SET claimed_at = ${at(now)} WHERE ${own(jobId, runner)}`,
  );
  return rowCount === 1;
}

/** Stores how a repetition ended. No effect if it is no longer the runner's. */
export async function endRepetition(
  pool: pg.Pool,
  jobId: string,
  runner: string,
  { outcome, hand, act, byLimit, cause }: RepetitionResult,
  now: number,
): Promise<void> {
  const change =
    outcome === 'stopped'
      ? sql`claimed_at = NULL, tries = tries - 1`
      : sql`outcome = ${outcome}, hand = ${hand}, act = ${act}, by_limit = ${byLimit}, cause = ${cause}, ended_at = ${at(now)}`;
  await pool.query(sql`UPDATE repetitions SET ${change} WHERE ${own(jobId, runner)}`);
}

const own = (jobId: string, runner: string) =>
  sql`job_id = ${jobId}::uuid AND runner = ${runner} AND claimed_at IS NOT NULL AND outcome IS NULL`;

/** Counts all drawn matches, private and deleted ones alike. */
export async function countRepetitions(pool: pg.Pool): Promise<RepetitionCounts> {
  const { rows } = await pool.query<RepetitionCounts>(
    sql`SELECT count(*) FILTER (WHERE outcome IS NULL)::int AS pending,
          count(*) FILTER (WHERE outcome = 'equal')::int AS equal,
          count(*) FILTER (WHERE outcome = 'different')::int AS different,
          count(*) FILTER (WHERE outcome = 'different' AND by_limit)::int AS "byLimit",
          count(*) FILTER (WHERE outcome = 'not_compared')::int AS "notCompared",
          max(drawn_at) AS "lastDrawnAt" FROM repetitions`,
  );
  return rows[0] as RepetitionCounts;
}
