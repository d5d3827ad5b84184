import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { holdsLease, type Match } from '../domain/match.ts';
import type { MatchIndex } from '../domain/match-index.ts';
import type { AttemptState, PackedChunk } from '../domain/record.ts';
import { leaseLost } from '../domain/refusals.ts';
import type { Attempt } from '../generated/client.ts';
import type { Database } from './database.ts';
import { indexQueries } from './hand-indexes.ts';
import { lockMatch } from './matches.ts';
import { changeMatch } from './totals.ts';

export type { Attempt };

/**
 * Returns a query named `held` with the id of the match if this attempt has its lease (holdsLease), otherwise without a row. Locks the
 * match's row until the end of the transaction.
 */
const lockedLease = (jobId: string, attempt: number) => sql`held AS MATERIALIZED (
  SELECT job_id FROM matches WHERE job_id = ${jobId}::uuid AND coalesce(accepted_attempt, current_attempt) = ${attempt} FOR UPDATE)`;

async function lockLease(client: pg.PoolClient, jobId: string, attempt: number): Promise<Match> {
  const match = await lockMatch(client, jobId);
  if (match === null || !holdsLease(match, attempt)) throw leaseLost();
  return match;
}

const attemptQuery = (jobId: string, attempt: number) => sql`
  SELECT job_id AS "jobId", attempt, started_at AS "startedAt", hands, stacks, big_blind_seat AS "bigBlindSeat", next_button AS "nextButton", digest,
    verified_at AS "verifiedAt" FROM attempts WHERE job_id = ${jobId}::uuid AND attempt = ${attempt}`;

export async function findAttempt(db: Database, jobId: string, attempt: number): Promise<Attempt | null> {
  const { rows } = await db.pool.query<Attempt>(attemptQuery(jobId, attempt));
  return rows[0] ?? null;
}

/** Makes an attempt the current one of its match and voids earlier ones. Idempotent. Throws ABORTED for a voided attempt. */
export async function openAttempt(
  db: Database,
  jobId: string,
  attempt: number,
  startedAt: Date,
  state: AttemptState,
): Promise<{ opened: boolean }> {
  return inTransaction(db.pool, async (client) => {
    const match = await lockMatch(client, jobId);
    if (match === null) throw leaseLost();
    if (holdsLease(match, attempt)) return { opened: false };
    if (match.acceptedAttempt !== null || attempt < match.currentAttempt) throw leaseLost();
    const fresh = { currentAttempt: attempt, status: 'Running', firstHandAt: null, hands: 0, endReason: '' };
    await changeMatch(client, match, { ...fresh, logsRemovedAt: null });
    const { hands, stacks, bigBlindSeat, nextButton, digest } = state;
    await client.query(
      sql`INSERT INTO attempts (job_id, attempt, started_at, hands, stacks, big_blind_seat, next_button, digest)
        VALUES (${jobId}, ${attempt}, ${startedAt}, ${hands}, ${[...stacks]}, ${bigBlindSeat}, ${nextButton}, ${Buffer.from(digest)})`,
    );
    return { opened: true };
  });
}

/**
 * Stores a chunk and the state after it by compare-and-set on the number of hands. Returns false if the number has changed. Throws ABORTED
 * if the lease is lost. One statement, except for the first chunk, which changes the totals.
 */
