import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import type { ListBatchesResponse } from '@husky/contracts/types/simulation/v1/ListBatchesResponse';
import type { ListBatchNumbersResponse } from '@husky/contracts/types/simulation/v1/ListBatchNumbersResponse';
import type { Plan } from '@husky/contracts/types/simulation/v1/Plan';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import { mayFindPrivateBatches, type PlanCall } from '../access.ts';
import type { Context, SimulationHandlers } from '../context.ts';
import { batchNotFound, jobNotFound } from '../domain/job.ts';
import { batchOfNumber, countBatches, listBatches as readBatches, shownNumbers } from '../store/batches.ts';
import { firstJobsOf } from '../store/jobs.ts';
import { findPlan } from '../store/plans.ts';
import { findJob, plannedIdOf, type StoredJob } from '../store/stored-job.ts';
import { isPublicBatch } from './change-batches.ts';
import { presentRecord } from './commitments.ts';
import { planNote, presentBatchDetails, presentBatches, presentWithCourse, requireBatch } from './present-batches.ts';
import { presentJobs } from './present-jobs.ts';
import { checkReader } from './read-jobs.ts';

const maxFirstJobs = 20;
const maxNumbers = 1000;

export function getBatch(context: Context): SimulationHandlers['getBatch'] {
  return (request): Promise<Batch> => presentBatchDetails(context, request.batchId);
}

/** Finds the batch that has a number, or had it last, if the caller may read it: admins all, others public ones. Throws NOT_FOUND. */
export function findBatch(context: Context): SimulationHandlers['findBatch'] {
  return async ({ batchNumber }, { caller }): Promise<Batch> => {
    const id = await batchOfNumber(context.pool, batchNumber);
    if (id === undefined) throw batchNotFound();
    if (!mayFindPrivateBatches(caller)) {
      const { batchIds } = await context.liveData.listPublicBatches({ batchIds: [id] });
      if (!batchIds.includes(id)) throw batchNotFound();
    }
    return presentWithCourse(context, await requireBatch(context, id));
  };
}

/** Lists batches, newest first, without standings. */
export function listBatches(context: Context): SimulationHandlers['listBatches'] {
  return async (request, { caller }): Promise<ListBatchesResponse> => {
    const { batches, total } = await readBatches(context.prisma, pageOf(request));
    const ids = batches.map((batch) => batch.id);
    const [presented, jobs] = await Promise.all([
      presentBatches(context, batches),
      firstJobsOf(context.pool, ids, Math.min(request.jobsEach, maxFirstJobs)).then((stored) =>
        presentJobs(context, stored, caller),
      ),
    ]);
    return {
      batches: presented.map((batch) => ({ ...batch, firstJobs: jobs.filter((job) => job.batchId === batch.id) })),
      total,
    };
  };
}

/** Returns the shown numbers of batches. Unknown ids are omitted. */
export function listBatchNumbers(context: Context): SimulationHandlers['listBatchNumbers'] {
  return async ({ batchIds }): Promise<ListBatchNumbersResponse> => {
    if (batchIds.length > maxNumbers) {
      const message = `At most ${maxNumbers} batches can be requested at once.`;
      throw new DomainError('INVALID_ARGUMENT', 'too-many-ids', message);
    }
    const [batches, total] = await Promise.all([
      shownNumbers(context.prisma, batchIds.filter(isUuid)),
      countBatches(context.prisma),
    ]);
    return { batches: batches.map(({ id, shownNumber }) => ({ batchId: id, batchNumber: shownNumber })), total };
  };
}

/** Returns the plan of a batch, or of a match's batch, deal set or the match. Without text if there is none. */
export function getPlan(context: Context): SimulationHandlers['getPlan'] {
  return async ({ jobId, batchId }, call): Promise<Plan> => {
    if (jobId === '') return planOfBatch(context, call, batchId);
    const job = isUuid(jobId) ? await findJob(context.pool, jobId) : null;
    if (!job) throw jobNotFound();
    if (job.batchId !== null) return planOfBatch(context, call, job.batchId);
    await checkReader(context, call, job);
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
