import { randomUUID } from 'node:crypto';
import { auditRow } from '@husky/runtime/audit';
import type { UserCaller } from '@husky/runtime/caller';
import { idRange } from '@husky/runtime/id-range';
import type { AutoscalingSettings } from '../domain/autoscaling-settings.ts';
import type { Prisma, ScalingJob } from '../generated/client.ts';
import { type Autoscaling, changeAutoscaling, lockAutoscaling } from './autoscaling.ts';
import type { Database } from './database.ts';

export type { ScalingJob };

const open: Prisma.ScalingJobWhereInput = { status: { in: ['Pending', 'Running'] } };

/** The size that was asked for last; null before the first start. */
export async function storedTarget(db: Database): Promise<number | null> {
  const fleet = await db.prisma.fleet.findUnique({ where: { id: 1 } });
  return fleet?.targetSize ?? null;
}

export function storeTarget(db: Database, targetSize: number): Promise<void> {
  return storeTargetIn(db.prisma, targetSize, new Date());
}

async function storeTargetIn(tx: Prisma.TransactionClient, targetSize: number, updatedAt: Date): Promise<void> {
  const data = { targetSize, updatedAt };
  await tx.fleet.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
}

/** Who changes the size: an admin, which ends autoscaling, or autoscaling itself, by the settings of one version. */
export type ScaledBy =
  | { readonly user: UserCaller; readonly settingsOf: (row: Autoscaling) => AutoscalingSettings }
  | { readonly version: number; readonly reason: string };

/** In place of a user's id: nobody, which is autoscaling. */
export const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Records a change of size as the one that counts: a job still open ends as superseded by it. Null when autoscaling acts by
 * settings that have changed meanwhile.
 */
export function recordJob(
  db: Database,
  change: { fromSize: number; targetSize: number; by: ScaledBy },
  now: Date,
): Promise<{ job: ScalingJob; autoscalingEnded: boolean } | null> {
  const { targetSize, fromSize, by } = change;
  const id = randomUUID();
  return db.prisma.$transaction(async (tx) => {
    const row = await lockAutoscaling(tx);
    let autoscalingEnded = false;
    if ('user' in by) {
      const audit = auditRow('pool', by.user, {
        ...{ action: 'pool.scaled', subjectKind: 'pool', subjectId: id },
        ...{ before: { size: fromSize }, after: { target_size: targetSize } },
      });
      await tx.outbox.create({ data: audit });
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
        ...{ id, fromSize, targetSize, currentSize: fromSize, createdAt: now },
        ...('user' in by ? { userId: by.user.id } : { userId: nobody, reason: by.reason }),
      },
    });
    return { job, autoscalingEnded };
  });
}

/** The job that a restart has left open, the newest where there are several. */
export function openJob(db: Database): Promise<ScalingJob | null> {
  return db.prisma.scalingJob.findFirst({ where: open, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
}

/** Books progress or the end of a job, unless it has ended. */
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
    ...idsBeginning(filter.q),
  };
  const [jobs, total] = await Promise.all([
    db.prisma.scalingJob.findMany({ where, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], ...page }),
    db.prisma.scalingJob.count({ where }),
  ]);
  return { jobs, total };
}

function idsBeginning(prefix: string): Prisma.ScalingJobWhereInput {
  const range = idRange(prefix);
  if (prefix === '') return {};
  return range ? { id: { gte: range.first, lte: range.last } } : { id: { in: [] } };
}
