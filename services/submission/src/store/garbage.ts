import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';

// Replicas take turns; the number is ours within this database.
const lockKey = 71_001;

/**
 * Deletes bots that no submission, pin or house needs, then files and package archives that no bot needs. What was
 * touched within `graceMs` stays: a transaction under way may be about to use it.
 */
export function collectGarbage(pool: pg.Pool, graceMs: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const lock = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS mine', [lockKey]);
    if (!lock.rows[0]?.mine) return 0;
    const before = new Date(Date.now() - graceMs);
    let deleted = 0;
    for (const statement of statements) deleted += (await client.query(statement, [before])).rowCount ?? 0;
    return deleted;
  });
}

const statements = [
  `DELETE FROM bots b WHERE touched_at < $1 AND NOT house
     AND NOT EXISTS (SELECT FROM submissions s WHERE s.bot_hash = b.hash)
     AND NOT EXISTS (SELECT FROM pins p WHERE p.bot_hash = b.hash)`,
  `DELETE FROM blobs f WHERE touched_at < $1
     AND NOT EXISTS (SELECT FROM bots b WHERE b.player_hash = f.hash)
     AND NOT EXISTS (SELECT FROM bots b WHERE b.requirements_file_hash = f.hash)`,
  `DELETE FROM resolutions r WHERE touched_at < $1
     AND NOT EXISTS (SELECT FROM bots b WHERE b.requirements_hash = r.requirements_hash)`,
  `DELETE FROM archives a WHERE touched_at < $1
     AND NOT EXISTS (SELECT FROM resolutions r WHERE r.archive_hash = a.hash)`,
];
