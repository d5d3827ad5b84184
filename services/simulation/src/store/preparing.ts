import type { StacksMode } from '@husky/match/stacks';
import { at, json, type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { commitTo } from '../domain/commitment-chain.ts';
import { type Blinds, type JobKind, type Limits, placeInPlan, type SeatPlan } from '../domain/job.ts';
import { jobState } from '../domain/job-state.ts';
import { maxUnfetchedTries } from '../domain/loss.ts';
import { appendCommitments } from './commitments.ts';
import { changeJob, type LockedJob, lockJob } from './job-changes.ts';
import {
  beaconRetryMs,
  type Deal,
  dealsOf,
  findPlannedRules,
  isDealable,
  type Planning,
  planOfMatch,
} from './plans.ts';

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
 * Reserves jobs to prepare, at most two of an owner beside those that have failed, so that slow packages of one do not delay others. They become due again after `reservedMs`, unless it is renewed. No other delay is longer.
 */
export async function takeUnprepared(
  pool: pg.Pool,
  now: number,
  reservedMs: number,
  limit: number,
): Promise<UnpreparedJob[]> {
  const { rows } = await pool.query<UnpreparedJob>(
    sql`UPDATE jobs SET prepare_after = ${at(now + reservedMs)}, prepare_tries = prepare_tries + 1
        WHERE id IN (SELECT id FROM jobs WHERE state = ${jobState.preparing} AND ${isDue(sql`prepare_after`, now, reservedMs)}
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

/** Prolongs the reservation of a job from one time to another, in ms since the epoch. No effect if it does not end then. */
export async function renewPreparation(pool: pg.Pool, jobId: string, from: number, to: number): Promise<void> {
  await pool.query(sql`UPDATE jobs SET prepare_after = ${at(to)} WHERE id = ${jobId} AND prepare_after = ${at(from)}`);
}

/** Schedules the next try to prepare a job after a failure at `now`. Times in ms since the epoch. */
export async function postponePreparation(pool: pg.Pool, jobId: string, now: number, dueAt: number): Promise<void> {
  await pool.query(
    sql`UPDATE jobs SET prepare_after = ${at(dueAt)}, failing_since = least(failing_since, ${at(now)})
        WHERE id = ${jobId} AND state = ${jobState.preparing}`,
  );
}

/** Lets a match be played although the packages of a bot cannot be used: to its runner the bot is one that could not be started. */
export async function playWithout(
  pool: pg.Pool,
  jobId: string,
  seat: number,
  cause: string,
  now: number,
): Promise<void> {
  await pool.query(
    sql`WITH without AS (UPDATE job_seats SET packages_hash = '', unfetched_tries = ${maxUnfetchedTries}, unfetched_cause = ${cause}
          WHERE job_id = ${jobId} AND seat = ${seat})
        UPDATE jobs SET prepare_after = ${at(now)}, failing_since = NULL WHERE id = ${jobId} AND state = ${jobState.preparing}`,
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
  readonly seeds: Deal['seeds'];
  readonly beacon: Deal['beacon'];
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
 * Stores the packages of a job's bots by bot hash, writes the plan of its match or deal set and takes the seed unless that is done, commits to the
 * match and queues it; or leaves it waiting for the beacon. No effect on a job that is not PREPARING. Throws ChainBroken while the chain is broken.
 */
export function finishPreparing(
  pool: pg.Pool,
  jobId: string,
  { packages, ...planning }: Planning & { readonly packages: ReadonlyMap<string, string> },
): Promise<void> {
  const { now } = planning;
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
      sql`SELECT d.seed, d.beacon, CASE WHEN d.seed_list IS NOT NULL THEN jsonb_build_object('list', d.seed_list, 'number', d.seed_number) END AS seeds,
            j.deal_set_id AS "dealSetId", j.rotation, j.game_number AS "gameNumber", j.limits, j.num_rounds AS "numRounds", j.rules_version AS "rulesVersion",
            j.starting_stack AS "startingStack", j.profile, j.stacks,
            jsonb_build_object('bigBlind', j.big_blind, 'multiplier', j.blind_multiplier, 'interval', j.blind_interval) AS blinds,
            (SELECT jsonb_agg(jsonb_build_object('userId', user_id, 'botHash', bot_hash, 'packagesHash', packages_hash, 'nonce', nonce)
                              ORDER BY seat)
             FROM job_seats WHERE job_id = j.id) AS seats
          FROM jobs j JOIN deal_sets d ON d.id = j.deal_set_id WHERE j.id = ${jobId}`,
    );
    const [match] = rows;
    if (!match) return;
    const found = await planAndDeal(client, job, match, planning);
    if (found === undefined) {
      await client.query(
        sql`UPDATE jobs SET prepare_after = ${at(now + beaconRetryMs)}, failing_since = NULL WHERE id = ${jobId}`,
      );
      return;
    }
    const { deal, planHash } = found;
    const { commitment } = commitTo({ ...match, ...deal, planHash });
    const [number] = await appendCommitments(client, [{ id: jobId, commitment }], now);
    const set = sql`, commitment = ${commitment}, plan_hash = ${planHash}, commitment_number = ${number}, failing_since = NULL`;
    await changeJob(client, job, 'prepared', { now, set });
  });
}

/**
 * Returns what a match is dealt from, with the hash of its plan. Takes the seed, after the record of the plan is written, unless an earlier job of the
 * deal set has. Undefined while the round of the plan's beacon is not known.
 */
async function planAndDeal(
  client: pg.ClientBase,
  { kind, holderId }: LockedJob,
  match: UncommittedMatch,
  planning: Planning,
): Promise<{ deal: Deal; planHash: string } | undefined> {
  const known = kind === 'TEST_RUN' ? undefined : await findPlannedRules(client, holderId);
  const { seed, seeds, beacon } = match;
  if (seed) return { deal: { seed, seeds, beacon }, planHash: known?.hash ?? '' };
  const planned =
    kind === 'TEST_RUN' ? undefined : (known ?? (await planOfMatch(client, { ...match, holderId }, planning)));
  if (planned && !isDealable(planned)) return undefined;
  const [deal] = await dealsOf(client, planned, [placeInPlan(match)]);
  if (!deal) throw new Error('a plan has no deal');
  await client.query(
    sql`UPDATE deal_sets SET seed = ${deal.seed}, seed_list = ${deal.seeds?.list ?? null}, seed_number = ${deal.seeds?.number ?? null},
          beacon = ${deal.beacon && json(deal.beacon)}
        WHERE id = ${match.dealSetId}`,
  );
  return { deal, planHash: planned?.hash ?? '' };
}

/**
 * Returns a condition: the time in `column` has come. `longestMs`: how far ahead a time is set at most. A time twice as far ahead was
 * set before PostgreSQL's clock went back, such as in a failover, and has come too.
 */
export const isDue = (column: Sql, now: number, longestMs: number): Sql =>
  sql`(${column} <= ${at(now)} OR ${column} > ${at(now + 2 * longestMs)})`;
