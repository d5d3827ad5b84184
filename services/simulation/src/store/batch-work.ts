import { randomUUID } from 'node:crypto';
import { at, json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import {
  contextOf,
  currentTraceparent,
  inContextOf,
  recordSpan,
  spanAttribute,
  untraced,
} from '@husky/runtime/telemetry/trace-context';
import { ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type pg from 'pg';
import { bytesOfPlace, matchesOfTable } from '../domain/batch-plan.ts';
import { type BatchState, batchState } from '../domain/batch-state.ts';
import { combinationAt, rotated } from '../domain/block-design.ts';
import { type JobPlan, type Limits, type SeatPlan, tableSize } from '../domain/job.ts';
import type { Plan } from '../domain/plan.ts';
import { changeBatch, type LockedBatch, lockBatchIfPresent } from './batches.ts';
import { insertJobs, newJobId } from './insert-jobs.ts';
import { beaconRetryMs, findPlannedRules, insertPlan, isDealable, type Planning } from './plans.ts';
import { isDue } from './preparing.ts';
import { playableRules } from './runners.ts';

/** A batch with a step to do. */
export interface DueBatch {
  readonly id: string;
  readonly state: BatchState;
  readonly roster: readonly SeatPlan[];
  readonly tries: number;
  /** When the current series of failures began; null: the last try did not fail, or an admin has retried since then. */
  readonly failingSince: Date | null;
  /** When the step is due again if this process dies. */
  readonly dueAgain: Date;
  /** The record of its plan is to be written before its first job is created. */
  readonly needsPlan: boolean;
}

/**
 * Reserves the batch that has been due longest; undefined if none is due. It becomes due again after `reservedMs`, unless it is renewed.
 * No other delay is longer.
 */
export async function takeDueBatch(pool: pg.Pool, now: number, reservedMs: number): Promise<DueBatch | undefined> {
  const { rows } = await pool.query<DueBatch>(
    sql`UPDATE batches SET work_after = ${at(now + reservedMs)} WHERE id = (
          SELECT id FROM batches WHERE ${isDue(sql`work_after`, now, reservedMs)}
          ORDER BY work_after LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING id, state, roster, work_tries AS tries, failing_since AS "failingSince",
          work_after AS "dueAgain",
          generated_jobs = 0 AND NOT EXISTS (SELECT FROM plans p WHERE p.id = batches.id) AS "needsPlan"`,
  );
  return rows[0];
}

/** Prolongs the reservation of a batch from one time to another, in ms since the epoch. No effect if it does not end then. */
export async function renewBatch(pool: pg.Pool, id: string, from: number, to: number): Promise<void> {
  await pool.query(sql`UPDATE batches SET work_after = ${at(to)} WHERE id = ${id} AND work_after = ${at(from)}`);
}

/** Schedules the next step of a batch. No effect if its state has changed since it was taken. `dueAt`: ms since the epoch. */
export async function scheduleBatch(pool: pg.Pool, { id, state }: DueBatch, dueAt: number): Promise<void> {
  await pool.query(sql`UPDATE batches SET work_after = ${at(dueAt)} WHERE id = ${id} AND state = ${state}`);
}

/** Schedules the next try to prepare a batch after a failure at `now`, and increments the number of tries. */
export async function postponeBatch(pool: pg.Pool, { id, state }: DueBatch, now: number, dueAt: number): Promise<void> {
  await pool.query(
    sql`UPDATE batches SET work_after = ${at(dueAt)}, work_tries = work_tries + 1,
          failing_since = least(failing_since, ${at(now)})
        WHERE id = ${id} AND state = ${state}`,
  );
}

/** Stores the packages of a batch's bots, so that its jobs can be created. */
export function finishBatchPreparation(
  pool: pg.Pool,
  batchId: string,
  roster: readonly SeatPlan[],
  now: number,
): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    await changeBatch(client, batch, 'prepared', now, sql`, roster = ${json(roster)}, failing_since = NULL`);
  });
}

/** Fails a batch whose bots cannot be played; `problem` is shown to admins. */
export function failBatchPreparation(pool: pg.Pool, batchId: string, problem: string, now: number): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    await changeBatch(client, batch, 'unplayable', now, sql`, problem = ${problem}`);
  });
}

/** Writes the plan of a batch and its record, before a seed of the batch is drawn. */
export function planBatch(
  pool: pg.Pool,
  batchId: string,
  { limits, ...planning }: Planning & { readonly limits: Limits },
): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    if (batch.state !== batchState.generating || batch.generatedJobs > 0) return;
    const { id, roster, mode, stacks, numRounds, blinds, totalJobs: matches } = batch;
    const { rows } = await client.query<Pick<Plan, 'design' | 'handBudget' | 'stopRule' | 'isPublic'>>(
      sql`SELECT design, hand_budget::float8 AS "handBudget", stop_rule AS "stopRule", promised_public AS "isPublic"
          FROM batches WHERE id = ${id}`,
    );
    const [options] = rows;
    if (!options) return;
    const tables = await tablesOf(client, batch, 0, matches / matchesOfTable(mode));
    const rulesVersion = await playableRules(client, planning.now);
    const facts = {
      kind: 'batch' as const,
      id,
      roster,
      mode,
      stacks,
      numRounds,
      blinds,
      limits,
      rulesVersion,
      matches,
    };
    await insertPlan(client, { ...facts, ...options, tables }, planning);
    await scheduleAt(client, id, planning.now);
  });
}

