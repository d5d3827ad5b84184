import type { BatchVisibility } from '@husky/contracts/types/live/v1/BatchVisibility';
import type { ListPublicBatchesRequest__Output } from '@husky/contracts/types/live/v1/ListPublicBatchesRequest';
import type { ListPublicBatchesResponse } from '@husky/contracts/types/live/v1/ListPublicBatchesResponse';
import type { SetBatchVisibilityRequest__Output } from '@husky/contracts/types/live/v1/SetBatchVisibilityRequest';
import { emitAudit } from '@husky/runtime/audit';
import type { AdminCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { isUuid } from '../domain/match.ts';
import { nudgeWatchers } from '../live/match-feed.ts';
import { publicBatches, setBatchVisibility as store } from '../store/batch-visibility.ts';

const mostBatches = 1000;

/** Admins. Whether there is such a batch is simulation's to know; its matches that come later start with it. */
export async function setBatchVisibility(
  context: Context,
  request: SetBatchVisibilityRequest__Output,
  { caller: admin }: Call<AdminCaller>,
): Promise<BatchVisibility> {
  if (!isUuid(request.batchId)) throw new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
  const batchId = request.batchId.toLowerCase();
  const wanted = request.public ?? undefined;
  const change = await store(context.db.pool, batchId, wanted, (client, { before, isPublic: after, changed: jobs }) =>
    emitAudit(client, 'live_data', admin, {
      ...{ action: 'batch.visibility_changed', subjectKind: 'batch', subjectId: batchId },
      ...{ before: { public: before }, after: { public: after, jobs } },
    }),
  );
  context.relay.kick();
  const { isPublic, changed, hands, runningJobIds } = change;
  context.log.info({ batchId, userId: admin.id }, `batch ${batchId} is ${isPublic ? 'public' : 'private'} now`);
  for (const jobId of runningJobIds) nudgeWatchers(context.messaging, jobId);
  return { batchId, isPublic, matches: changed, hands };
}

/** Anyone: a public batch is no secret. */
export async function listPublicBatches(
  context: Context,
  request: ListPublicBatchesRequest__Output,
): Promise<ListPublicBatchesResponse> {
  if (request.batchIds.length > mostBatches) {
    throw new DomainError(
      'INVALID_ARGUMENT',
      'too-many-ids',
      `At most ${mostBatches} batches can be asked for at once`,
    );
  }
  const ids = request.batchIds.filter(isUuid);
  return { batchIds: ids.length === 0 ? [] : await publicBatches(context.db.pool, ids) };
}
