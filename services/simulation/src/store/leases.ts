import { at, empty, json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { type QueueClass, queueCost, type RunnerState, runnerState } from '../domain/job.ts';
import { jobState, jobsTransition } from '../domain/job-state.ts';
import { lossVerdict, type SeatUsage, type Unfetched } from '../domain/loss.ts';
import { changeJob, failureColumns, type LockedJob, lockJob } from './job-changes.ts';
import { chargeClass, chooseNext, chooseUnlisted, hasWaiting } from './queue.ts';

/** A runner's right to play one attempt of a match. `attempt` is its fencing token. */
export interface Lease {
  readonly jobId: string;
  readonly attempt: number;
}

/** A runner that requests work. */
export interface Claimant {
  readonly runner: string;
  readonly version: string;
  /** The newest rules that it knows. */
  readonly rulesVersion: number;
  /** Totals since the start of its dealer; null if it does not report them. */
  readonly totals?: object | null;
}

interface LeaseOptions {
  readonly now: number;
  readonly leaseSeconds: number;
}

/** Leases the next job of the queue to a runner as a new attempt; undefined if there is none or the runner is cordoned. */
export async function claimNext(
  pool: pg.Pool,
  { runner, version, rulesVersion }: Claimant,
  { now, leaseSeconds, weights }: LeaseOptions & { readonly weights: Readonly<Record<QueueClass, number>> },
): Promise<Lease | undefined> {
  if (!(await hasWaiting(pool))) return undefined;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ cordoned: boolean }>(
      sql`SELECT cordoned FROM runners WHERE name = ${runner} FOR UPDATE`,
    );
    if (rows[0]?.cordoned) return undefined;
    const next =
      (await chooseNext(client, rulesVersion, weights, queueCost)) ??
      (await chooseUnlisted(client, { runner, rulesVersion }, now));
    if (next === undefined) return undefined;
    // One statement: other claimers wait until the commit.
    const claimed = await client.query<Lease>(
      sql`WITH charged AS (${chargeClass(next)}),
            job AS (
              UPDATE jobs SET state = ${jobsTransition('claimed', false).to}, attempt = attempt + 1, runner = ${runner},
                lease_expires_at = ${at(now + leaseSeconds * 1000)}, seats_running = false, hands_done = 0,
                progress_at = ${at(now)}, started_at = coalesce(started_at, ${at(now)})
              WHERE id = ${next.id} RETURNING id, attempt),
            attempt AS (
              INSERT INTO attempts (job_id, attempt, runner, version, claimed_at)
              SELECT id, attempt, ${runner}, ${version}, ${at(now)} FROM job),
            runner AS (
              UPDATE runners SET state = ${runnerState.acquired}, job_id = ${next.id}, last_seen = ${at(now)}
              WHERE name = ${runner})
          SELECT id AS "jobId", attempt FROM job`,
    );
    return claimed.rows[0];
  });
}

export interface RunnerReport {
  readonly state: RunnerState;
  readonly handsDone: number;
  readonly handsPerSecond: number;
  readonly usage: readonly SeatUsage[];
  readonly totals?: object | null;
}

/** Renews a lease and stores the runner's report. Returns false, without a change, if the lease is not current. */
export async function renewLease(
  pool: pg.Pool,
  lease: Lease,
  runner: string,
  report: RunnerReport,
  { now, leaseSeconds }: LeaseOptions,
): Promise<boolean> {
  const active = report.state === runnerState.active;
  const saveUsage = sql`UPDATE attempts SET usage = ${json(report.usage)} FROM job
    WHERE job_id = job.id AND attempt = ${lease.attempt}`;
  const { rowCount } = await pool.query(
    sql`WITH job AS (
          UPDATE jobs SET lease_expires_at = ${at(now + leaseSeconds * 1000)},
            hands_done = greatest(hands_done, ${report.handsDone}), seats_running = ${active},
            progress_at = CASE WHEN hands_done >= ${report.handsDone} AND seats_running = ${active}
              THEN coalesce(progress_at, ${at(now)}) ELSE ${at(now)} END
          WHERE id = ${lease.jobId} AND attempt = ${lease.attempt} AND state = ${jobState.running} RETURNING id)
        ${report.usage.length > 0 ? sql`, usage AS (${saveUsage})` : empty}
        UPDATE runners SET state = ${report.state}, job_id = job.id, hands_per_second = ${report.handsPerSecond},
          last_seen = ${at(now)} ${report.totals ? sql`, totals = ${json(report.totals)}` : empty}
        FROM job WHERE name = ${runner}`,
  );
  return rowCount === 1;
}

/**
 * Returns a match to its place in the queue without counting a loss. Failed fetches of packages count for their seat. Returns
 * false, without a change, if the lease is not current.
 */
