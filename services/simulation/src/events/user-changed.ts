import { userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/messages/nats';
import { leaveChallenges } from '../challenges/store/challenges.ts';
import type { Context } from '../context.ts';
import { addTombstone, deleteUserQuota } from '../event/store/quotas.ts';
import { leaveLadder } from '../ladder/store/versions.ts';
import { cancelBatch } from '../store/batch-changes.ts';
import { cancellableBatchesOf } from '../store/batches.ts';
import { failUnfinished } from '../store/job-changes.ts';
import { unfinishedJobsOf } from '../store/jobs.ts';
import { deletePlanNames } from '../store/plans.ts';
import { deleteTrialsOf, endTrialsWith } from '../trials/store/trials.ts';

const reason = 'The user who started this job has been deleted.';

export function consumeUserChanged(messaging: Messaging, context: Context): Consumer {
  return messaging.consume(userChanged, 'simulation_user_changed', async (event) => {
    if (event.change === 'DELETED') await deleteUser(context, event.userId);
  });
}

/** Ends the unfinished jobs of a deleted user, those of the ladder and trials with their bot included, and deletes their trials, their quota and their names in plans. Idempotent. Finished jobs keep the user's id. */
export async function deleteUser(context: Context, userId: string): Promise<void> {
  // First, so that jobs and quotas that are created during the deletion are found below or refused.
  await addTombstone(context.pool, userId, context.now());
  await endTrialsWith(context.pool, userId, context.now());
  await endJobsOf(context, userId);
  await deleteTrialsOf(context.pool, userId);
  await deleteUserQuota(context.pool, userId);
  await deletePlanNames(context.pool, userId);
  await leaveLadder(context.pool, userId);
  await leaveChallenges(context.pool, userId, context.now());
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
