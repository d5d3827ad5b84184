import type { Context } from './context.ts';
import { finishDeletion } from './store/deletion.ts';

/** Completes a deletion: deletes the match in live-data, then the job. Idempotent; used by DeleteJob and the sweeper. */
export async function purgeJob(context: Context, jobId: string): Promise<void> {
  await context.liveData.purgeMatch({ jobId });
  await finishDeletion(context.pool, jobId, context.now());
  context.relay.kick();
}
