import type { StacksMode } from '@husky/match/stacks';
import { keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { at, empty, ids, json, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type { Page } from '@husky/runtime/rpc/page';
import { currentTraceparent } from '@husky/runtime/telemetry/trace-context';
import type pg from 'pg';
import type { TablePlan } from '../domain/batch-plan.ts';
import {
  type BatchEvent,
  type BatchState,
  type BatchTransition,
  batchState,
  batchTransition,
  cancellableStates,
  initialBatchState,
} from '../domain/batch-state.ts';
import { type Blinds, batchNotFound, type MatchMode, type SeatPlan } from '../domain/job.ts';
import { jobState, pendingStates } from '../domain/job-state.ts';
import type { StopRule } from '../domain/stop-rule.ts';
import { refuseDeleted } from '../event/store/quotas.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import type { Batch, PrismaClient } from '../generated/client.ts';
import type { AuditWriter } from './audit.ts';
import { closeIntent } from './pin-intents.ts';

/** A batch without its tables, which are large. */
export type StoredBatch = Omit<Batch, 'tables'> & { readonly state: BatchState };

export interface BatchPlan {
  readonly id: string;
  readonly ownerId: string;
  readonly roster: readonly SeatPlan[];
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly tablePlan: TablePlan;
  /** As encodeTables returns them. */
  readonly tables: Buffer | null;
  readonly stopRule: StopRule | null;
  /** Promised in its plan. */
  readonly isPublic: boolean;
}

/**
 * Inserts a batch without jobs, due for the batch worker. Throws FAILED_PRECONDITION while the event is frozen, UNAUTHENTICATED if its
 * owner has been deleted, and what idOnce catches.
 */
export function insertBatch(pool: pg.Pool, plan: BatchPlan, now: number, writeAudit: AuditWriter): Promise<void> {
  return inTransaction(pool, async (client) => {
    await refuseRepeated(client, 'batches');
    await refuseDeleted(client, plan.ownerId);
    await refuseWhenFrozen(client, 'untilCommit');
    await insertBatchRow(client, plan, now);
    await keepRequestKey(client, 'batches', plan.id);
    await closeIntent(client, plan.id);
    await writeAudit(client);
  });
}

/** Inserts a batch whose bots are pinned. `held`: it cannot be deleted. */
export async function insertBatchRow(
  client: pg.ClientBase,
  { id, ownerId, roster, numRounds, blinds, tablePlan, tables, stopRule, isPublic }: BatchPlan,
  now: number,
  held = false,
): Promise<void> {
  const { mode, stacks, design, handBudget, matches } = tablePlan;
  const state = initialBatchState(roster.every((bot) => bot.packagesHash !== null));
  const insert = sql`INSERT INTO batches (id, owner_id, user_ids, roster, state, total_jobs, num_rounds, big_blind, blind_multiplier,
            blind_interval, mode, stacks, design, hand_budget, tables, stop_rule, promised_public, held,
            work_after, trace_context, created_at)
          VALUES (${id}, ${ownerId}, ${ids(roster.map((bot) => bot.userId))}, ${json(roster)}, ${state}, ${matches},
            ${numRounds}, ${blinds.bigBlind}, ${blinds.multiplier}, ${blinds.interval}, ${mode}, ${stacks},
            ${design}, ${handBudget}, ${tables}, ${stopRule === null ? null : json(stopRule)}, ${isPublic}, ${held}, ${at(now)},
            ${currentTraceparent()}, ${at(now)})
          ON CONFLICT (shown_number) WHERE state <> 'DELETING' DO NOTHING`;
  // Each try takes the next serial number: a batch that an admin has numbered may have this one.
  while ((await client.query(insert)).rowCount === 0);
}

const notDeleting = { state: { not: batchState.deleting } };

export async function findBatch(prisma: PrismaClient, id: string): Promise<StoredBatch | null> {
  return (await prisma.batch.findUnique({
    where: { id, ...notDeleting },
    omit: { tables: true },
  })) as StoredBatch | null;
}

/** Returns the numbers with which the site shows these batches. */
export function shownNumbers(prisma: PrismaClient, ids: string[]): Promise<{ id: string; shownNumber: number }[]> {
  return prisma.batch.findMany({ where: { id: { in: ids } }, select: { id: true, shownNumber: true } });
}

/** Returns the id of the batch with a number; without one, of the last batch that had it. */
export async function batchOfNumber(pool: pg.Pool, number: number): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    sql`SELECT b.id FROM batches b LEFT JOIN former_batch_numbers f ON f.batch_id = b.id AND f.number = ${number}
        WHERE b.state <> ${batchState.deleting} AND (b.shown_number = ${number} OR b.batch_number = ${number}
          OR b.id IN (SELECT batch_id FROM former_batch_numbers WHERE number = ${number}))
        ORDER BY b.shown_number = ${number} DESC, f.change DESC NULLS LAST LIMIT 1`,
  );
  return rows[0]?.id;
}

