import { houseUserId } from '@husky/contracts/house-user';
import { PLAY_VERSION } from '@husky/estimate/play-counters';
import { sql } from '@husky/runtime/database/sql';
import type { Highlight } from '../domain/highlights.ts';
import type { Match } from '../domain/match.ts';
import type { MatchIndex } from '../domain/match-index.ts';
import type { Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';

const asHighlights = (stored: Prisma.JsonValue) => stored as unknown as Highlight[];

/**
 * Returns queries named `indexed` and `counted` that store the index of an attempt and the counters of its seats, replacing those of
 * another attempt, if the query `held` has the match.
 */
export const indexQueries = (attempt: number, { bytes, highlights, score, bestNets, worstNets, play }: MatchIndex) =>
  sql`indexed AS (
      INSERT INTO hand_indexes (job_id, attempt, bytes, highlights, score, best_nets, worst_nets)
      SELECT job_id, ${attempt}::int, ${Buffer.from(bytes)}::bytea, ${JSON.stringify(highlights)}::jsonb, ${score}::bigint,
        ${[...bestNets]}::int[], ${[...worstNets]}::int[] FROM held
      ON CONFLICT (job_id) DO UPDATE SET attempt = excluded.attempt, bytes = excluded.bytes, highlights = excluded.highlights,
        score = excluded.score, best_nets = excluded.best_nets, worst_nets = excluded.worst_nets
    ), counted AS (
      INSERT INTO play_counters (job_id, attempt, version, counts)
      SELECT job_id, ${attempt}::int, ${PLAY_VERSION}::int, ${play.map((counts) => Buffer.from(counts))}::bytea[] FROM held
      ON CONFLICT (job_id) DO UPDATE SET attempt = excluded.attempt, version = excluded.version, counts = excluded.counts
    )`;

/** Stores the index of a finished match and the counters of its seats. Does nothing if the match was deleted. Idempotent. */
export async function putHandIndex(db: Database, jobId: string, attempt: number, index: MatchIndex): Promise<void> {
  await db.pool.query(
    sql`WITH held AS MATERIALIZED (SELECT job_id FROM matches WHERE job_id = ${jobId}::uuid FOR SHARE),
      ${indexQueries(attempt, index)} SELECT FROM held`,
  );
}

/** Returns the packed columns of an attempt (domain/hand-index.ts); null if they are not stored. */
export async function findHandIndex(db: Database, jobId: string, attempt: number): Promise<Uint8Array | null> {
  const row = await db.prisma.handIndex.findUnique({ where: { jobId }, select: { attempt: true, bytes: true } });
  return row?.attempt === attempt ? row.bytes : null;
}

export async function findHighlights(db: Database, jobId: string, attempt: number): Promise<Highlight[] | null> {
  const row = await db.prisma.handIndex.findUnique({ where: { jobId }, select: { attempt: true, highlights: true } });
  return row?.attempt === attempt ? asHighlights(row.highlights) : null;
}

const dayMs = 24 * 60 * 60 * 1000;
const indexed = sql`FROM matches m JOIN hand_indexes x ON x.job_id = m.job_id AND x.attempt = m.accepted_attempt
  WHERE m.is_public AND NOT m.ladder AND m.first_hand_at IS NOT NULL AND x.score > 0`;

/**
 * Returns the public match with the best highlight among those that began in the last 24 hours; otherwise among those of the 24 hours
 * up to the newest one; of a batch, among all of its matches. Null if no public match has a highlight.
 */
export async function bestOfTheDay(
  db: Database,
  now: number,
  batchId?: string,
): Promise<{ readonly jobId: string; readonly highlight: Highlight } | null> {
  const ofDay = sql`m.first_hand_at > (SELECT least(first_hand_at, ${new Date(now)}) FROM
    (SELECT m.first_hand_at ${indexed} ORDER BY m.first_hand_at DESC, m.job_id DESC LIMIT 1) newest) - ${dayMs / 1000} * interval '1 second'`;
  const { rows } = await db.pool.query<{ job_id: string; highlights: Prisma.JsonValue }>(
    sql`SELECT x.job_id, x.highlights ${indexed} AND ${batchId === undefined ? ofDay : sql`m.batch_id = ${batchId}::uuid`}
      ORDER BY x.score DESC, m.first_hand_at DESC, x.job_id LIMIT 1`,
  );
  const [row] = rows;
  const highlight = row && asHighlights(row.highlights)[0];
  return highlight === undefined ? null : { jobId: row?.job_id ?? '', highlight };
}

interface ExtremesFilter {
  readonly worst: boolean;
  readonly limit: number;
  readonly publicOnly: boolean;
  /** Also sealed matches. */
  readonly sealed: boolean;
  /** Only matches of the ladder since then; null: only others. */
  readonly ladderSince: Date | null;
}

/** Returns the ids of the matches whose best hands of a player are the `limit` largest (or whose worst ones are the smallest). */
export async function matchesWithExtremes(
  db: Database,
  playerId: string,
  { worst, limit, publicOnly, sealed, ladderSince }: ExtremesFilter,
): Promise<string[]> {
  const nets = worst ? sql`x.worst_nets` : sql`x.best_nets`;
  const net = sql`${nets}[array_position(m.player_ids, ${playerId}::uuid)]`;
  const { rows } = await db.pool.query<{ job_id: string }>(
    sql`SELECT m.job_id FROM matches m
      JOIN hand_indexes x ON x.job_id = m.job_id AND x.attempt = m.accepted_attempt
      WHERE m.player_ids @> ARRAY[${playerId}::uuid] AND (m.is_public OR NOT ${publicOnly}::boolean) AND (${sealed}::boolean OR NOT m.sealed)
        AND ${ladderSince === null ? sql`NOT m.ladder` : sql`m.ladder AND m.owner_id = ${houseUserId}::uuid AND m.first_hand_at > ${ladderSince}::timestamptz`} AND ${net} <> 0
      ORDER BY abs(${net}) DESC, m.first_hand_at DESC, m.job_id LIMIT ${limit}`,
  );
  return rows.map((row) => row.job_id);
}

/** Returns the next finished matches in the order of their ids that have no index, or no counters, of their accepted attempt. */
export async function matchesWithoutIndex(db: Database, afterJobId: string, limit: number): Promise<Match[]> {
  const { rows } = await db.pool.query<{ job_id: string }>(
    sql`SELECT m.job_id FROM matches m LEFT JOIN hand_indexes x ON x.job_id = m.job_id AND x.attempt = m.accepted_attempt
      LEFT JOIN play_counters p ON p.job_id = m.job_id AND p.attempt = m.accepted_attempt AND p.version = ${PLAY_VERSION}
      WHERE m.accepted_attempt IS NOT NULL AND m.hands_removed_at IS NULL AND (x.job_id IS NULL OR p.job_id IS NULL) AND m.job_id > ${afterJobId}::uuid
      ORDER BY m.job_id LIMIT ${limit}`,
  );
  const jobIds = rows.map((row) => row.job_id);
  return db.prisma.match.findMany({ where: { jobId: { in: jobIds } }, orderBy: { jobId: 'asc' } });
}
