import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import { findCreated, idOnce, keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { inTransaction } from '@husky/runtime/database/transaction';
import { currentParty } from '@husky/runtime/rpc/party';
import type pg from 'pg';
import type { Context, SimulationHandlers } from '../context.ts';
import { seatPlan } from '../domain/job.ts';
import { checkTestRun } from '../domain/match-rules.ts';
import { checkTestRunQuota } from '../domain/test-run-quota.ts';
import { effectiveQuota, refuseDeleted } from '../event/store/quotas.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { pinOpponents, withPins } from '../pins.ts';
import { newJobId } from '../store/insert-jobs.ts';
import { insertTestRun } from '../store/insert-test-run.ts';
import { lockTestRunsOf, testRunUse } from '../store/test-run-starts.ts';
import { presentById } from './present-jobs.ts';

const stageMs = 30_000;

/** Creates a test run: the upload in seat 0, its opponents in the others. */
export function createTestRun(context: Context): SimulationHandlers['createTestRun'] {
  return async (request, { caller: user }): Promise<Job> => {
    const { address } = currentParty();
    const { against, numRounds } = checkTestRun(request);
    // A repeated request is checked once more, for its warnings.
    if ((await findCreated(context.pool, 'jobs')) === undefined) {
      await refuseWhenFrozen(context.pool);
      await inTransaction(context.pool, (client) => refuseAboveQuota(context, client, user.id));
    }
    const id = newJobId();
    let uploadWarnings: string[] = [];
    const create = async () => {
      const files = { playerFile: request.playerFile, requirementsFile: request.requirementsFile };
      const own = await context.submission.stageBot({ holderId: id, userId: user.id, files }, { timeoutMs: stageMs });
      const opponents = await pinOpponents(context.submission, id, against);
      uploadWarnings = own.warnings;
      await inTransaction(context.pool, async (client) => {
        await refuseRepeated(client, 'jobs');
        await refuseDeleted(client, user.id);
        await refuseAboveQuota(context, client, user.id);
        const start = { jobId: id, userId: user.id, address, now: context.now(), against };
        const seats = [seatPlan(own), ...opponents];
        await insertTestRun(client, start, { limits: context.settings.limits, numRounds, seats }, user);
        await keepRequestKey(client, 'jobs', id);
      });
      return id;
    };
    const stored = await idOnce(() => withPins(context, id, create));
    context.relay.kick();
    context.worker.kick();
    return { ...(await presentById(context, stored, user)), uploadWarnings };
  };
}

/** Throws if the user's quota is used up. Holds the lock of the user's test runs until the transaction ends. */
async function refuseAboveQuota(context: Context, client: pg.ClientBase, userId: string): Promise<void> {
  await lockTestRunsOf(client, userId);
  const quota = await effectiveQuota(client, userId, context.settings.quota);
  const use = await testRunUse(client, userId, quota.maxTestRunsADay, context.now());
  checkTestRunQuota(quota, use, context.now());
}