/** Returns one page of the batches, newest first. */
export async function listBatches(
  prisma: PrismaClient,
  page: Page,
): Promise<{ batches: StoredBatch[]; total: number }> {
  const [batches, total] = await Promise.all([
    prisma.batch.findMany({
      where: notDeleting,
      omit: { tables: true },
      orderBy: { batchNumber: 'desc' },
      ...page,
    }),
    countBatches(prisma),
  ]);
  return { batches: batches as StoredBatch[], total };
}

export const countBatches = (prisma: PrismaClient): Promise<number> => prisma.batch.count({ where: notDeleting });

/** Returns the ids of a user's batches that can be cancelled. */
export async function cancellableBatchesOf(prisma: PrismaClient, ownerId: string): Promise<string[]> {
  const batches = await prisma.batch.findMany({
    where: { ownerId, state: { in: [...cancellableStates] } },
    select: { id: true },
  });
  return batches.map((batch) => batch.id);
}

export interface BatchProgress {
  /** Created jobs that wait. */
  readonly waiting: number;
  readonly running: number;
  readonly finished: number;
  readonly failed: number;
  readonly deleted: number;
  /** Hands played so far in running matches. */
  readonly handsInPlay: number;
  /** Hands of matches that ended within the window, and how long the batch was played in it. */
  readonly recentHands: number;
  readonly recentSeconds: number;
}

const windowMs = 10 * 60_000;

/** Returns the progress of batches by id. */
export async function progressOf(
  pool: pg.Pool,
  batchIds: readonly string[],
  now: number,
): Promise<Map<string, BatchProgress>> {
  const windowStart = at(now - windowMs);
  const { rows } = await pool.query<BatchProgress & { batchId: string }>(
    sql`SELECT b.id AS "batchId",
          (count(*) FILTER (WHERE j.state = ANY (${texts(pendingStates)})))::int AS waiting,
          (count(*) FILTER (WHERE j.state = ${jobState.running}))::int AS running,
          (count(*) FILTER (WHERE j.state = ${jobState.finished}))::int AS finished,
          (count(*) FILTER (WHERE j.state = ${jobState.failed}))::int AS failed,
          b.generated_jobs - (count(*) FILTER (WHERE j.state <> ${jobState.deleting}))::int AS deleted,
          coalesce(sum(hands_done) FILTER (WHERE j.state = ${jobState.running}), 0)::float8 AS "handsInPlay",
          coalesce(sum(hands_played) FILTER (WHERE ended_at > ${windowStart}), 0)::float8 AS "recentHands",
          coalesce(extract(epoch FROM ${at(now)} - greatest(min(started_at) FILTER (WHERE ended_at > ${windowStart}),
            ${windowStart})), 0)::float8 AS "recentSeconds"
        FROM batches b LEFT JOIN jobs j ON j.batch_id = b.id WHERE b.id = ANY (${ids(batchIds)}) GROUP BY b.id`,
  );
  return new Map(rows.map((row) => [row.batchId, row]));
}

/** Returns the sums over the finished matches of a batch by player, best first. */
export async function standingsOf(
  pool: pg.Pool,
  batchId: string,
): Promise<{ userId: string; delta: number; matches: number }[]> {
  const { rows } = await pool.query<{ userId: string; delta: number; matches: number }>(
    sql`SELECT s.user_id AS "userId", sum(s.delta)::float8 AS delta, count(*)::int AS matches
        FROM jobs j JOIN job_seats s ON s.job_id = j.id
        WHERE j.batch_id = ${batchId} AND j.state = ${jobState.finished}
        GROUP BY s.user_id ORDER BY delta DESC, s.user_id`,
  );
  return rows;
}

export interface FinishedGame {
  readonly jobId: string;
  readonly gameNumber: number;
  readonly results: { readonly userId: string; readonly delta: number }[];
}

