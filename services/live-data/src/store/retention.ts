import { houseUserId } from '@husky/contracts/house-user';
import { ids, raw, type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import type pg from 'pg';
import type { RetentionRun } from '../generated/client.ts';
import type { Database } from './database.ts';

/** A rule of retention: `test-runs` removes hands and logs of private test runs, `logs` the bots' logs and lost attempts of any match. */
export type RetentionRule = 'test-runs' | 'logs';

/** The run that a removal belongs to, with the days of the rules at its start. */
export type NewRetentionRun = Pick<RetentionRun, 'id' | 'startedAt' | 'keepTestRunsDays' | 'keepLogsDays'>;

export interface Removed {
  readonly matches: number;
  readonly hands: number;
  readonly bytes: number;
}

// The same condition as in the partial indexes. Only test runs have the house bot as a player, and leaderboards leave them out.
const testRuns = sql`hands_removed_at IS NULL AND NOT is_public AND batch_id IS NULL
  AND player_ids @> ARRAY[${raw(`'${houseUserId}'::uuid`)}]`;
// A failed match of a batch can be played again long after it was opened.
const withLogs = (before: Date) => sql`logs_removed_at IS NULL AND NOT EXISTS (SELECT FROM attempts a
  WHERE a.job_id = matches.job_id AND a.attempt = matches.current_attempt AND a.started_at >= ${before})`;

/**
 * Applies a rule to at most `limit` ended matches that were opened before `before` (for `logs`: their last attempt, too), oldest first, in
 * one transaction with the audit record and the sums of the run. Matches that are being changed are left to the next call. Returns what
 * was removed.
 */
export function removeOld(
  db: Database,
  rule: RetentionRule,
  { run, before, now, limit }: { run: NewRetentionRun; before: Date; now: Date; limit: number },
): Promise<Removed> {
  return inTransaction(db.pool, async (client) => {
    const { rows } = await client.query<{ job_id: string }>(sql`
      SELECT job_id FROM matches WHERE ${rule === 'test-runs' ? testRuns : withLogs(before)} AND created_at < ${before}
        AND status IN ('Finished', 'Failed') ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
    if (rows.length === 0) return { matches: 0, hands: 0, bytes: 0 };
    const jobIds = ids(rows.map((row) => row.job_id));
    const chunks = await (rule === 'test-runs' ? removeHands(client, jobIds, now) : removeLostAttempts(client, jobIds));
    const logBytes = await removeLogs(client, jobIds, now);
    const removed = { matches: rows.length, hands: chunks.hands, bytes: chunks.bytes + logBytes };
    await addToRun(client, rule, run, removed);
    await emitAudit(
      client,
      'live_data',
      { kind: 'service', name: 'live-data' },
      {
        action: 'retention.removed',
        subjectKind: 'retention',
        subjectId: rule,
        after: { ...removed, opened_before: before, run: run.id },
      },
    );
    return removed;
  });
}

type Sums = { readonly hands: number; readonly bytes: number };

// Totals of the lists do not change: the match was played and keeps its result.
async function removeHands(client: pg.PoolClient, jobIds: Sql, now: Date): Promise<Sums> {
  const sums = await deleteChunks(client, sql`c.job_id = ANY (${jobIds})`);
  await client.query(sql`DELETE FROM series WHERE job_id = ANY (${jobIds})`);
  await client.query(sql`DELETE FROM hand_indexes WHERE job_id = ANY (${jobIds})`);
  await client.query(sql`DELETE FROM match_sums WHERE job_id = ANY (${jobIds})`);
  await client.query(sql`DELETE FROM match_values WHERE job_id = ANY (${jobIds})`);
  await client.query(sql`UPDATE matches SET hands_removed_at = ${now} WHERE job_id = ANY (${jobIds})`);
  return sums;
}

function removeLostAttempts(client: pg.PoolClient, jobIds: Sql): Promise<Sums> {
  // The last attempt of a failed match stays readable.
  const lost = sql`EXISTS (SELECT FROM matches m WHERE m.job_id = c.job_id
    AND c.attempt <> coalesce(m.accepted_attempt, m.current_attempt))`;
  return deleteChunks(client, sql`c.job_id = ANY (${jobIds}) AND ${lost}`);
}

async function deleteChunks(client: pg.PoolClient, which: Sql): Promise<Sums> {
  const { rows } = await client.query<Sums>(sql`
    WITH removed AS (DELETE FROM chunks c WHERE ${which} RETURNING hands, octet_length(bytes) AS bytes)
    SELECT coalesce(sum(hands), 0)::float8 AS hands, coalesce(sum(bytes), 0)::float8 AS bytes FROM removed`);
  return rows[0] ?? { hands: 0, bytes: 0 };
}

async function removeLogs(client: pg.PoolClient, jobIds: Sql, now: Date): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(sql`
    SELECT coalesce(sum(octet_length(log)), 0)::float8 AS bytes FROM seat_reports WHERE job_id = ANY (${jobIds})`);
  await client.query(sql`UPDATE seat_reports SET log = '' WHERE job_id = ANY (${jobIds}) AND log <> ''`);
  await client.query(sql`UPDATE matches SET logs_removed_at = ${now} WHERE job_id = ANY (${jobIds})`);
  return rows[0]?.bytes ?? 0;
}

async function addToRun(
  client: pg.PoolClient,
  rule: RetentionRule,
  run: NewRetentionRun,
  removed: Removed,
): Promise<void> {
  const { matches, hands, bytes } = removed;
  await client.query(sql`
    INSERT INTO retention_runs AS r (id, started_at, keep_test_runs_days, keep_logs_days, test_runs, log_matches, hands, bytes)
    VALUES (${run.id}, ${run.startedAt}, ${run.keepTestRunsDays}, ${run.keepLogsDays}, ${rule === 'test-runs' ? matches : 0},
      ${rule === 'logs' ? matches : 0}, ${hands}, ${bytes})
    ON CONFLICT (id) DO UPDATE SET test_runs = r.test_runs + excluded.test_runs, log_matches = r.log_matches + excluded.log_matches,
      hands = r.hands + excluded.hands, bytes = r.bytes + excluded.bytes`);
}

/** Records the end of a run. Does nothing for a run that removed nothing. */
export async function endRun(db: Database, id: string, now: Date): Promise<void> {
  await db.prisma.retentionRun.updateMany({ where: { id }, data: { endedAt: now } });
}

/** Returns the last run that removed something, or null, and the sums over all runs. */
export async function readRetention(db: Database) {
  const [lastRun, { _sum: sums }] = await Promise.all([
    db.prisma.retentionRun.findFirst({ orderBy: { startedAt: 'desc' } }),
    db.prisma.retentionRun.aggregate({ _sum: { testRuns: true, logMatches: true, hands: true, bytes: true } }),
  ]);
  return { lastRun, sums };
}
