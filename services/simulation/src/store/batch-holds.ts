import { DomainError } from '@husky/runtime/errors';
import type pg from 'pg';

/** A held batch is on the leaderboard: neither it nor any job of it can be deleted. */
export const batchHeld = () =>
  new DomainError('ABORTED', 'batch-held', 'This batch is on the leaderboard. Remove it there first.');

/** Holds or frees a batch; false when there is none, or when it is being deleted. */
export async function setBatchHeld(pool: pg.Pool, batchId: string, held: boolean): Promise<boolean> {
  const { rowCount } = await pool.query("UPDATE batches SET held = $2 WHERE id = $1 AND state <> 'DELETING'", [
    batchId,
    held,
  ]);
  return rowCount === 1;
}

export interface BatchProgress {
  readonly held: boolean;
  readonly totalJobs: number;
  readonly finishedJobs: number;
}

export async function batchProgress(pool: pg.Pool, batchId: string): Promise<BatchProgress | undefined> {
  const { rows } = await pool.query<BatchProgress>(
    `SELECT held, total_jobs AS "totalJobs",
       (SELECT count(*)::int FROM jobs WHERE batch_id = $1 AND state = 'FINISHED') AS "finishedJobs"
     FROM batches WHERE id = $1 AND state <> 'DELETING'`,
    [batchId],
  );
  return rows[0];
}

export interface FinishedGame {
  readonly jobId: string;
  readonly gameNumber: number;
  readonly results: readonly { readonly userId: string; readonly delta: number }[];
}

/** Finished jobs of a batch with their results, in the order of their games, from behind `afterGame`. */
export async function finishedGames(
  pool: pg.Pool,
  batchId: string,
  afterGame: number,
  limit: number,
): Promise<FinishedGame[]> {
  const { rows } = await pool.query<FinishedGame>(
    `SELECT j.id AS "jobId", j.game_number AS "gameNumber",
       (SELECT json_agg(json_build_object('userId', s.user_id, 'delta', s.delta) ORDER BY s.seat)
        FROM job_seats s WHERE s.job_id = j.id) AS results
     FROM jobs j WHERE j.batch_id = $1 AND j.game_number > $2 AND j.state = 'FINISHED'
     ORDER BY j.game_number LIMIT $3`,
    [batchId, afterGame, limit],
  );
  return rows;
}
