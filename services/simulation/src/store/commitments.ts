import { headText, noteKey, signNote } from '@husky/match/signed-note';
import { at, ids, json, type Sql, sql, texts } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import {
  type ChainHead,
  type ChainRecord,
  type Commitment,
  keyChange,
  linkRecords,
  makeKey,
  type SigningKey,
  signerOf,
} from '../domain/commitment-chain.ts';
import { committedStates } from '../domain/job-state.ts';
import type { AuditWriter } from './audit.ts';
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

/** Makes the first key of the platform unless there is one. Replicas that start at once agree on one. */
export async function ensureSigningKey(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query(sql`SELECT FROM signing_keys LIMIT 1`);
  if (rows.length === 0) await insertKey(pool, 1, makeKey(), '', now);
}

async function insertKey(
  client: pg.Pool | pg.ClientBase,
  number: number,
  key: SigningKey,
  change: string,
  now: number,
) {
  const { name, publicKey, privateKey } = key;
  await client.query(
    sql`INSERT INTO signing_keys (number, name, public_key, private_key, change, made_at)
        VALUES (${number}, ${name}, ${publicKey}, ${privateKey}, ${change}, ${at(now)}) ON CONFLICT (number) DO NOTHING`,
  );
}

/** Returns the key that signs now. */
async function readSigningKey(client: pg.Pool | pg.ClientBase): Promise<SigningKey & { readonly number: number }> {
  const { rows } = await client.query<SigningKey & { number: number }>(
    sql`SELECT number, name, public_key AS "publicKey", private_key AS "privateKey" FROM signing_keys
        ORDER BY number DESC LIMIT 1`,
  );
  if (!rows[0]) throw new Error('there is no signing key');
  return rows[0];
}

/** A key without its private part, with the note by which the key before names it. */
export interface PublicKey {
  readonly key: string;
  readonly change: string;
  readonly madeAt: Date;
}

/** Returns all keys of the platform, the one that signs last. */
export async function listKeys(client: pg.Pool | pg.ClientBase): Promise<PublicKey[]> {
  const { rows } = await client.query<{ name: string; publicKey: Buffer; change: string; madeAt: Date }>(
    sql`SELECT name, public_key AS "publicKey", change, made_at AS "madeAt" FROM signing_keys ORDER BY number`,
  );
  return rows.map(({ name, publicKey, change, madeAt }) => ({ key: noteKey(name, publicKey).text, change, madeAt }));
}

/** Signs a text, which is made with the name of the platform. */
export async function signText(pool: pg.Pool, textOf: (name: string) => string): Promise<string> {
  const key = await readSigningKey(pool);
  return signNote(textOf(key.name), [signerOf(key)]);
}

/** Returns the signed note of a head of the chain; empty without a record. */
export async function signHead(pool: pg.Pool, head: ChainHead | undefined): Promise<string> {
  return head ? signText(pool, (name) => headText(name, head)) : '';
}

/**
 * Replaces the key `before` by a new one, which the old one names, and deletes the old one's private part. Throws ABORTED if another key signs now.
 */
export function replaceKey(
  pool: pg.Pool,
  before: string,
  now: number,
  audit: (next: string) => AuditWriter,
): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(sql`SELECT FROM signing_keys ORDER BY number DESC LIMIT 1 FOR UPDATE`);
    const old = await readSigningKey(client);
    if (noteKey(old.name, old.publicKey).text !== before) {
      throw new DomainError('ABORTED', 'signing-key-changed', 'Another key signs now. Please reload the page.');
    }
    const next = makeKey(old.name);
    await client.query(sql`UPDATE signing_keys SET private_key = NULL WHERE number = ${old.number}`);
    await insertKey(client, old.number + 1, next, keyChange(old, next, now), now);
    await audit(noteKey(next.name, next.publicKey).text)(client);
  });
}
