import type { BoardRow } from '@husky/contracts/types/leaderboard/v1/BoardRow';
import { sql } from '@husky/runtime/database/sql';
import type pg from 'pg';
import { standingTag } from '../domain/entry-rules.ts';

/** Returns the tags with entries, the tag of the newest result first. */
export async function boardTags(client: pg.Pool | pg.PoolClient): Promise<string[]> {
  // Skips from one tag to the next in the index: there are few tags and many entries.
  const { rows } = await client.query<{ tag: string }>(`
    WITH RECURSIVE tags AS (
      (SELECT tag FROM entries ORDER BY tag LIMIT 1)
      UNION ALL
      SELECT (SELECT e.tag FROM entries e WHERE e.tag > tags.tag ORDER BY e.tag LIMIT 1) FROM tags WHERE tags.tag IS NOT NULL
    )
    SELECT tag FROM tags WHERE tag IS NOT NULL
    ORDER BY (SELECT max(e.result_at) FROM entries e WHERE e.tag = tags.tag) DESC, tag`);
  return rows.map(({ tag }) => tag);
}

/** Returns one row for each user: the sum of the user's entries under the tag, best first, then by user id. */
export async function boardRows(
  pool: pg.Pool,
  tag: string,
  page: { readonly skip: number; readonly take: number },
): Promise<{ rows: BoardRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    pool.query<{ user_id: string; cents: string; entries: number; matches: number; rank: number }>(
      sql`SELECT user_id, sum(score_cents) AS cents, count(*)::int AS entries, sum(applied_jobs)::int AS matches,
            rank() OVER (ORDER BY sum(score_cents) DESC)::int AS rank
          FROM entries WHERE tag = ${tag} GROUP BY user_id ORDER BY sum(score_cents) DESC, user_id
          LIMIT ${page.take} OFFSET ${page.skip}`,
    ),
    pool.query<{ total: number }>(sql`SELECT count(DISTINCT user_id)::int AS total FROM entries WHERE tag = ${tag}`),
  ]);
  return {
    rows: rows.rows.map((row) => ({
      userId: row.user_id,
      scoreCents: Number(row.cents),
      entries: row.entries,
      matches: row.matches,
      rank: row.rank,
    })),
    total: total.rows[0]?.total ?? 0,
  };
}

/** Counts the matches on a platform board, each once. */
export async function countMatches(pool: pg.Pool, tag: string): Promise<number> {
  const table = tag === standingTag ? sql`applied_jobs` : sql`applied_batch_jobs`;
  const { rows } = await pool.query<{ matches: number }>(sql`SELECT count(*)::int AS matches FROM ${table}`);
  return rows[0]?.matches ?? 0;
}
