import type pg from 'pg';
import type { PrismaClient, Runner } from '../generated/client.ts';
import { loseAttempt } from './losses.ts';

export interface Claimant {
  readonly runner: string;
  readonly version: string;
  /** What its dealer has done since it was started; null when it does not say. */
  readonly totals?: object | null;
}

/**
 * A runner that asks for work has none: what it held is lost, and need not wait for its lease to expire.
 */
export async function greetRunner(pool: pg.Pool, claimant: Claimant, now: number): Promise<void> {
  await pool.query(
    `INSERT INTO runners (name, version, last_seen, totals) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET version = excluded.version, last_seen = excluded.last_seen, state = 'IDLE', job_id = NULL,
       totals = excluded.totals`,
    [claimant.runner, claimant.version, new Date(now), claimant.totals ? JSON.stringify(claimant.totals) : null],
  );
  const { rows } = await pool.query<{ id: string; attempt: number }>(
    "SELECT id, attempt FROM jobs WHERE state = 'RUNNING' AND runner = $1",
    [claimant.runner],
  );
  for (const { id, attempt } of rows) {
    await loseAttempt(pool, { jobId: id, attempt }, { cause: 'the runner was started anew' }, now);
  }
}

export function listRunners(prisma: PrismaClient): Promise<Runner[]> {
  return prisma.runner.findMany({ orderBy: { name: 'asc' } });
}

/** A runner that has not asked for work yet may be cordoned too. */
export async function cordonRunners(
  pool: pg.Pool,
  names: readonly string[],
  cordoned: boolean,
  now: number,
): Promise<void> {
  await pool.query(
    `INSERT INTO runners (name, cordoned, last_seen) SELECT DISTINCT unnest($1::text[]), $2::boolean, $3::timestamptz
     ON CONFLICT (name) DO UPDATE SET cordoned = excluded.cordoned`,
    [names, cordoned, new Date(now)],
  );
}

/** Forgets runners that hold no match and were not seen since; a cordon is kept for longer than a runner's life may take to end. */
export async function forgetRunners(pool: pg.Pool, seenBefore: number, cordonedBefore: number): Promise<void> {
  await pool.query(
    `DELETE FROM runners r WHERE coalesce(last_seen, '-infinity') < CASE WHEN cordoned THEN $2::timestamptz ELSE $1::timestamptz END
       AND NOT EXISTS (SELECT FROM jobs j WHERE j.state = 'RUNNING' AND j.runner = r.name)`,
    [new Date(seenBefore), new Date(cordonedBefore)],
  );
}
