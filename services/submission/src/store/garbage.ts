import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';

/** Advisory lock that lets only one replica at a time collect garbage. */
const lockKey = 71_001;

/**
 * Deletes bots that no submission, version or pin uses and that are not house bots, then files without a bot, and archives that no
 * submission, pin or house bot needs. Versions keep their code but not their archives: another run resolves the packages again.
 * Keeps rows touched since `before`, which a transaction in progress may be about to use. The database writes these times, so
 * `before` must come from its clock. Returns the number of deleted rows.
 */
export function collectGarbage(pool: pg.Pool, before: Date): Promise<number> {
  return inTransaction(pool, async (client) => {
    const lock = await client.query<{ acquired: boolean }>(
      sql`SELECT pg_try_advisory_xact_lock(${lockKey}) AS acquired`,
    );
    if (!lock.rows[0]?.acquired) return 0;
    let deleted = 0;
    for (const statement of deletions(before)) {
      deleted += (await client.query(statement)).rowCount ?? 0;
    }
    return deleted;
  });
}

const deletions = (before: Date) => [
  sql`DELETE FROM bots b WHERE touched_at < ${before} AND NOT house
        AND NOT EXISTS (SELECT FROM submissions s WHERE s.bot_hash = b.hash)
        AND NOT EXISTS (SELECT FROM bot_versions v WHERE v.bot_hash = b.hash)
        AND NOT EXISTS (SELECT FROM pins p WHERE p.bot_hash = b.hash)`,
  sql`DELETE FROM blobs f WHERE touched_at < ${before}
        AND NOT EXISTS (SELECT FROM bots b WHERE b.player_hash = f.hash)
        AND NOT EXISTS (SELECT FROM bots b WHERE b.requirements_file_hash = f.hash)`,
  sql`DELETE FROM resolutions r WHERE touched_at < ${before}
        AND NOT EXISTS (SELECT FROM bots b WHERE b.requirements_hash = r.requirements_hash
          AND (b.house OR b.touched_at >= ${before}
            OR EXISTS (SELECT FROM submissions s WHERE s.bot_hash = b.hash)
            OR EXISTS (SELECT FROM pins p WHERE p.bot_hash = b.hash)))`,
  sql`DELETE FROM archives a WHERE touched_at < ${before}
        AND NOT EXISTS (SELECT FROM resolutions r WHERE r.archive_hash = a.hash)`,
];
