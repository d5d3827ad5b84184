import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import { type ChainHead, type ChainRecord, linkRecords } from '../domain/commitment-chain.ts';
import { notifyQueue } from './queue.ts';

const columns = 'number::float8, job_hash AS "jobHash", commitment, made_at AS "madeAt", previous, hash';

/**
 * Appends the commitments of jobs to the platform's chain and returns the number of each record, in the order given. Others
 * that append wait until the transaction ends, so take every other lock before.
 */
export async function appendCommitments(
  client: pg.ClientBase,
  jobs: readonly { readonly id: string; readonly commitment: string }[],
  now: number,
): Promise<number[]> {
  if (jobs.length === 0) return [];
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('commitments', 13))");
  const records = linkRecords(await readHead(client), jobs, now);
  await client.query(
    `INSERT INTO commitments (number, job_hash, commitment, made_at, previous, hash)
     SELECT number, "jobHash", commitment, "madeAt", previous, hash FROM jsonb_to_recordset($1)
       AS r(number bigint, "jobHash" text, commitment text, "madeAt" timestamptz, previous text, hash text)`,
    [JSON.stringify(records)],
  );
  return records.map((record) => record.number);
}

/** The newest record; undefined while the chain is empty. */
export async function readHead(client: pg.Pool | pg.ClientBase): Promise<ChainHead | undefined> {
  const { rows } = await client.query<ChainRecord>(`SELECT ${columns} FROM commitments ORDER BY number DESC LIMIT 1`);
  return rows[0];
}

/** Records in order from the one after `after`. */
export async function listCommitments(pool: pg.Pool, after: number, limit: number): Promise<ChainRecord[]> {
  const { rows } = await pool.query<ChainRecord>(
    `SELECT ${columns} FROM commitments WHERE number > $1 ORDER BY number LIMIT $2`,
    [after, limit],
  );
  return rows;
}

/**
 * Appends the records of up to `limit` waiting jobs that have none, so that they can be claimed: those of before the chain,
 * and those that a replica of the version before has made. Returns how many there were.
 */
export function appendMissing(pool: pg.Pool, limit: number, now: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; commitment: string }>(
      `SELECT id, commitment FROM jobs WHERE commitment_number IS NULL AND state IN ('QUEUED', 'PAUSED')
       ORDER BY job_number LIMIT $1 FOR UPDATE SKIP LOCKED`,
      [limit],
    );
    if (rows.length === 0) return 0;
    const numbers = await appendCommitments(client, rows, now);
    await client.query(
      `UPDATE jobs SET commitment_number = added.number
       FROM unnest($1::uuid[], $2::bigint[]) AS added(id, number) WHERE jobs.id = added.id`,
      [rows.map((row) => row.id), numbers],
    );
    await notifyQueue(client);
    return rows.length;
  });
}
