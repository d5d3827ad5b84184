import { ids, json, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import { type ChainHead, type ChainRecord, type Commitment, linkRecords } from '../domain/commitment-chain.ts';
import { committedStates } from '../domain/job-state.ts';
import { ChainBroken, chainProblem } from './chain-check.ts';
import { notifyQueue } from './queue.ts';

const columns = sql`number::float8, kind, job_hash AS "jobHash", commitment, made_at AS "madeAt", previous, hash, seeds`;

/**
 * Appends commitments to the platform's chain. Returns the numbers of the records in the same order. Holds the chain's advisory lock until
 * the transaction ends, so callers must take all other locks before. Throws ChainBroken while the chain is broken.
 */
export async function appendCommitments(
  client: pg.ClientBase,
  commitments: readonly Commitment[],
  now: number,
): Promise<number[]> {
  if (commitments.length === 0) return [];
  const problem = await chainProblem(client);
  if (problem !== '') throw new ChainBroken(problem);
  await lockChain(client);
  const records = linkRecords(await readHead(client), commitments, now);
  await client.query(
    sql`INSERT INTO commitments (number, kind, job_hash, commitment, made_at, previous, hash, seeds)
        SELECT number, kind, "jobHash", commitment, "madeAt", previous, hash, seeds FROM jsonb_to_recordset(${json(records)})
          AS r(number bigint, kind text, "jobHash" text, commitment text, "madeAt" timestamptz, previous text, hash text, seeds jsonb)`,
  );
  return records.map((record) => record.number);
}

/** Takes the chain's advisory lock until the transaction ends. */
export async function lockChain(client: pg.ClientBase): Promise<void> {
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended('commitments', 13))`);
}

/** Returns the newest record; undefined while the chain is empty. */
export async function readHead(client: pg.Pool | pg.ClientBase): Promise<ChainHead | undefined> {
  const { rows } = await client.query<ChainRecord>(
    sql`SELECT ${columns} FROM commitments ORDER BY number DESC LIMIT 1`,
  );
  return rows[0];
}

/** Returns the record that fulfils a condition. */
export async function readRecord(pool: pg.Pool, where: Sql): Promise<ChainRecord | undefined> {
  const { rows } = await pool.query<ChainRecord>(sql`SELECT ${columns} FROM commitments WHERE ${where}`);
  return rows[0];
}

/** Returns records in order, starting after number `after`. */
export async function listCommitments(pool: pg.Pool, after: number, limit: number): Promise<ChainRecord[]> {
  const { rows } = await pool.query<ChainRecord>(
    sql`SELECT ${columns} FROM commitments WHERE number > ${after} ORDER BY number LIMIT ${limit}`,
  );
  return rows;
}

/**
 * Appends the records of up to `limit` waiting jobs without one, so that they can be claimed: jobs from before the chain, and
 * jobs created by a replica of the previous version. Returns the number of appended records.
 */
export function appendMissing(pool: pg.Pool, limit: number, now: number): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; commitment: string }>(
      sql`SELECT id, commitment FROM jobs WHERE commitment_number IS NULL AND state = ANY (${texts(committedStates)})
          ORDER BY job_number LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
    );
    if (rows.length === 0 || (await chainProblem(client)) !== '') return 0;
    const numbers = await appendCommitments(client, rows, now);
    await client.query(
      sql`UPDATE jobs SET commitment_number = added.number
          FROM unnest(${ids(rows.map((row) => row.id))}, ${numbers}::bigint[]) AS added(id, number)
          WHERE jobs.id = added.id`,
    );
    await notifyQueue(client);
    return rows.length;
  });
}
