import type { UserChanged__Output } from '@husky/contracts/types/events/v1/UserChanged';
import { sql } from '@husky/runtime/database/sql';
import type { Context } from '../context.ts';
import { endExport, isCurrent } from '../exports/store/exports.ts';

/** Drops the exports that have the name of a deleted user; one that is started again has the tombstone's. Idempotent. */
export async function onUserChanged({ db, now }: Context, { userId, change }: UserChanged__Output): Promise<void> {
  if (change !== 'DELETED') return;
  const { rows } = await db.pool.query<{ id: string }>(
    sql`SELECT id FROM exports WHERE ${isCurrent} AND input -> 'names' ? ${userId}`,
  );
  const problem = 'A player of its matches has deleted their account. Please start it again.';
  for (const { id } of rows) await endExport(db, id, 'dropped', problem, new Date(now()));
}
