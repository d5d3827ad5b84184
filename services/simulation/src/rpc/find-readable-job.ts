import type { Caller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { isId, jobNotFound, jobPrivate, mayReadPrivate } from '../domain/access.ts';
import { findJob, type StoredJob } from '../store/jobs.ts';

/** A job that the caller may read: owner, players, admins, services, and anyone once it is public. */
export async function findReadableJob(context: Context, caller: Caller, jobId: string): Promise<StoredJob> {
  const job = isId(jobId) ? await findJob(context.prisma, jobId) : null;
  if (!job) throw jobNotFound();
  const players = job.seats.map((seat) => seat.userId);
  if (!mayReadPrivate(caller, job.ownerId, players) && !(await isPublic(context, jobId))) throw jobPrivate();
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
