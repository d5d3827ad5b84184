import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { DomainError, messageOf } from '@husky/runtime/errors';
import type pg from 'pg';
import type { LeaderboardContext } from './context.ts';
import { checkCountable } from './domain/job-deltas.ts';
import { isApplied, noteSettled, noteUnsettled, unsettledSince } from './store/applied-jobs.ts';
import { withJobLock } from './store/job-lock.ts';

const settleAfterMs = 30_000;

/** Holds a job that may be applied at simulation, so that it cannot be deleted; any other job stays free. */
export async function holdCountable(
  context: LeaderboardContext,
  client: pg.PoolClient,
  jobId: string,
): Promise<Job__Output> {
  await noteUnsettled(client, jobId, context.now());
  try {
    const job = await context.simulation.holdJob({ jobId });
    checkCountable(job);
    return job;
  } catch (error) {
    if (isRefusal(error)) await release(context, client, jobId);
    throw error;
  }
}

/** Lets a job go that is not on the leaderboard. When simulation is away, the sweeper does it later. */
export async function release(context: LeaderboardContext, client: pg.PoolClient, jobId: string): Promise<void> {
  try {
    await context.simulation.releaseJob({ jobId });
  } catch (error) {
    if (!isRefusal(error)) {
      context.log.warn({ jobId }, `job ${jobId} is let go later: ${messageOf(error)}`);
      return;
    }
    // Unknown or not held: there is nothing to let go.
  }
  await noteSettled(client, jobId);
}

/** Settles holds that a crash or an absence of simulation left open. */
export async function settleHolds(context: LeaderboardContext): Promise<void> {
  const before = new Date(context.now().getTime() - settleAfterMs);
  for (const jobId of await unsettledSince(context.pool, before)) {
    await withJobLock(context.pool, jobId, async (client) => {
      if (await isApplied(client, jobId)) await noteSettled(client, jobId);
      else await release(context, client, jobId);
    });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DomainError && (error.code === 'NOT_FOUND' || error.code === 'FAILED_PRECONDITION');
}
