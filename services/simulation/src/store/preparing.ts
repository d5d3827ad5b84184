import { randomBytes } from 'node:crypto';
import type { StacksMode } from '@husky/match/stacks';
import { at, sql } from '@husky/runtime/sql';
import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { commitTo } from '../domain/commitment.ts';
import type { Blinds, JobKind, Limits, SeatPlan } from '../domain/job.ts';
import { jobState } from '../domain/job-state.ts';
import { appendCommitments } from './commitments.ts';
import { isDue } from './due.ts';
import { changeJob, type LockedJob, lockJob } from './job-changes.ts';
import { planOfMatch } from './match-plan.ts';
import { findPlannedRules, type Usernames } from './plans.ts';

export interface UnpreparedJob {
  readonly id: string;
  /** When the current series of failures began; null: the last try did not fail. */
  readonly failingSince: Date | null;
  readonly tries: number;
  readonly kind: JobKind;
  readonly ownerId: string;
  /** Of the client that started a test run; empty: unknown. */
  readonly address: string;
  /** traceparent of the job's trace. */
  readonly traceContext: string;
  readonly userIds: readonly string[];
  /** Bots with unknown packages, by seat; null: none. */
  readonly unresolved: readonly { readonly seat: number; readonly botHash: string }[] | null;
}

/**
 * Reserves jobs to prepare, at most two of an owner beside those that have failed, so that slow packages of one do not delay others. They become due again after `retryMs`, in case this process dies. No other delay is longer.
 */
export async function takeUnprepared(
  pool: pg.Pool,
  now: number,
  retryMs: number,
  limit: number,
): Promise<UnpreparedJob[]> {
  const { rows } = await pool.query<UnpreparedJob>(
    sql`UPDATE jobs SET prepare_after = ${at(now + retryMs)}, prepare_tries = prepare_tries + 1
        WHERE id IN (SELECT id FROM jobs WHERE state = ${jobState.preparing} AND ${isDue(sql`prepare_after`, now, retryMs)}
                       AND (SELECT count(*) FROM jobs AS earlier WHERE earlier.state = ${jobState.preparing}
                            AND earlier.owner_id = jobs.owner_id AND earlier.job_number < jobs.job_number AND earlier.failing_since IS NULL) < ${maxOfOwner}
                     ORDER BY prepare_after LIMIT ${limit} FOR UPDATE SKIP LOCKED)
        RETURNING id, failing_since AS "failingSince", prepare_tries AS tries, kind, owner_id AS "ownerId",
          coalesce((SELECT address FROM test_run_starts WHERE job_id = jobs.id), '') AS address,
          trace_context AS "traceContext",
          ARRAY(SELECT user_id::text FROM job_seats WHERE job_id = jobs.id) AS "userIds",
          (SELECT jsonb_agg(jsonb_build_object('seat', seat, 'botHash', bot_hash) ORDER BY seat) FROM job_seats
           WHERE job_id = jobs.id AND packages_hash IS NULL) AS unresolved`,
  );
  return rows;
}

const maxOfOwner = 2;

/** Schedules the next try to prepare a job after a failure at `now`. Times in ms since the epoch. */
export async function postponePreparation(pool: pg.Pool, jobId: string, now: number, dueAt: number): Promise<void> {
  await pool.query(
    sql`UPDATE jobs SET prepare_after = ${at(dueAt)}, failing_since = least(failing_since, ${at(now)})
        WHERE id = ${jobId} AND state = ${jobState.preparing}`,
  );
}

/** Schedules the next try of a job that waits for the chain, which is no failure of the job. */
export async function waitForChain(pool: pg.Pool, jobId: string, dueAt: number): Promise<void> {
  await pool.query(
    sql`UPDATE jobs SET prepare_after = ${at(dueAt)}, failing_since = NULL WHERE id = ${jobId} AND state = ${jobState.preparing}`,
  );
}

interface UncommittedMatch {
  /** Null: not drawn yet. */
  readonly seed: Buffer | null;
  readonly dealSetId: string;
  readonly rotation: number | null;
  readonly gameNumber: number | null;
  readonly limits: Limits;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly rulesVersion: number;
  readonly startingStack: number;
  readonly profile: string;
  readonly stacks: StacksMode;
  readonly seats: SeatPlan[];
}

/**
 * Stores the packages of a job's bots by bot hash, writes the plan of its match or deal set and draws the seed unless it is drawn, commits to the
 * match and queues it. No effect on a job that is not PREPARING. Throws ChainBroken while the chain is broken.
 */
export function finishPreparing(
  pool: pg.Pool,
  jobId: string,
  { packages, names, now }: { packages: ReadonlyMap<string, string>; names: Usernames; now: number },
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (job?.state !== jobState.preparing) return;
    for (const [botHash, packagesHash] of packages) {
      await client.query(
        sql`UPDATE job_seats SET packages_hash = ${packagesHash}
            WHERE job_id = ${jobId} AND bot_hash = ${botHash} AND packages_hash IS NULL`,
      );
    }
    const { rows } = await client.query<UncommittedMatch>(
      sql`SELECT d.seed, j.deal_set_id AS "dealSetId", j.rotation, j.game_number AS "gameNumber", j.limits, j.num_rounds AS "numRounds", j.rules_version AS "rulesVersion",
            j.starting_stack AS "startingStack", j.profile, j.stacks,
            jsonb_build_object('bigBlind', j.big_blind, 'multiplier', j.blind_multiplier, 'interval', j.blind_interval) AS blinds,
            (SELECT jsonb_agg(jsonb_build_object('userId', user_id, 'botHash', bot_hash, 'packagesHash', packages_hash)
                              ORDER BY seat)
             FROM job_seats WHERE job_id = j.id) AS seats
          FROM jobs j JOIN deal_sets d ON d.id = j.deal_set_id WHERE j.id = ${jobId}`,
    );
    const [match] = rows;
    if (!match) return;
    const { seed, planHash } = await planAndSeed(client, job, match, { names, now });
    const { commitment } = commitTo({ ...match, seed, planHash });
    const [number] = await appendCommitments(client, [{ id: jobId, commitment }], now);
    const set = sql`, commitment = ${commitment}, plan_hash = ${planHash}, commitment_number = ${number}, failing_since = NULL`;
    await changeJob(client, job, 'prepared', { now, set });
  });
}

/** Returns the seed and the plan's hash of a match. Draws the seed unless it is drawn, after the record of the plan is written. */
async function planAndSeed(
  client: pg.ClientBase,
  { kind, holderId }: LockedJob,
  match: UncommittedMatch,
  details: { readonly names: Usernames; readonly now: number },
): Promise<{ seed: Buffer; planHash: string }> {
  const planned = kind === 'TEST_RUN' ? { hash: '' } : await findPlannedRules(client, holderId);
  // Drawn before plans were recorded, or by the first job of the deal set.
  if (match.seed) return { seed: match.seed, planHash: planned?.hash ?? '' };
  const planHash = planned?.hash ?? (await planOfMatch(client, { ...match, holderId }, details));
  const seed = randomBytes(32);
  await client.query(sql`UPDATE deal_sets SET seed = ${seed} WHERE id = ${match.dealSetId}`);
  return { seed, planHash };
}
