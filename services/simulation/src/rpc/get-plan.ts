import type { Plan } from '@husky/contracts/types/simulation/v1/Plan';
import { isUuid } from '@husky/runtime/process/uuid';
import type { PlanCall } from '../access.ts';
import type { Context, SimulationHandlers } from '../context.ts';
import { jobNotFound } from '../domain/not-found.ts';
import { findPlan } from '../store/plans.ts';
import { findJob, plannedIdOf, type StoredJob } from '../store/stored-job.ts';
import { isPublicBatch } from './batch-metadata.ts';
import { presentRecord } from './commitments.ts';
import { planNote, requireBatch } from './present-batches.ts';
import { isPublicJob } from './read-jobs.ts';

/** Returns the plan of a batch, or of a match's batch, deal set or the match. Without text if there is none. */
export function getPlan(context: Context): SimulationHandlers['getPlan'] {
  return async ({ jobId, batchId }, call): Promise<Plan> => {
    if (jobId === '') return planOfBatch(context, call, batchId);
    const job = isUuid(jobId) ? await findJob(context.pool, jobId) : null;
    if (!job) throw jobNotFound();
    if (job.batchId !== null) return planOfBatch(context, call, job.batchId);
    const playerIds = job.seats.map((seat) => seat.userId);
    await call.check({ ownerId: job.ownerId, playerIds }, () => isPublicJob(context, job.id));
    return planOfJob(context, job);
  };
}

/** Returns the plan of a match: that of its batch, of its deal set or its own. */
export async function planOfJob(context: Pick<Context, 'pool'>, job: StoredJob): Promise<Plan> {
  if (job.kind === 'TEST_RUN') return { id: job.id, note: 'test runs have no plan' };
  return read(context, plannedIdOf(job), job.commitment !== '');
}

async function planOfBatch(context: Context, call: PlanCall, batchId: string): Promise<Plan> {
  const batch = await requireBatch(context, batchId);
  await call.check(null, () => isPublicBatch(context, batch.id));
  return read(context, batch.id, batch.generatedJobs > 0);
}

async function read(context: Pick<Context, 'pool'>, id: string, hasSeeds: boolean): Promise<Plan> {
  const plan = await findPlan(context.pool, id);
  if (!plan) return { id, note: planNote(hasSeeds) };
  const { text, record, names } = plan;
  return { id, text, record: presentRecord(record), names: names.map((one) => ({ ...one })) };
}
