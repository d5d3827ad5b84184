import { randomUUID } from 'node:crypto';
import { emitAudit } from '@husky/runtime/audit';
import type { UserCaller } from '@husky/runtime/caller';
import { idRange } from '@husky/runtime/id-range';
import type { AutoscalingSettings } from '../domain/sizes.ts';
import type { Prisma, ScalingJob } from '../generated/client.ts';
import { type Autoscaling, changeAutoscaling, lockAutoscaling } from './autoscaling.ts';
import type { Database } from './database.ts';

export type { ScalingJob };

const open: Prisma.ScalingJobWhereInput = { status: { in: ['Pending', 'Running'] } };

/** Returns the size requested last; null before the first start. */
export async function storedTarget(db: Database): Promise<number | null> {
  const { rows } = await db.pool.query<{ targetSize: number }>(
    'SELECT target_size AS "targetSize" FROM fleet WHERE id = 1',
  );
  return rows[0]?.targetSize ?? null;
}

export function storeTarget(db: Database, targetSize: number): Promise<void> {
  return storeTargetIn(db.prisma, targetSize, new Date());
}

async function storeTargetIn(tx: Prisma.TransactionClient, targetSize: number, updatedAt: Date): Promise<void> {
  const data = { targetSize, updatedAt };
  await tx.fleet.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
}

/** The requester of a change of size: an admin, which switches autoscaling off, or autoscaling, with the version of its settings. */
export type Requester =
  | { readonly user: UserCaller; readonly settingsOf: (row: Autoscaling) => AutoscalingSettings }
  | { readonly version: number; readonly reason: string };

/** Stored in place of a user's id for jobs of autoscaling (README, Decision 15). */
export const autoscalingUserId = '00000000-0000-0000-0000-000000000000';

/**
 * Stores the target size with a new job and ends an open job as superseded, in one transaction. Returns null when autoscaling's
 * settings have changed since the version on which its decision was based (compare-and-set).
 */
export function recordJob(
  db: Database,
  change: { fromSize: number; targetSize: number; by: Requester },
  now: Date,
): Promise<{ job: ScalingJob; autoscalingEnded: boolean } | null> {
  const { targetSize, fromSize, by } = change;
  const id = randomUUID();
  return db.prisma.$transaction(async (tx) => {
    const row = await lockAutoscaling(tx);
    let autoscalingEnded = false;
    if ('user' in by) {
      await emitAudit(tx, 'pool', by.user, {
        action: 'pool.scaled',
        subjectKind: 'pool',
        subjectId: id,
        before: { size: fromSize },
        after: { target_size: targetSize },
      });
      const settings = by.settingsOf(row);
      autoscalingEnded = settings.enabled;
      if (autoscalingEnded) await changeAutoscaling(tx, settings, { ...settings, enabled: false }, by.user, now);
    } else if (row.version !== by.version) {
      return null;
    } else {
      await tx.autoscaling.update({ where: { id: 1 }, data: { scaledAt: now } });
    }
    await storeTargetIn(tx, targetSize, now);
    const errorMessage = `Superseded by a newer change to ${targetSize} runners.`;
    await tx.scalingJob.updateMany({ where: open, data: { status: 'Failed', completedAt: now, errorMessage } });
    const job = await tx.scalingJob.create({
      data: {
        id,
        fromSize,
        targetSize,
        currentSize: fromSize,
        createdAt: now,
        ...('user' in by ? { userId: by.user.id } : { userId: autoscalingUserId, reason: by.reason }),
      },
    });
    return { job, autoscalingEnded };
  });
}

/** Returns the newest job that has not ended; null when there is none. */
export function openJob(db: Database): Promise<ScalingJob | null> {
  return db.prisma.scalingJob.findFirst({ where: open, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

/** Updates a job's progress or end. No effect on a job that has ended. */
export async function updateJob(
  db: Database,
  id: string,
  data: { status?: string; currentSize?: number; errorMessage?: string; completedAt?: Date },
): Promise<void> {
  await db.prisma.scalingJob.updateMany({ where: { id, ...open }, data });
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
