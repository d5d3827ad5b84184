import type { IdRange } from '@husky/runtime/database/id-range';
import { empty, raw, type Sql, sql } from '@husky/runtime/database/sql';
import type { Page } from '@husky/runtime/rpc/page';
import type { Match } from '../domain/match.ts';
import type { Database } from './database.ts';
import { noContest } from './results.ts';

export interface MatchFilter {
  readonly visibility: 'all' | 'public' | 'private';
  /** Also sealed matches. */
  readonly sealed: boolean;
  /** Matches of the ladder and trials, which no other list has. */
  readonly ladder: boolean;
  /** Empty: any. */
  readonly status: string;
  readonly oldestFirst: boolean;
  /** Matches since then with a highlight, the best highlight first; undefined: all by time. */
  readonly bestSince: Date | undefined;
  /** First and last id of a range; undefined: any. */
  readonly ids: IdRange | undefined;
  /** Players who all sit in the match; empty: any. */
  readonly playerIds: readonly string[];
  readonly batchId: string | undefined;
}
type ListedFields =
  | ('jobId' | 'batchId' | 'batchNumber' | 'gameNumber' | 'playerIds' | 'numRounds' | 'startingStack' | 'stacks')
  | ('isPublic' | 'status' | 'firstHandAt' | 'endReason');

export interface ListedMatch extends Pick<Match, ListedFields> {
  readonly handsNow: number;
  /** Start of the attempt that readers get; null unless the match runs. */
  readonly startedAt: Date | null;
  /** By seat; empty if the match has no attempt. */
  readonly stacksNow: readonly number[];
  /** The match is finished and fewer than two bots started. */
  readonly noContest: boolean;
  /** When the accepted attempt was verified; null for a match without one. */
  readonly endedAt: Date | null;
}

/** Returns a page of the matches that have hands, with the state of the readable attempt of each. */
export async function listMatches(db: Database, filter: MatchFilter, page: Page): Promise<ListedMatch[]> {
  const direction = filter.oldestFirst ? raw('ASC') : raw('DESC');
  const best = filter.bestSince !== undefined;
  const first = best ? sql`score DESC,` : empty;
  // The page is selected before the join, so that skipped matches are not joined.
  const { rows } = await db.pool.query<ListedMatch>(
    sql`SELECT m.job_id AS "jobId", m.batch_id AS "batchId", m.batch_number AS "batchNumber",
        m.game_number AS "gameNumber", m.player_ids AS "playerIds", m.num_rounds AS "numRounds",
        m.starting_stack AS "startingStack", m.stacks, m.is_public AS "isPublic", m.status,
        m.first_hand_at AS "firstHandAt", m.end_reason AS "endReason",
        CASE WHEN m.status = 'Running' THEN coalesce(a.hands, m.hands) ELSE m.hands END AS "handsNow",
        CASE WHEN m.status = 'Running' THEN a.started_at END AS "startedAt",
        coalesce(a.stacks, '{}') AS "stacksNow", a.job_id IS NOT NULL AND ${noContest} AS "noContest",
        CASE WHEN m.accepted_attempt IS NOT NULL THEN a.verified_at END AS "endedAt"
      FROM (SELECT *${best ? sql`, ${highlightScore} AS score` : empty} FROM matches WHERE ${conditionsOf(filter)}
            ORDER BY ${first} first_hand_at ${direction}, job_id ${direction} OFFSET ${page.skip} LIMIT ${page.take}) m
      LEFT JOIN attempts a ON a.job_id = m.job_id AND a.attempt = coalesce(m.accepted_attempt, m.current_attempt)
      ORDER BY ${first} m.first_hand_at ${direction}, m.job_id ${direction}`,
  );
  return rows;
}

// Of a row of `matches`.
const highlightScore = sql`coalesce((SELECT x.score FROM hand_indexes x WHERE x.job_id = matches.job_id), 0)`;

/** Returns the condition on a row of `matches`. */
function conditionsOf({ visibility, sealed, ladder, status, ids, playerIds, batchId, bestSince }: MatchFilter): Sql {
  const visible = { all: empty, public: sql`AND is_public`, private: sql`AND NOT is_public` };
  return sql`first_hand_at IS NOT NULL AND ${ladder ? raw('ladder') : sql`NOT ladder`} ${visible[visibility]} ${sealed ? empty : sql`AND NOT sealed`}
    ${status === '' ? empty : sql`AND status = ${status}`}
    ${ids === undefined ? empty : sql`AND job_id BETWEEN ${ids.first}::uuid AND ${ids.last}::uuid`}
    ${playerIds.length === 0 ? empty : sql`AND player_ids @> ${playerIds}::uuid[]`}
    ${batchId === undefined ? empty : sql`AND batch_id = ${batchId}::uuid`}
    ${bestSince === undefined ? empty : sql`AND first_hand_at > ${bestSince}::timestamptz AND ${highlightScore} > 0`}`;
}

const dayMs = 24 * 60 * 60 * 1000;

export interface Totals {
  /** Matches that pass the filter. */
  readonly total: number;
  /** Hands and players of all listed matches of that visibility. */
  readonly games: number;
  readonly players: number;
  /** Matches of `total` whose first hand was played within the last 24 hours. */
  readonly recent: number;
}

/** Returns totals from the stored sums, plus the hands of running matches from their attempts. Counts rows for a search. */
export async function countMatches(db: Database, filter: MatchFilter, now: number): Promise<Totals> {
  const { visibility, status } = filter;
  const publicOnly = visibility === 'public';
  const visible = publicOnly ? sql`AND m.is_public` : empty;
  const playerCount = publicOnly ? sql`public_matches` : sql`matches`;
  const searched =
    filter.ladder ||
    filter.ids !== undefined ||
    filter.playerIds.length > 0 ||
    filter.batchId !== undefined ||
    filter.bestSince !== undefined;
  const where = conditionsOf(filter);
  const found = sql`(SELECT count(*)::int FROM matches WHERE ${where})`;
  interface Row {
    readonly total: number;
    readonly recent: number;
    readonly games: string;
    readonly running: string;
    readonly players: number;
  }
  const { rows } = await db.pool.query<Row>(
    sql`SELECT ${searched ? found : sql`counted.total`} AS total, counted.games,
       (SELECT count(*)::int FROM matches WHERE ${where}
         AND first_hand_at > ${new Date(now - dayMs)}::timestamptz AND first_hand_at <= ${new Date(now)}::timestamptz) AS recent,
       (SELECT coalesce(sum(a.hands), 0) FROM matches m
          JOIN attempts a ON a.job_id = m.job_id AND a.attempt = m.current_attempt
         WHERE m.status = 'Running' AND m.first_hand_at IS NOT NULL AND NOT m.ladder ${visible}) AS running,
       (SELECT count(*)::int FROM player_totals
         WHERE ${playerCount} > 0) AS players
     FROM (SELECT coalesce(sum(matches) FILTER (WHERE ${status} IN ('', status) AND NOT (is_public AND ${visibility === 'private'}::boolean)), 0)::int AS total,
                  coalesce(sum(hands), 0) AS games
             FROM match_totals WHERE is_public OR NOT ${publicOnly}::boolean) AS counted`,
  );
  const [row] = rows;
  if (row === undefined) return { total: 0, games: 0, players: 0, recent: 0 };
  const { total, recent, players } = row;
  return { total, games: Number(row.games) + Number(row.running), players, recent };
}
