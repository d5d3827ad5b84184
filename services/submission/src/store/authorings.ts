import type { Audience } from '@husky/contracts/authoring';
import { keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import { submissionNotFound } from '../domain/bot-files.ts';

export interface StoredAuthoring {
  readonly submissionId: string;
  readonly userId: string;
  readonly botHash: string;
  readonly createdAt: Date;
  readonly shown: Audience;
  readonly recordJson: string;
}

/**
 * Stores how a submission was written. Returns its id, also if the same archive is stored already. Throws ALREADY_EXISTS for another one,
 * NOT_FOUND if the submission was deleted.
 */
export function addAuthoring(pool: pg.Pool, id: string, archive: Buffer, record: object, by: Caller): Promise<string> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(sql`SELECT FROM submissions WHERE id = ${id} FOR UPDATE`);
    if (rowCount === 0) throw submissionNotFound();
    await refuseRepeated(client, 'authorings');
    const { rows } = await client.query<{ same: boolean }>(
      sql`SELECT archive = ${archive} AS same FROM authorings WHERE id = ${id}`,
    );
    if (rows[0]?.same) return id;
    if (rows[0]) {
      const message = 'It is stored already how this submission was written. Delete that first.';
      throw new DomainError('ALREADY_EXISTS', 'authoring-exists', message);
    }
    await client.query(
      sql`INSERT INTO authorings (id, archive, record) VALUES (${id}, ${archive}, ${JSON.stringify(record)})`,
    );
    await keepRequestKey(client, 'authorings', id);
    await audit(client, by, 'authoring.uploaded', id);
    return id;
  });
}

/** Sets who sees it. Returns false if there is none. */
export function showAuthoring(pool: pg.Pool, id: string, shown: Audience, by: Caller): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ shown: string }>(
      sql`UPDATE authorings SET shown = ${shown} FROM (SELECT shown FROM authorings WHERE id = ${id} FOR UPDATE) AS old
          WHERE id = ${id} RETURNING old.shown`,
    );
    if (rows[0] && rows[0].shown !== shown) {
      await audit(client, by, 'authoring.shown', id, { before: { shown: rows[0].shown }, after: { shown } });
    }
    return rows[0] !== undefined;
  });
}

/** Deletes it. Idempotent. */
export function deleteAuthoring(pool: pg.Pool, id: string, by: Caller): Promise<void> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(sql`DELETE FROM authorings WHERE id = ${id}`);
    if (rowCount) await audit(client, by, 'authoring.deleted', id);
  });
}

const maxListed = 10;

/** Returns what is stored of a submission, or of the submissions of a user, the newest ten first. `shown`: without private ones. */
export async function findAuthorings(
  pool: pg.Pool,
  of: { readonly submissionId?: string; readonly userId?: string; readonly shown?: boolean },
): Promise<StoredAuthoring[]> {
  const { submissionId = null, userId = null, shown = false } = of;
  const { rows } = await pool.query(
    sql`SELECT s.id AS "submissionId", s.user_id AS "userId", s.bot_hash AS "botHash", a.created_at AS "createdAt", a.shown,
          a.record AS "recordJson" FROM authorings a JOIN submissions s USING (id)
        WHERE (s.id = ${submissionId}::uuid OR s.user_id = ${userId}::uuid) AND NOT (${shown} AND a.shown = 'private')
        ORDER BY a.created_at DESC, s.id LIMIT ${maxListed}`,
  );
  return rows;
}

export async function readArchive(pool: pg.Pool, id: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ archive: Buffer }>(sql`SELECT archive FROM authorings WHERE id = ${id}`);
  return rows[0]?.archive;
}

function audit(client: pg.ClientBase, by: Caller, action: string, subjectId: string, change: object = {}) {
  return emitAudit(client, 'submission', by, { action, subjectKind: 'submission', subjectId, ...change });
}
