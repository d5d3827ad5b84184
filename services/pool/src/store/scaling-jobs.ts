import { randomUUID } from 'node:crypto';
import { auditRow } from '@husky/runtime/audit';
import type { UserCaller } from '@husky/runtime/caller';
import { idRange } from '@husky/runtime/id-range';
import type { Prisma, ScalingJob } from '../generated/client.ts';
import type { Database } from './database.ts';

export type { ScalingJob };

const open: Prisma.ScalingJobWhereInput = { status: { in: ['Pending', 'Running'] } };

/** The size that was asked for last; null before the first start. */
export async function storedTarget(db: Database): Promise<number | null> {
  const fleet = await db.prisma.fleet.findUnique({ where: { id: 1 } });
  return fleet?.targetSize ?? null;
}

export async function storeTarget(db: Database, targetSize: number): Promise<void> {
  const data = { targetSize, updatedAt: new Date() };
  await db.prisma.fleet.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data });
}

/** Records a change of size as the one that counts: a job still open ends as superseded by it. */
export async function recordJob(
  db: Database,
  change: { fromSize: number; targetSize: number; by: UserCaller },
  now: Date,
): Promise<ScalingJob> {
  const { targetSize, fromSize } = change;
  const superseded = {
    status: 'Failed',
    completedAt: now,
    errorMessage: `Superseded by a newer change to ${targetSize} runners.`,
  };
  const fleet = { targetSize, updatedAt: now };
  const id = randomUUID();
  const audit = auditRow('pool', change.by, {
    ...{ action: 'pool.scaled', subjectKind: 'pool', subjectId: id },
    ...{ before: { size: fromSize }, after: { target_size: targetSize } },
  });
  const [, , job] = await db.prisma.$transaction([
    db.prisma.fleet.upsert({ where: { id: 1 }, create: { id: 1, ...fleet }, update: fleet }),
    db.prisma.scalingJob.updateMany({ where: open, data: superseded }),
    db.prisma.scalingJob.create({
      data: { id, fromSize, targetSize, userId: change.by.id, currentSize: fromSize, createdAt: now },
    }),
    db.prisma.outbox.create({ data: audit }),
  ]);
  return job;
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
