import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { ReaderCall } from '../access.ts';
import type { Context } from '../context.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { findJob, type StoredJob } from '../store/jobs.ts';

/** A job that the caller may read. */
export async function findReadableJob(context: Context, call: ReaderCall, jobId: string): Promise<StoredJob> {
  const job = isUuid(jobId) ? await findJob(context.prisma, jobId) : null;
  if (!job) throw jobNotFound();
  const playerIds = job.seats.map((seat) => seat.userId);
  await call.check({ ownerId: job.ownerId, playerIds }, () => isPublic(context, jobId));
  return job;
}

async function isPublic(context: Context, jobId: string): Promise<boolean> {
  try {
    return (await context.liveData.getMatchAccess({ jobId })).isPublic;
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'PERMISSION_DENIED'))
      return false;
    throw error;
  }
}
