import { userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type { Context } from '../context.ts';
import { cancelBatch } from '../store/batch-changes.ts';
import { batchesOf } from '../store/batches.ts';
import { failUnfinished, unfinishedJobsOf } from '../store/endings.ts';
import { forgetQuota } from '../store/quotas.ts';

const why = 'The user who started this job has been deleted.';

/** A deleted user's unfinished jobs end; finished ones keep the user's id. */
export function consumeUserChanged(messaging: Messaging, context: Context): Consumer {
  return messaging.consume(userChanged, 'simulation_user_changed', async (event) => {
    if (event.change !== 'DELETED') return;
    await endJobsOf(context, event.userId);
    await forgetQuota(context.pool, event.userId);
  });
}

export async function endJobsOf(context: Context, userId: string): Promise<void> {
  for (const batchId of await batchesOf(context.pool, userId)) {
    await cancelBatch(context.pool, batchId, why, context.now());
  }
  for (const jobId of await unfinishedJobsOf(context.pool, userId)) {
    await failUnfinished(context.pool, jobId, why, context.now());
  }
  context.relay.kick();
}
