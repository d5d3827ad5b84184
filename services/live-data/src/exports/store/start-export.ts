import { randomUUID } from 'node:crypto';
import { json, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import type pg from 'pg';
import type { Database } from '../../store/database.ts';
import { dayOf, type ExportInput, type Scope } from '../domain/scope.ts';
import { type Export, findExport, isCurrent } from './exports.ts';

export interface NewExport {
  readonly scope: Scope;
  readonly signature: string;
  readonly jobIds: readonly string[];
  readonly forPublic: boolean;
  readonly createdBy: string;
  readonly createdFrom: string;
  readonly input: ExportInput;
}

/** What a user has started. */
export interface Started {
  /** Number of exports that are not ended. */
  readonly open: number;
  /** When the `limit`th newest export since a time was started; null: there are fewer. */
  readonly blockingStart: Date | null;
}

export interface Quota {
  readonly since: Date;
  readonly limit: number;
  /** Throws if the user may not start another export. */
  check(started: Started): void;
}

/**
 * Stores an export, or returns the current one with the same signature. With `quota`, checks it first; the calls of one user are checked
 * one after the other.
 */
export async function insertExport(db: Database, added: NewExport, quota: Quota | undefined): Promise<Export> {
  const id = await inTransaction(db.pool, async (client) => {
    if (quota !== undefined) {
      const key = `live_data.exports.${added.createdBy}`;
      await client.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))::text`);
    }
    const known = await currentId(client, added.signature);
    if (known !== undefined) return known;
    if (quota !== undefined) quota.check(await countStarted(client, added.createdBy, quota));
    await client.query(insertQuery(added));
    return currentId(client, added.signature);
  });
  const stored = id === undefined ? null : await findExport(db, id);
  if (stored === null) throw new Error('the export was not stored');
  return stored;
}

async function currentId(client: pg.PoolClient, signature: string): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    sql`SELECT id FROM exports WHERE signature = ${signature} AND ${isCurrent}`,
  );
  return rows[0]?.id;
}

async function countStarted(client: pg.PoolClient, createdBy: string, { since, limit }: Quota): Promise<Started> {
  const { rows } = await client.query<Started>(
    sql`SELECT (SELECT count(*)::int FROM exports WHERE created_by = ${createdBy}::uuid AND state IN ('waiting', 'running')) AS open,
      (SELECT created_at FROM exports WHERE created_by = ${createdBy}::uuid AND created_at >= ${since}
        ORDER BY created_at DESC OFFSET ${limit - 1} LIMIT 1) AS "blockingStart"`,
  );
  return rows[0] ?? { open: 0, blockingStart: null };
}

function insertQuery({ scope, signature, jobIds, forPublic, createdBy, createdFrom, input }: NewExport) {
  const [from, to] = scope.batchId === null ? [dayOf(scope.from), dayOf(scope.to)] : [null, null];
  return sql`INSERT INTO exports (id, batch_id, period_from, period_to, signature, job_ids, for_public, created_by, created_from, input)
    VALUES (${randomUUID()}, ${scope.batchId}, ${from}, ${to}, ${signature}, ${[...jobIds]}, ${forPublic}, ${createdBy}, ${createdFrom}, ${json(input)})
    ON CONFLICT DO NOTHING`;
}
