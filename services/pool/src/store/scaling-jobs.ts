import { randomUUID } from 'node:crypto';
import { findCreated, keepRequestKey } from '@husky/runtime/database/created-once';
import { idRange } from '@husky/runtime/database/id-range';
import { sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import { isCancelledStatement, isTransient, retry } from '@husky/runtime/process/retry';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { messageOf } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { AutoscalingSettings } from '../domain/sizes.ts';
import type { Prisma, ScalingJob } from '../generated/client.ts';
import { type Autoscaling, changeAutoscaling, lockAutoscaling } from './autoscaling.ts';
import type { Database } from './database.ts';

export type { ScalingJob };

const openStatuses = ['Pending', 'Running'];
const open: Prisma.ScalingJobWhereInput = { status: { in: openStatuses } };

/** Returns whether a job has not ended. */
export const isOpen = ({ status }: ScalingJob): boolean => openStatuses.includes(status);

/** Returns the size requested last; null before the first start. */
export async function storedTarget(db: Database): Promise<number | null> {
  const { rows } = await db.pool.query<{ targetSize: number }>(
    'SELECT target_size AS "targetSize" FROM fleet WHERE id = 1',
  );
  return rows[0]?.targetSize ?? null;
}

export function storeTarget(db: Database, targetSize: number): Promise<void> {
  return storeTargetIn(db.pool, targetSize, new Date());
}

async function storeTargetIn(client: pg.Pool | pg.PoolClient, targetSize: number, now: Date): Promise<void> {
  await client.query(
    sql`INSERT INTO fleet (id, target_size, updated_at) VALUES (1, ${targetSize}, ${now})
        ON CONFLICT (id) DO UPDATE SET target_size = excluded.target_size, updated_at = excluded.updated_at`,
  );
}

/** The requester of a change of size: an admin, which switches autoscaling off, or autoscaling, with the version of its settings. */
export type Requester =
  | { readonly user: UserCaller; readonly settingsOf: (row: Autoscaling) => AutoscalingSettings }
  | { readonly version: number; readonly reason: string };

/** Stored in place of a user's id for jobs of autoscaling: a release before cannot read NULL there. */
export const autoscalingUserId = '00000000-0000-0000-0000-000000000000';

/**
 * Stores the target size with a new job and ends an open job as superseded, in one transaction; of a repeated request only returns its
 * job. Returns null when autoscaling's
 * settings have changed since the version on which its decision was based (compare-and-set).
 */
export function recordJob(
  db: Database,
  change: { fromSize: number; targetSize: number; by: Requester },
  now: Date,
): Promise<{ job: ScalingJob; autoscalingEnded: boolean; repeated?: true } | null> {
  const { targetSize, fromSize, by } = change;
  const id = randomUUID();
  return inTransaction(db.pool, async (client) => {
    const row = await lockAutoscaling(client);
    const earlier = 'user' in by ? await findCreated(client, 'scaling_jobs') : undefined;
    if (earlier !== undefined) return { job: await readJob(client, earlier), autoscalingEnded: false, repeated: true };
    let autoscalingEnded = false;
    if ('user' in by) {
      await emitAudit(client, 'pool', by.user, {
        action: 'pool.scaled',
        subjectKind: 'pool',
        subjectId: id,
        before: { size: fromSize },
        after: { target_size: targetSize },
      });
      const settings = by.settingsOf(row);
      autoscalingEnded = settings.enabled;
      if (autoscalingEnded) await changeAutoscaling(client, settings, { ...settings, enabled: false }, by.user, now);
    } else if (row.version !== by.version) {
      return null;
    } else {
      await client.query(sql`UPDATE autoscaling SET scaled_at = ${now} WHERE id = 1`);
    }
    await storeTargetIn(client, targetSize, now);
    const errorMessage = `Superseded by a newer change to ${targetSize} runners.`;
    await client.query(
      sql`UPDATE scaling_jobs SET status = 'Failed', completed_at = ${now}, error_message = ${errorMessage}
          WHERE status IN ('Pending', 'Running')`,
    );
    const { userId, reason } =
      'user' in by ? { userId: by.user.id, reason: '' } : { userId: autoscalingUserId, reason: by.reason };
    await client.query(
      sql`INSERT INTO scaling_jobs (id, from_size, target_size, current_size, user_id, reason, created_at)
          VALUES (${id}, ${fromSize}, ${targetSize}, ${fromSize}, ${userId}, ${reason}, ${now})`,
    );
    if ('user' in by) await keepRequestKey(client, 'scaling_jobs', id);
    return { job: await readJob(client, id), autoscalingEnded };
  });
}

async function readJob(client: pg.ClientBase, id: string): Promise<ScalingJob> {
  const { rows } = await client.query<ScalingJob>(
    sql`SELECT id, status, from_size AS "fromSize", target_size AS "targetSize", current_size AS "currentSize",
          error_message AS "errorMessage", reason, user_id AS "userId", created_at AS "createdAt", completed_at AS "completedAt"
        FROM scaling_jobs WHERE id = ${id}`,
  );
  if (rows[0] === undefined) throw new Error('the job was not stored');
  return rows[0];
}

/** Returns the newest job that has not ended; null when there is none. */
export function openJob(db: Database): Promise<ScalingJob | null> {
  return db.prisma.scalingJob.findFirst({ where: open, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

/** A job could not be updated. It is still open, unless only the response was lost. */
export class JobNotStored extends Error {
  /** Whether the database refused the update for a reason that probably remains. */
  get isRefusal(): boolean {
    return !isTransient(this.cause) && !isCancelledStatement(this.cause);
  }
}

/**
 * Repeats `run`, which throws JobNotStored, with backoff until it succeeds or `signal` aborts. Passes how many earlier runs ended with a
 * refusal. `onNewCause` is called with an error's message, unless the one before had the same.
 */
export async function repeatUntilStored(
  run: (refusals: number) => Promise<void>,
  signal: AbortSignal,
  onNewCause: (cause: string, error: unknown) => void,
): Promise<void> {
  let refusals = 0;
  const onFailure = (error: unknown) => {
    if (error instanceof JobNotStored && error.isRefusal) refusals += 1;
  };
  await retry(() => run(refusals), { signal, retryIf: () => true, onFailure, onNewCause }).catch(() => undefined);
}

/** PostgreSQL stores no NUL. A message may quote the output of a program. */
const storable = (text: string) => text.replaceAll('\0', '');

/** Updates a job's progress or end. Returns false, without effect, for a job that has ended. Throws JobNotStored. */
export async function updateJob(
  db: Database,
  id: string,
  { errorMessage, ...change }: { status?: string; currentSize?: number; errorMessage?: string; completedAt?: Date },
): Promise<boolean> {
  const data = errorMessage === undefined ? change : { ...change, errorMessage: storable(errorMessage) };
  const updated = db.prisma.scalingJob.updateMany({ where: { id, ...open }, data });
  const { count } = await updated.catch((cause: unknown) => {
    throw new JobNotStored(messageOf(cause), { cause });
  });
  return count > 0;
}

export async function listJobs(
  db: Database,
  filter: { status: string; q: string },
  page: { skip: number; take: number },
): Promise<{ jobs: ScalingJob[]; total: number }> {
  const where: Prisma.ScalingJobWhereInput = {
    ...(filter.status === '' ? {} : { status: filter.status }),
    ...idPrefix(filter.q),
  };
  const [jobs, total] = await Promise.all([
    db.prisma.scalingJob.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], ...page }),
    db.prisma.scalingJob.count({ where }),
  ]);
  return { jobs, total };
}

function idPrefix(prefix: string): Prisma.ScalingJobWhereInput {
  const range = idRange(prefix);
  if (prefix === '') return {};
  return range ? { id: { gte: range.first, lte: range.last } } : { id: { in: [] } };
}
