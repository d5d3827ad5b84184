import { headText, noteKey, signNote } from '@husky/match/signed-note';
import { at, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { type ChainHead, keyChange, makeKey, type SigningKey, signerOf } from '../domain/commitment-chain.ts';
import type { AuditWriter } from './audit.ts';

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
