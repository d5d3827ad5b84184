import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import type { Blinds, SeatPlan } from '../domain/job.ts';
import { batchNotFound } from '../domain/not-found.ts';
import type { Batch, PrismaClient } from '../generated/client.ts';
import type { Also } from './also.ts';
import { closeIntent } from './pin-intents.ts';
import { refuseWhenFrozen } from './settings.ts';

export type StoredBatch = Batch;

export interface BatchPlan {
  readonly id: string;
  readonly ownerId: string;
  readonly roster: readonly SeatPlan[];
  readonly totalJobs: number;
  readonly numRounds: number;
  readonly blinds: Blinds;
}

/** Makes a batch without jobs; the worker takes it from here. */
export function insertBatch(pool: pg.Pool, plan: BatchPlan, now: number, also: Also): Promise<void> {
  return inTransaction(pool, async (client) => {
    await refuseWhenFrozen(client, 'FOR SHARE');
    const ready = plan.roster.every((bot) => bot.packagesHash !== null);
    await client.query(
      `INSERT INTO batches (id, owner_id, user_ids, roster, state, total_jobs, num_rounds, big_blind, blind_multiplier,
         blind_interval, work_after, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
      [
        ...[plan.id, plan.ownerId, plan.roster.map((bot) => bot.userId), JSON.stringify(plan.roster)],
        ...[ready ? 'GENERATING' : 'PREPARING', plan.totalJobs, plan.numRounds],
        ...[plan.blinds.bigBlind, plan.blinds.multiplier, plan.blinds.interval, new Date(now)],
      ],
    );
    await closeIntent(client, plan.id);
    await also(client);
  });
}

export async function findBatch(prisma: PrismaClient, id: string): Promise<StoredBatch | null> {
  const batch = await prisma.batch.findUnique({ where: { id } });
  return batch?.state === 'DELETING' ? null : batch;
}

/** The numbers that these batches are shown with. */
export function shownNumbers(prisma: PrismaClient, ids: string[]): Promise<{ id: string; shownNumber: number }[]> {
  return prisma.batch.findMany({ where: { id: { in: ids } }, select: { id: true, shownNumber: true } });
}

export async function listBatches(
  prisma: PrismaClient,
  page: number,
  pageSize: number,
): Promise<{ batches: StoredBatch[]; total: number }> {
  const [batches, total] = await Promise.all([
    prisma.batch.findMany({
      where: notDeleting,
      orderBy: { batchNumber: 'desc' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    }),
    countBatches(prisma),
  ]);
  return { batches, total };
}

const notDeleting = { state: { not: 'DELETING' } };

export const countBatches = (prisma: PrismaClient): Promise<number> => prisma.batch.count({ where: notDeleting });

export interface BatchProgress {
  readonly running: number;
  readonly finished: number;
  readonly failed: number;
  /** Hands of running matches so far. */
  readonly handsUnderWay: number;
  /** Hands of matches that ended within the window, and how long the batch has played in it. */
  readonly lateHands: number;
  readonly lateSeconds: number;
}

const windowMs = 10 * 60_000;

export async function progressOf(
  pool: pg.Pool,
  batchIds: readonly string[],
  now: number,
): Promise<Map<string, BatchProgress>> {
  const { rows } = await pool.query<BatchProgress & { batchId: string }>(
    `SELECT batch_id AS "batchId",
       (count(*) FILTER (WHERE state = 'RUNNING'))::int AS running,
       (count(*) FILTER (WHERE state = 'FINISHED'))::int AS finished,
       (count(*) FILTER (WHERE state = 'FAILED'))::int AS failed,
       coalesce(sum(hands_done) FILTER (WHERE state = 'RUNNING'), 0)::float8 AS "handsUnderWay",
       coalesce(sum(hands_played) FILTER (WHERE ended_at > $2), 0)::float8 AS "lateHands",
       coalesce(extract(epoch FROM $3 - greatest(min(started_at) FILTER (WHERE ended_at > $2), $2)), 0)::float8 AS "lateSeconds"
     FROM jobs WHERE batch_id = ANY($1::uuid[]) GROUP BY batch_id`,
    [batchIds, new Date(now - windowMs), new Date(now)],
  );
  return new Map(rows.map((row) => [row.batchId, row]));
}

export async function standingsOf(
  pool: pg.Pool,
  batchId: string,
): Promise<{ userId: string; delta: number; matches: number }[]> {
  const { rows } = await pool.query<{ userId: string; delta: number; matches: number }>(
    `SELECT s.user_id AS "userId", sum(s.delta)::float8 AS delta, count(*)::int AS matches
     FROM jobs j JOIN job_seats s ON s.job_id = j.id
     WHERE j.batch_id = $1 AND j.state = 'FINISHED' GROUP BY s.user_id ORDER BY delta DESC, s.user_id`,
    [batchId],
  );
  return rows;
}

/** Locks a batch that is there for its readers. */
export async function lockBatch(client: pg.ClientBase, id: string): Promise<LockedBatch> {
  const { rows } = await client.query<LockedBatch>(
    `SELECT id, owner_id, state, paused, held, total_jobs, generated_jobs, num_rounds, metadata_id, metadata FROM batches WHERE id = $1 FOR UPDATE`,
    [id],
  );
  const [batch] = rows;
  if (!batch || batch.state === 'DELETING') throw batchNotFound();
  return batch;
}

export interface LockedBatch {
  readonly id: string;
  readonly owner_id: string;
  readonly state: string;
  readonly paused: boolean;
  readonly held: boolean;
  readonly total_jobs: number;
  readonly generated_jobs: number;
  readonly num_rounds: number;
  readonly metadata_id: string | null;
  readonly metadata: unknown;
}

export async function batchesOf(pool: pg.Pool, ownerId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    "SELECT id FROM batches WHERE owner_id = $1 AND state NOT IN ('CANCELLED', 'DELETING')",
    [ownerId],
  );
  return rows.map((row) => row.id);
}
