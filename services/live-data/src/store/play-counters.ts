import { houseUserId } from '@husky/contracts/house-user';
import type { DecisionTimes__Output } from '@husky/contracts/types/live/v1/DecisionTimes';
import { PLAY_VERSION } from '@husky/estimate/play-counters';
import { sql } from '@husky/runtime/database/sql';
import type { Database } from './database.ts';
import { conditions, noContest, type ResultsFilter } from './results.ts';

/** A seat of a player in a match. */
export interface PlayedSeat {
  readonly jobId: string;
  readonly userId: string;
  /** Packed PlayCounters; null while the match is not counted. */
  readonly counts: Uint8Array | null;
  /** Null: the dealer reported none. */
  readonly times: DecisionTimes__Output | null;
  /** Chips won. */
  readonly net: number;
  /** Chips won without luck (docs/methodology.md, Luck); null while they are not computed. */
  readonly adjusted: number | null;
}

const counted = sql`FROM matches m LEFT JOIN play_counters p
    ON p.job_id = m.job_id AND p.attempt = m.accepted_attempt AND p.version = ${PLAY_VERSION}
    LEFT JOIN LATERAL (SELECT version, sums FROM match_values WHERE job_id = m.job_id AND attempt = m.accepted_attempt
      AND cardinality(sums) > 0 ORDER BY version DESC LIMIT 1) v ON true`;
// Matches with the house bot are test runs.
const where = (filter: ResultsFilter) =>
  sql`WHERE ${conditions(filter)} AND NOT m.player_ids @> ARRAY[${houseUserId}::uuid]`;

/** Returns a text that changes when a match enters or leaves the selection, is counted or gets values without luck. */
export async function playVersion(db: Database, filter: ResultsFilter): Promise<string> {
  const { rows } = await db.pool.query<{ version: string }>(
    sql`SELECT count(*) || ' ' || count(p.job_id) || ' ' || coalesce(sum(v.version), 0) || ' ' || coalesce(sum(hashtextextended(m.job_id::text, 0)), 0) AS version
      ${counted} ${where(filter)}`,
  );
  return rows[0]?.version ?? '';
}

/** Returns the seats of the filter's players in the selected matches, in the order in which these began. Leaves out no contests. */
export async function playedSeats(db: Database, filter: ResultsFilter): Promise<PlayedSeat[]> {
  const { rows } = await db.pool.query<PlayedSeat>(
    sql`SELECT m.job_id AS "jobId", s.player AS "userId", p.counts[s.seat] AS counts, r.details -> 'times' AS times,
        a.stacks[s.seat] - m.starting_stack AS net, v.sums[s.seat]::float8 / 100 AS adjusted
      ${counted} CROSS JOIN LATERAL unnest(m.player_ids) WITH ORDINALITY AS s (player, seat)
      JOIN attempts a ON a.job_id = m.job_id AND a.attempt = m.accepted_attempt
      LEFT JOIN seat_reports r ON r.job_id = m.job_id AND r.attempt = m.accepted_attempt AND r.seat = s.seat - 1
      ${where(filter)} AND s.player = ANY (${filter.playerIds}::uuid[]) AND NOT ${noContest} ORDER BY m.first_hand_at, m.job_id`,
  );
  return rows;
}
