import { empty, type Sql, sql } from '@husky/runtime/database/sql';
import type { MatchResult } from '../domain/results.ts';
import type { Database } from './database.ts';

/** Selects finished matches: of a batch, those in which all of these players sat, or both. */
export interface ResultsFilter {
  readonly publicOnly: boolean;
  /** Also sealed matches. */
  readonly sealed: boolean;
  readonly batchId: string | undefined;
  readonly playerIds: readonly string[];
}

/**
 * Whether the finished match `m` is no contest: fewer than two bots started (services/simulation/src/domain/job.ts has the
 * rule).
 */
export const noContest = sql`(cardinality(m.player_ids) > 1 AND cardinality(m.player_ids) - 1 <= (
  SELECT count(*) FROM seat_reports s WHERE m.status = 'Finished' AND s.job_id = m.job_id AND s.attempt = m.accepted_attempt
    AND s.details ->> 'outKind' = 'startup'))`;

/** Returns the conditions of a filter on the match `m`. */
export const conditions = ({ publicOnly, sealed, batchId, playerIds }: ResultsFilter): Sql => sql`
  m.status = 'Finished' AND NOT m.ladder AND (m.is_public OR NOT ${publicOnly}::boolean)
  ${sealed ? empty : sql`AND NOT m.sealed`}
  ${batchId === undefined ? empty : sql`AND m.batch_id = ${batchId}`}
  ${playerIds.length === 0 ? empty : sql`AND m.player_ids @> ${playerIds}::uuid[]`}`;

/** Returns a text that changes when a match enters or leaves the selection. Results of finished matches never change. */
export async function resultsVersion(db: Database, filter: ResultsFilter): Promise<string> {
  const { rows } = await db.pool.query<{ version: string }>(
    sql`SELECT count(*) || ' ' || coalesce(sum(hashtextextended(m.job_id::text, 0)), 0) AS version
      FROM matches m WHERE ${conditions(filter)}`,
  );
  return rows[0]?.version ?? '';
}

/**
 * Returns the selected matches by game number within a batch, otherwise in the order in which they began. All deltas of a
 * match are 0 if it is no contest.
 */
export async function readResults(db: Database, filter: ResultsFilter): Promise<MatchResult[]> {
  const order = filter.batchId === undefined ? sql`m.first_hand_at, m.job_id` : sql`m.game_number, m.job_id`;
  const { rows } = await db.pool.query<{
    hands: number;
    players: string[];
    start: number;
    stacks: number[];
    no_contest: boolean;
  }>(
    sql`SELECT m.hands, m.player_ids::text[] AS players, m.starting_stack AS start, a.stacks,
        ${noContest} AS no_contest
      FROM matches m JOIN attempts a ON a.job_id = m.job_id AND a.attempt = m.accepted_attempt
      WHERE ${conditions(filter)} ORDER BY ${order}`,
  );
  return rows.map(({ hands, players, start, stacks, no_contest: isVoid }) => {
    const deltas = new Map<string, number>();
    for (const [seat, id] of players.entries()) {
      const delta = isVoid ? 0 : (stacks[seat] ?? start) - start;
      deltas.set(id, (deltas.get(id) ?? 0) + delta);
    }
    return { hands, deltas };
  });
}