export function handBack(
  pool: pg.Pool,
  lease: Lease,
  { reason, unfetched }: { readonly reason: string; readonly unfetched: readonly Unfetched[] },
  now: number,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const job = await lockLeased(client, lease);
    if (!job) return false;
    for (const { seat, cause } of unfetched) {
      await client.query(
        sql`UPDATE job_seats SET unfetched_tries = unfetched_tries + 1, unfetched_cause = ${cause}
            WHERE job_id = ${job.id} AND seat = ${seat} AND packages_hash <> ''`,
      );
    }
    return changeJob(client, job, 'handedBack', { now, cause: reason, set: sql`, hands_done = 0` });
  });
}

export interface Loss {
  readonly cause: string;
  /** Whether the runner suspects the bots; absent: they are suspect if their seats were running. */
  readonly suspect?: boolean;
  readonly usage?: readonly SeatUsage[];
  /** Ends the attempt only if its lease has expired by this time (ms since the epoch). */
  readonly expiredBy?: number;
}

/** Ends a lost attempt: the match is queued again, or fails after too many losses. No effect if the lease is not current. */
export function loseAttempt(pool: pg.Pool, lease: Lease, loss: Loss, now: number): Promise<void> {
  return inTransaction(pool, async (client) => {
    const job = await lockLeased(client, lease);
    if (!job) return;
    const { rows } = await client.query<{ expiresAt: Date | null; usage: SeatUsage[] | null }>(
      sql`SELECT j.lease_expires_at AS "expiresAt", a.usage FROM jobs j
          LEFT JOIN attempts a ON a.job_id = j.id AND a.attempt = j.attempt WHERE j.id = ${job.id}`,
    );
    const expiresAt = rows[0]?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    if (loss.expiredBy !== undefined && expiresAt > loss.expiredBy) return;
    const suspect = loss.suspect ?? job.seatsRunning;
    const suspectLosses = job.suspectLosses + (suspect ? 1 : 0);
    const otherLosses = job.otherLosses + (suspect ? 0 : 1);
    const counts = sql`, suspect_losses = ${suspectLosses}, other_losses = ${otherLosses}`;
    const reported = loss.usage ?? [];
    const usage = reported.length > 0 ? reported : (rows[0]?.usage ?? []);
    const verdict = lossVerdict({ suspectLosses, otherLosses }, loss.cause, usage);
    const details = { now, cause: loss.cause, suspect, usage };
    if (verdict === undefined) {
      await changeJob(client, job, 'lost', { ...details, set: sql`, hands_done = 0 ${counts}` });
    } else {
      const set = sql`${failureColumns(verdict, now)} ${counts}`;
      await changeJob(client, job, 'givenUp', { ...details, reason: verdict, set });
    }
  });
}

/**
 * Returns at most 200 leases that have expired by `now` (ms since the epoch), in random order, so that failing ones are not always first.
 */
export async function expiredLeases(pool: pg.Pool, now: number): Promise<Lease[]> {
  const { rows } = await pool.query<Lease>(
    sql`SELECT id AS "jobId", attempt FROM jobs WHERE state = ${jobState.running} AND lease_expires_at <= ${at(now)}
        ORDER BY random() LIMIT 200`,
  );
  return rows;
}

const hourMs = 60 * 60_000;

/**
 * Shortens leases that were given before PostgreSQL's clock went back by hours: one that expires more than an hour later than a new one
 * expires after one lease time, unless a heartbeat renews it. A replica with another LEASE_SECONDS gives no lease that long.
 */
export async function shortenLeases(pool: pg.Pool, { now, leaseSeconds }: LeaseOptions): Promise<void> {
  const expiresAt = now + leaseSeconds * 1000;
  await pool.query(
    sql`UPDATE jobs SET lease_expires_at = ${at(expiresAt)}
        WHERE state = ${jobState.running} AND lease_expires_at > ${at(expiresAt + hourMs)}`,
  );
}

/**
 * Registers a runner that requests work. A runner that requests work plays nothing, so an attempt that it still holds is lost
 * immediately, without waiting for the lease expiry.
 */
export async function registerClaimant(
  pool: pg.Pool,
  { runner, version, rulesVersion, totals }: Claimant,
  now: number,
): Promise<void> {
  const stored = totals ? json(totals) : sql`NULL`;
  const { rows } = await pool.query<Lease>(
    sql`WITH registered AS (
          INSERT INTO runners (name, state, version, rules_version, last_seen, totals)
          VALUES (${runner}, ${runnerState.idle}, ${version}, ${rulesVersion}, ${at(now)}, ${stored})
          ON CONFLICT (name) DO UPDATE SET version = excluded.version, rules_version = excluded.rules_version,
            last_seen = excluded.last_seen, state = excluded.state, job_id = NULL, totals = excluded.totals)
        SELECT id AS "jobId", attempt FROM jobs WHERE state = ${jobState.running} AND runner = ${runner}`,
  );
  for (const lease of rows) await loseAttempt(pool, lease, { cause: 'the runner was started anew' }, now);
}

async function lockLeased(client: pg.ClientBase, lease: Lease): Promise<LockedJob | undefined> {
  const job = await lockJob(client, lease.jobId);
  return job?.state === jobState.running && job.attempt === lease.attempt ? job : undefined;
}
