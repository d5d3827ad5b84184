import { userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type { Context } from '../context.ts';
import { deleteUserQuota } from '../event/store/quotas.ts';
import { cancelBatch } from '../store/batch-changes.ts';
import { cancellableBatchesOf } from '../store/batches.ts';
import { failUnfinished } from '../store/job-changes.ts';
import { unfinishedJobsOf } from '../store/jobs.ts';

const reason = 'The user who started this job has been deleted.';

/** Ends the unfinished jobs of a deleted user and deletes their quota. Idempotent. Finished jobs keep the user's id. */
export function consumeUserChanged(messaging: Messaging, context: Context): Consumer {
  return messaging.consume(userChanged, 'simulation_user_changed', async (event) => {
    if (event.change !== 'DELETED') return;
    await endJobsOf(context, event.userId);
    await deleteUserQuota(context.pool, event.userId);
  });
}

export async function endJobsOf(context: Context, userId: string): Promise<void> {
  for (const batchId of await cancellableBatchesOf(context.prisma, userId)) {
    await cancelBatch(context.pool, batchId, reason, context.now());
  }
  for (const jobId of await unfinishedJobsOf(context.prisma, userId)) {
    await failUnfinished(context.pool, jobId, reason, context.now());
  }
  context.relay.kick();
}
