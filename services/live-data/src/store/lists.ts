import type { IdRange } from '@husky/runtime/id-range';
import { type Match, readableAttempt } from '../domain/match.ts';
import type { Page } from '../domain/paging.ts';
import { Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';
import { noContest } from './results.ts';

export interface MatchFilter {
  readonly visibility: 'all' | 'public' | 'private';
  /** Empty: any. */
  readonly status: string;
  readonly oldestFirst: boolean;
  /** First and last id of a range; undefined: any. */
  readonly ids: IdRange | undefined;
  /** Players who all sit in the match; empty: any. */
  readonly playerIds: readonly string[];
  readonly batchId: string | undefined;
}
export interface ListedMatch extends Match {
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

interface AttemptRow {
  readonly job_id: string;
  readonly hands: number;
  readonly stacks: readonly number[];
  readonly started_at: Date;
  readonly verified_at: Date | null;
  readonly no_contest: boolean;
}

/** Returns a page of the matches that have hands, with the state of the readable attempt of each. */
export async function listMatches(db: Database, filter: MatchFilter, page: Page): Promise<ListedMatch[]> {
  const direction = filter.oldestFirst ? 'asc' : 'desc';
  const matches = await db.prisma.match.findMany({
    where: whereOf(filter),
    orderBy: [{ firstHandAt: direction }, { jobId: direction }],
    ...page,
  });
  const { rows } = await db.pool.query<AttemptRow>(
    Prisma.sql`SELECT a.job_id, a.hands, a.stacks, a.started_at, a.verified_at, ${noContest} AS no_contest
      FROM unnest(${matches.map((match) => match.jobId)}::uuid[], ${matches.map(readableAttempt)}::int[]) AS r (job_id, attempt)
      JOIN attempts a ON a.job_id = r.job_id AND a.attempt = r.attempt JOIN matches m ON m.job_id = r.job_id`,
  );
  const attempts = new Map(rows.map((row) => [row.job_id, row]));
  return matches.map((match) => {
    const attempt = attempts.get(match.jobId);
    const running = match.status === 'Running';
    return {
      ...match,
      handsNow: running ? (attempt?.hands ?? match.hands) : match.hands,
      startedAt: running ? (attempt?.started_at ?? null) : null,
      stacksNow: attempt?.stacks ?? [],
      noContest: attempt?.no_contest ?? false,
      endedAt: match.acceptedAttempt === null ? null : (attempt?.verified_at ?? null),
    };
  });
}

function whereOf({ visibility, status, ids, playerIds, batchId }: MatchFilter): Prisma.MatchWhereInput {
  return {
    firstHandAt: { not: null },
    ...(visibility === 'all' ? {} : { isPublic: visibility === 'public' }),
    ...(status === '' ? {} : { status }),
    ...(ids === undefined ? {} : { jobId: { gte: ids.first, lte: ids.last } }),
    ...(playerIds.length === 0 ? {} : { playerIds: { hasEvery: [...playerIds] } }),
    ...(batchId === undefined ? {} : { batchId }),
  };
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
  const visible = publicOnly ? Prisma.sql`AND m.is_public` : Prisma.empty;
  const playerCount = publicOnly ? Prisma.sql`public_matches` : Prisma.sql`matches`;
  const searched = filter.ids !== undefined || filter.playerIds.length > 0 || filter.batchId !== undefined;
  const lately = { AND: [whereOf(filter), { firstHandAt: { gt: new Date(now - dayMs), lte: new Date(now) } }] };
  const [found, recent] = await Promise.all([
    searched ? db.prisma.match.count({ where: whereOf(filter) }) : undefined,
    db.prisma.match.count({ where: lately }),
  ]);
  const { rows } = await db.pool.query<{ total: number; games: string; running: string; players: number }>(
    Prisma.sql`SELECT coalesce(${found ?? null}::int, counted.total) AS total, counted.games,
       (SELECT coalesce(sum(a.hands), 0) FROM matches m
          JOIN attempts a ON a.job_id = m.job_id AND a.attempt = m.current_attempt
         WHERE m.status = 'Running' AND m.first_hand_at IS NOT NULL ${visible}) AS running,
       (SELECT count(*)::int FROM player_totals
         WHERE ${playerCount} > 0) AS players
     FROM (SELECT coalesce(sum(matches) FILTER (WHERE ${status} IN ('', status) AND NOT (is_public AND ${visibility === 'private'}::boolean)), 0)::int AS total,
                  coalesce(sum(hands), 0) AS games
             FROM match_totals WHERE is_public OR NOT ${publicOnly}::boolean) AS counted`,
  );
  const [row] = rows;
  if (row === undefined) return { total: 0, games: 0, players: 0, recent };
  return { total: row.total, games: Number(row.games) + Number(row.running), players: row.players, recent };
}
