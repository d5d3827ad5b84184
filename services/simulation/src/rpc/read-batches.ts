import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import type { ListBatchesResponse } from '@husky/contracts/types/simulation/v1/ListBatchesResponse';
import type { ListBatchNumbersResponse } from '@husky/contracts/types/simulation/v1/ListBatchNumbersResponse';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import { mayFindPrivateBatches } from '../access.ts';
import type { Context, SimulationHandlers } from '../context.ts';
import { batchNotFound } from '../domain/not-found.ts';
import { batchOfNumber, countBatches, listBatches as readBatches, shownNumbers } from '../store/batches.ts';
import { firstJobsOf } from '../store/jobs.ts';
import { presentBatchDetails, presentBatches, presentWithCourse, requireBatch } from './present-batches.ts';
import { presentJobs } from './present-jobs.ts';

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
