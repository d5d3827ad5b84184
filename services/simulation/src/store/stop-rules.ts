import { at, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { matchesOfTable } from '../domain/batch-plan.ts';
import { batchState } from '../domain/batch-state.ts';
import { type JobState, jobState, unfinishedStates } from '../domain/job-state.ts';
import type { RuledBatch, StopRule, TableResult } from '../domain/stop-rule.ts';
import type { DueBatch } from './batch-work.ts';

/** A batch with a stopping rule that has not ended it. */
export interface BatchWithRule extends RuledBatch {
  readonly id: string;
  readonly rule: StopRule;
  readonly totalJobs: number;
  readonly generatedJobs: number;
}

/** Returns a batch with its stopping rule; undefined if it has none or the rule has ended it. */
export async function findBatchWithRule(pool: pg.Pool, id: string): Promise<BatchWithRule | undefined> {
  const { rows } = await pool.query<BatchWithRule>(
    sql`SELECT id, stop_rule AS rule, mode, num_rounds AS "numRounds", total_jobs AS "totalJobs", generated_jobs AS "generatedJobs", user_ids AS "userIds"
        FROM batches WHERE id = ${id} AND stop_rule IS NOT NULL AND stopped_at IS NULL`,
  );
  return rows[0];
}

interface GameRow {
  readonly gameNumber: number;
  readonly state: JobState;
  readonly handsPlayed: number;
  readonly noContest: boolean;
  readonly deltas: Readonly<Record<string, number | null>>;
}

/** Returns the tables of a batch in the order of their numbers. `batch`: read before, so that tables created since count as open. */
export async function tableResults(
  pool: pg.Pool,
  batch: Pick<BatchWithRule, 'id' | 'mode' | 'totalJobs' | 'generatedJobs'>,
): Promise<TableResult[]> {
  const perTable = matchesOfTable(batch.mode);
  const { rows } = await pool.query<GameRow>(
    sql`SELECT game_number AS "gameNumber", state, hands_played AS "handsPlayed", no_contest AS "noContest",
          (SELECT jsonb_object_agg(user_id, delta) FROM job_seats WHERE job_id = jobs.id) AS deltas
        FROM jobs WHERE batch_id = ${batch.id} ORDER BY game_number`,
  );
  const games = new Map(rows.map((row) => [row.gameNumber, row]));
  return Array.from({ length: batch.totalJobs / perTable }, (_, table) => {
    const numbers = Array.from({ length: perTable }, (_, index) => table * perTable + index + 1);
    const played = numbers.flatMap((number) => games.get(number) ?? []);
    // A created job that is missing was deleted.
    const created = (numbers.at(-1) ?? 0) <= batch.generatedJobs;
    return tableOf(played, { complete: played.length === perTable, created });
  });
}

function tableOf(
  games: readonly GameRow[],
  { complete, created }: { complete: boolean; created: boolean },
): TableResult {
  const deltas = new Map<string, number>();
  for (const game of games) {
    for (const [userId, delta] of Object.entries(game.deltas))
      deltas.set(userId, (deltas.get(userId) ?? 0) + (delta ?? 0));
  }
  return {
    open: !created || games.some(({ state }) => unfinishedStates.includes(state)),
    void: !complete || games.some(({ state, noContest }) => state !== jobState.finished || noContest),
    hands: games.reduce((sum, { handsPlayed }) => sum + handsPlayed, 0),
    deltas,
  };
}

/** Makes a batch with a stopping rule due, so that the batch worker applies the rule. Its row must be locked. */
export async function scheduleStopRule(client: pg.ClientBase, batchId: string, now: number): Promise<void> {
  await client.query(
    sql`UPDATE batches SET work_after = ${at(now)}
        WHERE id = ${batchId} AND stop_rule IS NOT NULL AND stopped_at IS NULL AND state = ${batchState.ready}`,
  );
}

/** Ends the step of a batch. No effect if a result has been accepted since the batch was taken, or its reservation renewed: it is then due again. */
export async function finishStopRule(pool: pg.Pool, { id, dueAgain }: DueBatch): Promise<void> {
  await pool.query(
    sql`UPDATE batches SET work_after = NULL WHERE id = ${id} AND work_after = ${dueAgain} AND state = ${batchState.ready}`,
  );
}