async function scheduleAt(client: pg.ClientBase, id: string, dueAt: number): Promise<void> {
  await client.query(sql`UPDATE batches SET work_after = ${at(dueAt)} WHERE id = ${id}`);
}

/** Creates the next jobs of a batch, at most `limit`, and advances its cursor in the same transaction. */
export function generateJobs(
  pool: pg.Pool,
  batchId: string,
  { now, limits, limit }: { readonly now: number; readonly limits: Limits; readonly limit: number },
): Promise<void> {
  return changeUnlessDeleted(pool, batchId, async (client, batch) => {
    if (batch.state !== batchState.generating) return;
    const plan = await findPlannedRules(client, batch.id);
    if (plan && !isDealable(plan)) return scheduleAt(client, batch.id, now + beaconRetryMs);
    const perTable = matchesOfTable(batch.mode);
    const first = batch.generatedJobs / perTable;
    // Whole tables, since jobs with the same deal set must be inserted together.
    const end = Math.min(batch.totalJobs / perTable, first + Math.floor(limit / perTable));
    const generatedJobs = end * perTable;
    const tables = await tablesOf(client, batch, first, end);
    const traceContext = await traceContextOf(client, batch.id);
    const planned = tables.flatMap((table, index) => jobsOf(batch, table, first + index, plan?.limits ?? limits));
    const jobs = planned.map((job) => ({ ...job, traceContext: startJobTrace(job, traceContext) }));
    await insertJobs(client, jobs, { now, paused: batch.paused, plan });
    const set = sql`, generated_jobs = ${generatedJobs}`;
    await changeBatch(client, { ...batch, generatedJobs }, 'generated', now, set);
  });
}

async function traceContextOf(client: pg.ClientBase, batchId: string): Promise<string> {
  const { rows } = await client.query<{ traceContext: string }>(
    sql`SELECT trace_context AS "traceContext" FROM batches WHERE id = ${batchId}`,
  );
  return rows[0]?.traceContext ?? '';
}

/** Reads tables `first` to `end - 1` of a batch, as indices into its roster by seat. */
async function tablesOf(client: pg.ClientBase, batch: LockedBatch, first: number, end: number): Promise<number[][]> {
  const width = bytesOfPlace(batch.roster.length);
  const bytes = width * tableSize;
  const { rows } = await client.query<{ tables: Buffer | null }>(
    sql`SELECT substring(tables FROM ${first * bytes + 1}::int FOR ${(end - first) * bytes}::int) AS tables
        FROM batches WHERE id = ${batch.id}`,
  );
  const stored = rows[0]?.tables;
  return Array.from({ length: end - first }, (_, index) =>
    stored
      ? Array.from({ length: tableSize }, (_, seat) => stored.readUIntLE(index * bytes + seat * width, width))
      : combinationAt(first + index, batch.roster.length, tableSize),
  );
}

/** Plans the matches of table number `index` (from 0): one, or six rotations with one deal set. */
function jobsOf(batch: LockedBatch, table: readonly number[], index: number, limits: Limits): JobPlan[] {
  const { id, ownerId, numRounds, blinds, mode, stacks, roster } = batch;
  const dealSetId = randomUUID();
  const seats = table.flatMap((bot) => roster[bot] ?? []);
  const perTable = matchesOfTable(mode);
  return Array.from({ length: perTable }, (_, rotation) => ({
    id: newJobId(),
    kind: 'BATCH_MATCH',
    ownerId,
    batchId: id,
    holderId: id,
    gameNumber: index * perTable + rotation + 1,
    numRounds,
    blinds,
    limits,
    stacks,
    dealSetId,
    rotation: mode === 'duplicate' ? rotation + 1 : null,
    seats: rotated(seats, rotation),
  }));
}

/** Deletes a batch whose jobs are all deleted, and opens a pin intent, so that the sweeper releases its pins. */
export function finishBatchDeletion(pool: pg.Pool, id: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    const deleted = await client.query(
      sql`DELETE FROM batches b WHERE id = ${id} AND state = ${batchState.deleting}
            AND NOT EXISTS (SELECT FROM jobs j WHERE j.batch_id = b.id)`,
    );
    if (deleted.rowCount === 0) return;
    await client.query(sql`DELETE FROM plans WHERE id = ${id}`);
    await client.query(
      sql`INSERT INTO pin_intents (holder_id, created_at) VALUES (${id}, 'epoch') ON CONFLICT DO NOTHING`,
    );
  });
}

function changeUnlessDeleted(
  pool: pg.Pool,
  batchId: string,
  change: (client: pg.ClientBase, batch: LockedBatch) => Promise<void>,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const batch = await lockBatchIfPresent(client, batchId);
    if (batch) await change(client, batch);
  });
}

/**
 * Starts the trace of a job of a batch, linked to the batch's, and returns its traceparent. A trace of a whole batch would have a million
 * spans. The jobs of a batch whose trace is not sampled are not traced.
 */
function startJobTrace({ id, batchId }: Pick<JobPlan, 'id' | 'batchId'>, batchTrace: string): string {
  const sampled = (trace.getSpanContext(contextOf(batchTrace))?.traceFlags ?? 0) > 0;
  if (!sampled) return untraced(currentTraceparent);
  const now = Date.now();
  const attributes = { [spanAttribute.jobId]: id, [spanAttribute.batchId]: batchId ?? '' };
  const span = recordSpan('create job', { parent: ROOT_CONTEXT, attributes, links: [batchTrace], startTime: now }, now);
  return inContextOf(span, currentTraceparent);
}