/** Returns finished jobs of a batch with their results, by game number, after `afterGame`. */
export async function finishedGames(
  pool: pg.Pool,
  batchId: string,
  afterGame: number,
  limit: number,
): Promise<FinishedGame[]> {
  const { rows } = await pool.query<FinishedGame>(
    sql`SELECT j.id AS "jobId", j.game_number AS "gameNumber",
          (SELECT json_agg(json_build_object('userId', s.user_id, 'delta', s.delta) ORDER BY s.seat)
           FROM job_seats s WHERE s.job_id = j.id) AS results
        FROM jobs j
        WHERE j.batch_id = ${batchId} AND j.game_number > ${afterGame} AND j.state = ${jobState.finished}
        ORDER BY j.game_number LIMIT ${limit}`,
  );
  return rows;
}

export interface HeldBatch {
  readonly held: boolean;
  readonly totalJobs: number;
  readonly finishedJobs: number;
  readonly deletedJobs: number;
  readonly traceparent: string;
}

export async function findHold(pool: pg.Pool, batchId: string): Promise<HeldBatch | undefined> {
  const { rows } = await pool.query<HeldBatch>(
    sql`SELECT b.held, b.total_jobs AS "totalJobs", b.trace_context AS traceparent,
          (count(*) FILTER (WHERE j.state = ${jobState.finished}))::int AS "finishedJobs",
          b.generated_jobs - (count(*) FILTER (WHERE j.state <> ${jobState.deleting}))::int AS "deletedJobs"
        FROM batches b LEFT JOIN jobs j ON j.batch_id = b.id
        WHERE b.id = ${batchId} AND b.state <> ${batchState.deleting} GROUP BY b.id`,
  );
  return rows[0];
}

/** Holds or releases a batch for the leaderboard. Returns false if it does not exist or is being deleted. */
export async function setBatchHeld(prisma: PrismaClient, batchId: string, held: boolean): Promise<boolean> {
  const where = { id: batchId, ...notDeleting };
  // The batches of tournaments are always held.
  if (!held && (await prisma.tournamentStage.findUnique({ where: { batchId } })))
    return (await prisma.batch.count({ where })) === 1;
  const { count } = await prisma.batch.updateMany({ where, data: { held } });
  return count === 1;
}

/** A batch as it was when it was locked. */
export interface LockedBatch {
  readonly id: string;
  readonly ownerId: string;
  readonly shownNumber: number;
  readonly state: BatchState;
  readonly paused: boolean;
  readonly held: boolean;
  readonly totalJobs: number;
  readonly generatedJobs: number;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly mode: MatchMode;
  readonly stacks: StacksMode;
  readonly roster: readonly SeatPlan[];
  readonly stoppedAt: Date | null;
  readonly metadataId: string | null;
  readonly metadata: object | null;
}

/** Locks a batch until the transaction ends. Throws NOT_FOUND if it does not exist or is being deleted. */
export async function lockBatch(client: pg.ClientBase, id: string): Promise<LockedBatch> {
  const batch = await lockBatchIfPresent(client, id);
  if (!batch) throw batchNotFound();
  return batch;
}

/** Locks a batch until the transaction ends; undefined if it does not exist or is being deleted. */
export async function lockBatchIfPresent(client: pg.ClientBase, id: string): Promise<LockedBatch | undefined> {
  const { rows } = await client.query<LockedBatch>(
    sql`SELECT id, owner_id AS "ownerId", shown_number AS "shownNumber", state, paused, held, total_jobs AS "totalJobs",
          generated_jobs AS "generatedJobs", num_rounds AS "numRounds", roster,
          jsonb_build_object('bigBlind', big_blind, 'multiplier', blind_multiplier, 'interval', blind_interval) AS blinds,
          mode, stacks, stopped_at AS "stoppedAt", metadata_id AS "metadataId", metadata
        FROM batches WHERE id = ${id} AND state <> ${batchState.deleting} FOR UPDATE`,
  );
  return rows[0];
}

/** Saves the transition of a locked batch on an event. Returns undefined, without a change, if the event does not apply. */
export async function changeBatch(
  client: pg.ClientBase,
  batch: Pick<LockedBatch, 'id' | 'state' | 'paused' | 'generatedJobs' | 'totalJobs'>,
  event: BatchEvent,
  now: number,
  set: Sql = empty,
): Promise<BatchTransition | undefined> {
  const transition = batchTransition(batch, event);
  if (!transition) return undefined;
  const { state, paused, due } = transition;
  const schedule = due === undefined ? empty : sql`, work_after = ${due ? at(now) : sql`NULL`}`;
  await client.query(
    sql`UPDATE batches SET state = ${state}, paused = ${paused} ${schedule} ${set} WHERE id = ${batch.id}`,
  );
  return transition;
}
