import type pg from 'pg';
import { DomainError } from '../rpc/errors.ts';
import { currentRequestKey, type RequestKey } from '../rpc/request-key.ts';
import { raw, sql } from './sql.ts';

/** Stops the creation of what an earlier call with the same key has created. */
class CreatedBefore extends DomainError {
  readonly id: string;

  constructor(id: string) {
    super('ALREADY_EXISTS', 'created-before', 'An earlier request with this Idempotency-Key has created this.');
    this.id = id;
  }
}

/** Runs `create`, which returns the id of what it creates. If refuseRepeated stops it, returns the id of what exists. */
export async function idOnce(create: () => Promise<string>): Promise<string> {
  try {
    return await create();
  } catch (error) {
    if (error instanceof CreatedBefore) return error.id;
    throw error;
  }
}

/**
 * Returns the id of the row that a call with the current request's key has created; undefined: none, or the request has no key. In a
 * transaction, waits for the end of the same call in another one. Throws if that call had other content. `table` has the columns id,
 * request_key (unique) and request_digest.
 */
export async function findCreated(client: pg.Pool | pg.ClientBase, table: string): Promise<string | undefined> {
  const request = currentRequestKey();
  if (request === undefined) return undefined;
  await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${request.key}, 17))`);
  const { rows } = await client.query<{ id: string; digest: string }>(
    sql`SELECT id, request_digest AS digest FROM ${raw(table)} WHERE request_key = ${request.key}`,
  );
  if (rows[0]) refuseOtherContent(request, rows[0].digest);
  return rows[0]?.id;
}

/** As findCreated, but throws what idOnce catches. Call it first in the transaction that creates, before quotas are checked. */
export async function refuseRepeated(client: pg.Pool | pg.ClientBase, table: string): Promise<void> {
  const id = await findCreated(client, table);
  if (id !== undefined) throw new CreatedBefore(id);
}

/** Stores the current request's key with the row that it has created. */
export async function keepRequestKey(client: pg.ClientBase, table: string, id: string): Promise<void> {
  const request = currentRequestKey();
  if (request === undefined) return;
  await client.query(
    sql`UPDATE ${raw(table)} SET request_key = ${request.key}, request_digest = ${request.digest} WHERE id = ${id}`,
  );
}

/** Throws INVALID_ARGUMENT (422 at the edge) when a key was used for something else. */
export function refuseOtherContent(request: RequestKey, digest: string): void {
  if (request.digest === digest) return;
  const message = 'This Idempotency-Key was used for another request. Send a new key for each thing that you create.';
  throw new DomainError('INVALID_ARGUMENT', 'idempotency-key-reused', message);
}
