import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import type { Context } from '../context.ts';
import { type JobKind, type JobState, publicStatus } from '../domain/job.ts';
import type { StoredJob } from '../store/jobs.ts';
import { findJob } from '../store/jobs.ts';
import { queuePositions } from '../store/queue.ts';

export async function presentJobs(context: Context, jobs: readonly StoredJob[]): Promise<Job[]> {
  const waiting = jobs.filter((job) => publicStatus(job.state as JobState) === 'PENDING').map((job) => job.id);
  const positions = await queuePositions(context.pool, waiting);
  return jobs.map((job) => presentJob(job, positions.get(job.id) ?? 0));
}

export async function presentOne(context: Context, job: StoredJob): Promise<Job> {
  const [message] = await presentJobs(context, [job]);
  if (!message) throw new Error('a job was lost while it was presented');
  return message;
}

/** Reads a job back that has just been written. */
export async function presentById(context: Context, id: string): Promise<Job> {
  const job = await findJob(context.prisma, id);
  if (!job) throw new Error(`job ${id} is gone`);
  return presentOne(context, job);
}

function presentJob(job: StoredJob, queuePosition: number): Job {
  const status = publicStatus(job.state as JobState);
  return {
    id: job.id,
    kind: job.kind as JobKind,
    status,
    ownerId: job.ownerId,
    batchId: job.batchId ?? '',
    jobNumber: Number(job.jobNumber),
    batchNumber: job.batch?.batchNumber ?? 0,
    gameNumber: job.gameNumber ?? Number(job.jobNumber),
    playerIds: job.seats.map((seat) => seat.userId),
    numRounds: job.numRounds,
    blinds: { bigBlind: job.bigBlind, multiplier: job.blindMultiplier, interval: job.blindInterval },
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? '',
    endedAt: job.endedAt?.toISOString() ?? '',
    errorMessage: job.errorMessage,
    results:
      status === 'FINISHED' ? job.seats.map((seat) => ({ userId: seat.userId, delta: Number(seat.delta ?? 0) })) : [],
    handsPlayed: job.handsPlayed,
    endedEarly: job.endedEarly,
    attempt: job.acceptedAttempt ?? job.attempt,
    held: job.held,
    handsDone: job.handsDone,
    queuePosition,
    commitment: job.commitment,
  };
}
