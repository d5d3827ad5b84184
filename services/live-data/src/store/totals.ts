import { isHouseUser } from '@husky/contracts/house-user';
import { join, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import type { Match } from '../domain/match.ts';
import { columnsOf } from './match-rows.ts';

/** Changes a locked match and the totals of the lists. Every change of a match must use this function. */
export async function changeMatch(client: pg.PoolClient, before: Match, change: Partial<Match>): Promise<Match> {
  const { names, values } = columnsOf(change);
  const settings = names.map((name, index) => sql`${name} = ${values[index]}`);
  await client.query(sql`UPDATE matches SET ${join(settings)} WHERE job_id = ${before.jobId}::uuid`);
  const after = { ...before, ...change };
  await moveTotals(client, before, after);
  return after;
}

/** Deletes a locked match, and removes it from the totals of the lists. */
export async function removeMatch(client: pg.PoolClient, match: Match): Promise<void> {
  await client.query(sql`DELETE FROM matches WHERE job_id = ${match.jobId}::uuid`);
  await moveTotals(client, match, null);
}

const isListed = (match: Match | null): match is Match => match !== null && match.firstHandAt !== null && !match.ladder;
const kindOf = (match: Match) => `${match.isPublic} ${match.status} ${match.hands}`;

async function moveTotals(client: pg.PoolClient, before: Match, after: Match | null): Promise<void> {
  const left = isListed(before) ? before : null;
  const joined = isListed(after) ? after : null;
  const same = left !== null && joined !== null && kindOf(left) === kindOf(joined);
  if (same || (left === null && joined === null)) return;
  const moves = [
    ...(left === null ? [] : [{ match: left, sign: -1 }]),
    ...(joined === null ? [] : [{ match: joined, sign: 1 }]),
  ];
  // All code locks these rows in the same order, so that concurrent changes cannot deadlock.
  moves.sort((a, b) => (kindOf(a.match) < kindOf(b.match) ? -1 : 1));
  for (const { match, sign } of moves) {
    await client.query(sql`
      INSERT INTO match_totals AS t (is_public, status, matches, hands)
      VALUES (${match.isPublic}, ${match.status}, ${sign}::int, ${sign * match.hands}::bigint)
      ON CONFLICT (is_public, status) DO UPDATE
      SET matches = t.matches + excluded.matches, hands = t.hands + excluded.hands`);
  }
  const matches = (joined === null ? 0 : 1) - (left === null ? 0 : 1);
  const publicMatches = (joined?.isPublic ? 1 : 0) - (left?.isPublic ? 1 : 0);
  if (matches === 0 && publicMatches === 0) return;
  const users = [...new Set(before.playerIds)].filter((id) => !isHouseUser(id)).sort();
  await client.query(sql`
    INSERT INTO player_totals AS t (user_id, matches, public_matches)
    SELECT u, ${matches}::int, ${publicMatches}::int FROM unnest(${users}::uuid[]) AS u ORDER BY u
    ON CONFLICT (user_id) DO UPDATE
    SET matches = t.matches + excluded.matches, public_matches = t.public_matches + excluded.public_matches`);
}
