import { type CountedMatches, noMatches } from '@husky/match/match-counts';
import { ids, sql, texts } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { growingStates } from '../domain/batch-state.ts';
import { jobState, pendingStates } from '../domain/job-state.ts';

/** Counts of matches without what deletions are remembered. */
export type StoredCounts = Omit<CountedMatches, 'deletedAfterPlay' | 'deletedUnknown' | 'deletedMatches'>;

/** What remains of a deleted match. */
export interface DeletedMatch {
  readonly jobHash: string;
  /** 0: it had no record. */
  readonly recordNumber: number;
  readonly commitment: string;
  readonly gameNumber: number;
  readonly played: boolean;
  readonly deletedAt: Date;
  readonly cause: string;
}

const maxDeleted = 1000;

/** Counts the matches that batches have planned. Unknown batches are left out. */
export async function countsOfBatches(pool: pg.Pool, batchIds: readonly string[]): Promise<StoredCounts> {
  const { rows } = await pool.query<StoredCounts>(
    sql`SELECT coalesce(sum(planned), 0)::int AS planned, coalesce(sum(pending), 0)::int AS pending,
          coalesce(sum(running), 0)::int AS running, coalesce(sum(finished), 0)::int AS finished,
          coalesce(sum(failed), 0)::int AS failed, coalesce(sum(deleted), 0)::int AS deleted,
          coalesce(sum(not_created), 0)::int AS "notCreated", coalesce(sum(no_contest), 0)::int AS "noContest"
        FROM (SELECT b.total_jobs AS planned, b.growing * b.missing + count(*) FILTER (WHERE j.state = ANY (${texts(pendingStates)})) AS pending,
                count(*) FILTER (WHERE j.state = ${jobState.running}) AS running,
                count(*) FILTER (WHERE j.state = ${jobState.finished}) AS finished,
                count(*) FILTER (WHERE j.state = ${jobState.failed}) AS failed,
                b.generated_jobs - count(*) FILTER (WHERE j.state <> ${jobState.deleting}) AS deleted,
                (1 - b.growing) * b.missing AS not_created,
                count(*) FILTER (WHERE j.state = ${jobState.finished} AND j.no_contest) AS no_contest
              FROM (SELECT id, total_jobs, generated_jobs, total_jobs - generated_jobs AS missing,
                      (state = ANY (${texts(growingStates)}))::int AS growing FROM batches WHERE id = ANY (${ids(batchIds)})) b
              LEFT JOIN jobs j ON j.batch_id = b.id
              GROUP BY b.id, b.total_jobs, b.generated_jobs, b.missing, b.growing) one`,
  );
  return rows[0] ?? noMatches;
}

/** Counts the played matches of the platform, without test runs. Of deleted ones those that were deleted after they were played. */
export async function countsOfPlatform(pool: pg.Pool): Promise<StoredCounts> {
  const { rows } = await pool.query<Pick<StoredCounts, 'finished' | 'noContest' | 'deleted'>>(
    sql`SELECT count(*)::int AS finished, (count(*) FILTER (WHERE no_contest))::int AS "noContest",
          (SELECT count(*)::int FROM deleted_matches WHERE played) AS deleted
        FROM jobs WHERE kind IN ('MATCH', 'BATCH_MATCH') AND state = ${jobState.finished}`,
  );
  const { finished = 0, noContest = 0, deleted = 0 } = rows[0] ?? {};
  return { ...noMatches, planned: finished + deleted, finished, noContest, deleted };
}

export interface Deletions {
  /** In the order of their records, at most 1,000. */
  readonly matches: readonly DeletedMatch[];
  readonly played: number;
  readonly unplayed: number;
}

/** Returns the recorded deletions of matches of these batches; null: those of the platform that were played. */
export async function deletionsOf(pool: pg.Pool, batchIds: readonly string[] | null): Promise<Deletions> {
  const where = batchIds === null ? sql`played` : sql`batch_id = ANY (${ids(batchIds)})`;
  const { rows } = await pool.query<DeletedMatch & { playedCount: number; total: number }>(
    sql`SELECT job_hash AS "jobHash", coalesce(commitment_number, 0)::float8 AS "recordNumber", commitment,
          coalesce(game_number, 0) AS "gameNumber", played, deleted_at AS "deletedAt", cause,
          (count(*) FILTER (WHERE played) OVER ())::int AS "playedCount", (count(*) OVER ())::int AS total
        FROM deleted_matches WHERE ${where} ORDER BY commitment_number, job_hash LIMIT ${maxDeleted}`,
  );
  const { playedCount: played = 0, total = 0 } = rows[0] ?? {};
  return { matches: rows, played, unplayed: total - played };
}

/** Returns the numbers of the deleted rotations of a deal set. */
export async function deletedRotations(pool: pg.Pool, dealSetId: string): Promise<number[]> {
  const { rows } = await pool.query<{ rotation: number }>(
    sql`SELECT rotation FROM deleted_matches WHERE deal_set_id = ${dealSetId} ORDER BY rotation`,
  );
  return rows.map((row) => row.rotation);
}
