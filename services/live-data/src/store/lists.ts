import { type Match, readableAttempt } from '../domain/match.ts';
import type { Page } from '../domain/paging.ts';
import type { Database } from './database.ts';

export interface MatchFilter {
  readonly publicOnly: boolean;
  /** Empty: any. */
  readonly status: string;
  readonly oldestFirst: boolean;
}
export interface ListedMatch extends Match {
  readonly handsNow: number;
}

/** A page of the matches that have a hand to show, with how many hands readers get of each now. */
export async function listMatches(db: Database, filter: MatchFilter, page: Page): Promise<ListedMatch[]> {
  const direction = filter.oldestFirst ? 'asc' : 'desc';
  const matches = await db.prisma.match.findMany({
    where: {
      firstHandAt: { not: null },
      ...(filter.publicOnly ? { isPublic: true } : {}),
      ...(filter.status === '' ? {} : { status: filter.status }),
    },
    orderBy: [{ firstHandAt: direction }, { jobId: direction }],
    ...page,
  });
  const running = matches.filter((match) => match.status === 'Running');
  const attempts =
    running.length === 0
      ? []
      : await db.prisma.attempt.findMany({
          where: { OR: running.map((match) => ({ jobId: match.jobId, attempt: readableAttempt(match) })) },
          select: { jobId: true, hands: true },
        });
  const handsOf = new Map(attempts.map((attempt) => [attempt.jobId, attempt.hands]));
  return matches.map((match) => ({ ...match, handsNow: handsOf.get(match.jobId) ?? match.hands }));
}

export interface Totals {
  /** Matches that pass the filter. */
  readonly total: number;
  /** Hands and players of all listed matches of that visibility. */
  readonly games: number;
  readonly players: number;
}

/** From the kept totals; hands of running matches, which are few, come from their attempts. */
export async function countMatches(db: Database, filter: MatchFilter): Promise<Totals> {
  const { publicOnly, status } = filter;
  const visible = publicOnly ? 'AND m.is_public' : '';
  const { rows } = await db.pool.query<{ total: number; games: string; running: string; players: number }>(
    `SELECT counted.total, counted.games,
       (SELECT coalesce(sum(a.hands), 0) FROM matches m
          JOIN attempts a ON a.job_id = m.job_id AND a.attempt = m.current_attempt
         WHERE m.status = 'Running' AND m.first_hand_at IS NOT NULL ${visible}) AS running,
       (SELECT count(*)::int FROM player_totals
         WHERE ${publicOnly ? 'public_matches' : 'matches'} > 0) AS players
     FROM (SELECT coalesce(sum(matches) FILTER (WHERE $1 IN ('', status)), 0)::int AS total,
                  coalesce(sum(hands), 0) AS games
             FROM match_totals WHERE is_public OR NOT $2::boolean) AS counted`,
    [status, publicOnly],
  );
  const [row] = rows;
  if (row === undefined) return { total: 0, games: 0, players: 0 };
  return { total: row.total, games: Number(row.games) + Number(row.running), players: row.players };
}

/** How many matches of a batch are known here. */
export function countBatch(db: Database, batchId: string): Promise<number> {
  return db.prisma.match.count({ where: { batchId } });
}
