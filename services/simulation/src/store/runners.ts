import type pg from 'pg';
import { jobState } from '../domain/job-state.ts';
import type { PrismaClient, Runner } from '../generated/client.ts';
import { at, sql, texts } from './sql.ts';

export function listRunners(prisma: PrismaClient): Promise<Runner[]> {
  return prisma.runner.findMany({ orderBy: { name: 'asc' } });
}

/**
 * Cordons runners, including ones that have not requested work yet, or uncordons known ones. Uncordoning an unknown runner must not
 * list it: pool takes a listed runner for one that has requested work.
 */
export async function cordonRunners(
  pool: pg.Pool,
  names: readonly string[],
  cordoned: boolean,
  now: number,
): Promise<void> {
  await pool.query(
    cordoned
      ? sql`INSERT INTO runners (name, cordoned, last_seen)
            SELECT DISTINCT unnest(${texts(names)}), true, ${at(now)}
            ON CONFLICT (name) DO UPDATE SET cordoned = true`
      : sql`UPDATE runners SET cordoned = false WHERE name = ANY (${texts(names)})`,
  );
}

/**
 * Deletes runners that hold no match and were last seen before a time (ms since the epoch). Cordoned ones have their own limit,
 * which is longer than the shutdown of a runner.
 */
export async function deleteUnseenRunners(pool: pg.Pool, seenBefore: number, cordonedBefore: number): Promise<void> {
  await pool.query(
    sql`DELETE FROM runners r
        WHERE coalesce(last_seen, '-infinity') < CASE WHEN cordoned THEN ${at(cordonedBefore)} ELSE ${at(seenBefore)} END
          AND NOT EXISTS (SELECT FROM jobs j WHERE j.state = ${jobState.running} AND j.runner = r.name)`,
  );
}
