import type { JobEnded__Output } from '@husky/contracts/types/events/v1/JobEnded';
import type { UserChanged__Output } from '@husky/contracts/types/events/v1/UserChanged';
import { sql } from '@husky/runtime/database/sql';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import type { Context } from '../context.ts';
import { endExport, isCurrent } from '../exports/store/exports.ts';
import { deleteMatch, followJob } from '../load-match.ts';
import { findMatch } from '../store/matches.ts';

/**
 * Synchronises a match with simulation when its job has ended. Idempotent and independent of order: the handler reads the
 * job's current state from simulation. A match that is not stored yet reads it when it is stored (loadMatch).
 */
export async function onJobEnded(context: Context, { jobId, status }: JobEnded__Output): Promise<void> {
  const match = isLowerCaseUuid(jobId) ? await findMatch(context.db, jobId) : null;
  // An accepted result never changes.
  if (match === null || (status === 'Finished' && match.acceptedAttempt !== null)) return;
  if (status === 'Deleted') await deleteMatch(context, jobId);
  else await followJob(context, jobId);
}

/** Drops the exports that have the name of a deleted user; one that is started again has the tombstone's. Idempotent. */
export async function onUserChanged({ db, now }: Context, { userId, change }: UserChanged__Output): Promise<void> {
  if (change !== 'DELETED') return;
  const { rows } = await db.pool.query<{ id: string }>(
    sql`SELECT id FROM exports WHERE ${isCurrent} AND input -> 'names' ? ${userId}`,
  );
  const problem = 'A player of its matches has deleted their account. Please start it again.';
  for (const { id } of rows) await endExport(db, id, 'dropped', problem, new Date(now()));
}