export async function storeChunk(
  db: Database,
  jobId: string,
  attempt: number,
  before: number,
  chunk: PackedChunk,
  after: AttemptState,
  now: Date,
): Promise<boolean> {
  const append = sql`WITH ${lockedLease(jobId, attempt)}, moved AS (
      UPDATE attempts a SET hands = ${after.hands}, stacks = ${[...after.stacks]}::int[],
        big_blind_seat = ${after.bigBlindSeat}::int, next_button = ${after.nextButton}::int, digest = ${Buffer.from(after.digest)}
      FROM held WHERE a.job_id = held.job_id AND a.attempt = ${attempt} AND a.hands = ${before} AND a.verified_at IS NULL
      RETURNING a.job_id
    ), stored AS (
      INSERT INTO chunks (job_id, attempt, first_hand, hands, bytes)
      SELECT job_id, ${attempt}::int, ${chunk.firstHand}::int, ${chunk.hands}::int, ${Buffer.from(chunk.bytes)}::bytea FROM moved
    ) SELECT EXISTS (SELECT FROM held) AS held, EXISTS (SELECT FROM moved) AS moved`;
  if (before > 0) return isMoved((await db.pool.query<Appended>(append)).rows);
  return inTransaction(db.pool, async (client) => {
    const match = await lockLease(client, jobId, attempt);
    if (!isMoved((await client.query<Appended>(append)).rows)) return false;
    if (match.firstHandAt === null) await changeMatch(client, match, { firstHandAt: now });
    return true;
  });
}

interface Appended {
  readonly held: boolean;
  readonly moved: boolean;
}

/** Returns whether the chunk was appended. Throws ABORTED if the lease is lost. */
function isMoved([row]: readonly Appended[]): boolean {
  if (row?.held !== true) throw leaseLost();
  return row.moved;
}

/**
 * Marks an attempt as verified and stores its series, its index and, if present, its repacked chunks. Idempotent. Throws ABORTED if the lease
 * is lost. One statement, unless there are repacked chunks.
 */
export async function storeVerified(
  db: Database,
  jobId: string,
  attempt: number,
  verified: { series: Uint8Array; index: MatchIndex; endReason: string; repacked: readonly PackedChunk[] | null },
  now: Date,
): Promise<void> {
  const { series, index, endReason, repacked } = verified;
  const store = sql`WITH ${lockedLease(jobId, attempt)}, stored AS (
      INSERT INTO series (job_id, attempt, bytes) SELECT job_id, ${attempt}::int, ${Buffer.from(series)}::bytea FROM held
      ON CONFLICT (job_id) DO UPDATE SET attempt = excluded.attempt, bytes = excluded.bytes
    ), ${indexQueries(attempt, index)}, marked AS (
      UPDATE attempts a SET verified_at = ${now} FROM held WHERE a.job_id = held.job_id AND a.attempt = ${attempt}
    ) UPDATE matches m SET end_reason = ${endReason} FROM held WHERE m.job_id = held.job_id`;
  if (repacked === null) {
    if ((await db.pool.query(store)).rowCount !== 1) throw leaseLost();
    return;
  }
  await inTransaction(db.pool, async (client) => {
    const { rowCount } = await client.query(sql`WITH ${lockedLease(jobId, attempt)} SELECT FROM held`);
    if (rowCount !== 1) throw leaseLost();
    await client.query(sql`DELETE FROM chunks WHERE job_id = ${jobId}::uuid AND attempt = ${attempt}`);
    await client.query(
      sql`INSERT INTO chunks (job_id, attempt, first_hand, hands, bytes)
        SELECT ${jobId}::uuid, ${attempt}::int, packed.* FROM unnest(${repacked.map((chunk) => chunk.firstHand)}::int[],
          ${repacked.map((chunk) => chunk.hands)}::int[], ${repacked.map((chunk) => Buffer.from(chunk.bytes))}::bytea[]) AS packed`,
    );
    await client.query(store);
  });
}

/**
 * Makes a verified attempt the accepted one. Idempotent. Returns false if the match was deleted, the attempt is not verified,
 * or another one was accepted.
 */
export async function acceptAttempt(db: Database, jobId: string, attempt: number, now: Date): Promise<boolean> {
  return inTransaction(db.pool, async (client) => {
    const match = await lockMatch(client, jobId);
    const [row] = (await client.query<Attempt>(attemptQuery(jobId, attempt))).rows;
    if (match === null || row === undefined || row.verifiedAt === null) return false;
    if (match.acceptedAttempt !== null) return match.acceptedAttempt === attempt;
    const firstHandAt = match.firstHandAt ?? (row.hands > 0 ? now : null);
    await changeMatch(client, match, { acceptedAttempt: attempt, status: 'Finished', hands: row.hands, firstHandAt });
    return true;
  });
}
