import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { promiseOf } from '../domain/promise.ts';
import { appendCommitments } from './commitments.ts';
import { lockJob } from './locked-job.ts';
import { notifyQueue } from './queue.ts';

export interface Preparing {
  readonly id: string;
  readonly createdAt: number;
  readonly tries: number;
  readonly kind: string;
  /** Bots whose packages are not known yet, by seat. */
  readonly open: readonly { readonly seat: number; readonly botHash: string }[];
}

/** Takes jobs to prepare; if this process dies, another one takes them again after `retakeMs`. */
export async function takePreparing(pool: pg.Pool, now: number, retakeMs: number, limit: number): Promise<Preparing[]> {
  const { rows } = await pool.query<{
    id: string;
    created_at: Date;
    prepare_tries: number;
    kind: string;
    open: { seat: number; botHash: string }[] | null;
  }>(
    `UPDATE jobs SET prepare_after = $2, prepare_tries = prepare_tries + 1
     WHERE id IN (SELECT id FROM jobs WHERE state = 'PREPARING' AND prepare_after <= $1
                  ORDER BY prepare_after LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING id, created_at, prepare_tries, kind,
       (SELECT jsonb_agg(jsonb_build_object('seat', seat, 'botHash', bot_hash) ORDER BY seat) FROM job_seats
        WHERE job_id = jobs.id AND packages_hash IS NULL) AS open`,
    [new Date(now), new Date(now + retakeMs), limit],
  );
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.getTime(),
    tries: row.prepare_tries,
    kind: row.kind,
    open: row.open ?? [],
  }));
}

export async function prepareLater(pool: pg.Pool, jobId: string, at: number): Promise<void> {
  await pool.query("UPDATE jobs SET prepare_after = $2 WHERE id = $1 AND state = 'PREPARING'", [jobId, new Date(at)]);
}

/** Fixes the roster with its packages, commits to it and opens the job to runners. */
export function finishPreparing(
  pool: pg.Pool,
  jobId: string,
  packages: ReadonlyMap<string, string>,
  now: number,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockJob(client, jobId);
    if (job?.state !== 'PREPARING') return;
    for (const [botHash, packagesHash] of packages) {
      await client.query(
        'UPDATE job_seats SET packages_hash = $3 WHERE job_id = $1 AND bot_hash = $2 AND packages_hash IS NULL',
        [jobId, botHash, packagesHash],
      );
    }
    const { rows } = await client.query<PromisedRow>(
      `SELECT d.seed, j.num_rounds, j.big_blind, j.blind_multiplier, j.blind_interval, j.rules_version, j.starting_stack, j.profile,
         (SELECT jsonb_agg(jsonb_build_object('userId', user_id, 'botHash', bot_hash, 'packagesHash', packages_hash) ORDER BY seat)
          FROM job_seats WHERE job_id = j.id) AS seats
       FROM jobs j JOIN deal_sets d ON d.id = j.deal_set_id WHERE j.id = $1`,
      [jobId],
    );
    const [row] = rows;
    if (!row) return;
    const { commitment } = promiseOf({
      seed: row.seed,
      numRounds: row.num_rounds,
      blinds: { bigBlind: row.big_blind, multiplier: row.blind_multiplier, interval: row.blind_interval },
      seats: row.seats,
      rulesVersion: row.rules_version,
      startingStack: row.starting_stack,
      profile: row.profile,
    });
    const [number] = await appendCommitments(client, [{ id: jobId, commitment }], now);
    await client.query(
      'UPDATE jobs SET state = $2, commitment = $3, commitment_number = $4, prepare_after = NULL WHERE id = $1',
      [jobId, job.batch_paused ? 'PAUSED' : 'QUEUED', commitment, number],
    );
    await notifyQueue(client);
  });
}

interface PromisedRow {
  readonly seed: Buffer;
  readonly num_rounds: number;
  readonly big_blind: number;
  readonly blind_multiplier: string;
  readonly blind_interval: number;
  readonly rules_version: number;
  readonly starting_stack: number;
  readonly profile: string;
  readonly seats: { userId: string; botHash: string; packagesHash: string | null }[];
}
