import { at, ids, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { jobState } from '../../domain/job-state.ts';
import type { LadderState } from '../../metrics.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const recentSets = 24;
const maxPoints = 100;
const listedSets = 20;

/** Reads what the metrics of the ladder show. */
export async function readLadderState(pool: pg.Pool, isOn: boolean, now: number): Promise<LadderState> {
  const { rows } = await pool.query<LadderState>(
    sql`SELECT (SELECT count(*)::int FROM ladder_sets WHERE ended_at > ${at(now - hourMs)} AND state = 'finished') AS sets,
          coalesce(greatest(0, extract(epoch FROM ${at(now)} - min(created_at) FILTER (
            WHERE ${isOn}::boolean AND sets = 0 AND NOT house))), 0)::float8 AS "newcomerAge",
          count(*) FILTER (WHERE paused_at IS NOT NULL)::int AS paused FROM ladder_versions WHERE active`,
  );
  return rows[0] ?? { sets: 0, newcomerAge: 0, paused: 0 };
}

/** How the rating of a version has moved. */
export interface Movement {
  readonly id: string;
  /** A day ago; null: it had none. */
  readonly before: number | null;
  /** After the last sets, oldest first. */
  readonly recent: readonly number[];
}

export async function movements(
  pool: pg.Pool,
  versionIds: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Movement>> {
  const { rows } = await pool.query<Movement>(
    sql`WITH old AS (SELECT max(number) AS number FROM ladder_sets WHERE ended_at <= ${at(now - dayMs)})
        SELECT v.id,
          (SELECT s.rating FROM ladder_seats s, old WHERE s.version_id = v.id AND s.number <= old.number AND s.rating IS NOT NULL
           ORDER BY s.number DESC LIMIT 1) AS before,
          ARRAY(SELECT rating FROM (SELECT number, rating FROM ladder_seats s WHERE s.version_id = v.id AND s.number IS NOT NULL AND s.rating IS NOT NULL
             ORDER BY s.number DESC LIMIT ${recentSets}) last ORDER BY number) AS recent
        FROM unnest(${ids(versionIds)}) AS v(id)`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export interface PlayingTable {
  readonly startedAt: Date;
  readonly userIds: readonly string[];
  readonly handsDone: number;
  readonly numRounds: number;
}

/** Returns the sets that are planned or in play, newest first. */
export async function playingTables(pool: pg.Pool, limit: number): Promise<PlayingTable[]> {
  const { rows } = await pool.query<PlayingTable>(
    sql`SELECT coalesce(min(j.started_at), l.created_at) AS "startedAt", sum(j.hands_done)::int AS "handsDone",
          sum(j.num_rounds)::int AS "numRounds",
          ARRAY(SELECT v.user_id::text FROM ladder_seats s JOIN ladder_versions v ON v.id = s.version_id
                WHERE s.set_id = l.id ORDER BY s.seat) AS "userIds"
        FROM ladder_sets l JOIN jobs j ON j.deal_set_id = l.id WHERE l.state = 'playing'
        GROUP BY l.id ORDER BY 1 DESC LIMIT ${limit}`,
  );
  return rows;
}

/** A rating after a set. */
export interface Point {
  readonly time: Date;
  readonly rating: number;
  readonly low: number;
  readonly high: number;
  readonly sets: number;
}

/** Returns the histories of versions, oldest first: all of their ratings, or so many of each spread evenly, the last one included. */
export async function pointsOf(pool: pg.Pool, versionIds: readonly string[]): Promise<ReadonlyMap<string, Point[]>> {
  const { rows } = await pool.query<Point & { readonly id: string }>(
    sql`SELECT id, time, rating, low, high, sets FROM (
          SELECT s.version_id AS id, l.ended_at AS time, s.rating, s.low, s.high,
            (row_number() OVER (PARTITION BY s.version_id ORDER BY s.number))::int AS sets, count(*) OVER (PARTITION BY s.version_id) AS total
          FROM ladder_seats s JOIN ladder_sets l ON l.id = s.set_id
          WHERE s.version_id = ANY (${ids(versionIds)}) AND s.number IS NOT NULL AND s.rating IS NOT NULL) AS p
        WHERE (total - sets) % greatest(1, ceil(total / ${maxPoints}::float8)::bigint) = 0 ORDER BY sets`,
  );
  return Map.groupBy(rows, ({ id }) => id);
}

export interface PlayedSet {
  readonly id: string;
  readonly endedAt: Date;
  readonly version: number;
  readonly hands: number;
  readonly value: number;
  readonly badMatches: number;
  readonly opponentIds: readonly string[];
  readonly jobIds: readonly string[];
}

/** Returns the newest sets of a user that count. */
export async function setsOf(pool: pg.Pool, userId: string): Promise<PlayedSet[]> {
  const { rows } = await pool.query<PlayedSet>(
    sql`SELECT l.id, l.ended_at AS "endedAt", v.number AS version, l.hands, s.value, s.bad_matches AS "badMatches",
          ARRAY(SELECT o.user_id::text FROM ladder_seats x JOIN ladder_versions o ON o.id = x.version_id
                WHERE x.set_id = l.id AND x.version_id <> v.id ORDER BY x.seat) AS "opponentIds",
          ARRAY(SELECT j.id::text FROM jobs j WHERE j.deal_set_id = l.id AND j.state = ${jobState.finished} ORDER BY j.rotation) AS "jobIds"
        FROM ladder_versions v CROSS JOIN LATERAL (
          SELECT * FROM ladder_seats s WHERE s.version_id = v.id AND s.number IS NOT NULL ORDER BY s.number DESC LIMIT ${listedSets}) AS s
        JOIN ladder_sets l ON l.id = s.set_id
        WHERE v.user_id = ${userId} ORDER BY s.number DESC LIMIT ${listedSets}`,
  );
  return rows;
}
