import { randomUUID } from 'node:crypto';
import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import { inTransaction } from '@husky/runtime/database/transaction';
import type { Caller } from '@husky/runtime/rpc/caller';
import { currentParty } from '@husky/runtime/rpc/party';
import type pg from 'pg';
import type { Context, SimulationHandlers } from '../context.ts';
import { type SeatPlan, seatPlan } from '../domain/job.ts';
import { checkTestRunQuota } from '../domain/test-run-quota.ts';
import { effectiveQuota, refuseDeleted } from '../event/store/quotas.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { auditWriter } from '../store/audit.ts';
import { insertJobs, newJobId } from '../store/insert-jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { lockTestRunsOf, recordTestRun, type TestRunStart, testRunUse } from '../store/test-run-starts.ts';
import { withPins } from './pins.ts';
import { presentById } from './present-jobs.ts';

const testRounds = 10;
const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
const stageMs = 30_000;

/** Creates a test run: the upload in seat 0 against the house bot in seat 1. */
export function createTestRun(context: Context): SimulationHandlers['createTestRun'] {
  return async (request, { caller: user }): Promise<Job> => {
    const { address } = currentParty();
    await refuseWhenFrozen(context.pool);
    await inTransaction(context.pool, (client) => refuseAboveQuota(context, client, user.id));
    const id = newJobId();
    const uploadWarnings = await withPins(context, id, async () => {
      const files = { playerFile: request.playerFile, requirementsFile: request.requirementsFile };
      const own = await context.submission.stageBot({ holderId: id, userId: user.id, files }, { timeoutMs: stageMs });
      const houseBot = await context.submission.pinHouse({ holderId: id });
      await inTransaction(context.pool, async (client) => {
        await refuseDeleted(client, user.id);
        await refuseAboveQuota(context, client, user.id);
        const start = { jobId: id, userId: user.id, address, now: context.now() };
        await insertTestRun(context, client, start, [seatPlan(own), seatPlan(houseBot)], user);
      });
      return own.warnings;
    });
    context.relay.kick();
    context.worker.kick();
    return { ...(await presentById(context, id, user)), uploadWarnings };
  };
}

/** Inserts the job of a test run with its pins, after the checks of its caller. Throws while the event is frozen. */
export async function insertTestRun(
  context: Context,
  client: pg.ClientBase,
  start: TestRunStart,
  seats: SeatPlan[],
  by: Caller,
): Promise<void> {
  const { jobId: id, userId: ownerId, address, now, upload } = start;
  const plan = {
    id,
    kind: 'TEST_RUN' as const,
    ownerId,
    batchId: null,
    gameNumber: null,
    holderId: id,
    numRounds: testRounds,
    blinds,
    stacks: 'carry' as const,
    dealSetId: randomUUID(),
    rotation: null,
    limits: context.settings.limits,
    seats,
  };
  await refuseWhenFrozen(client, 'untilCommit');
  await insertJobs(client, [plan], { now, address });
  await recordTestRun(client, start);
  await closeIntent(client, id);
  const after = { kind: 'TEST_RUN', ...(upload ? { submission_id: upload.submissionId } : {}) };
  await auditWriter(by, { action: 'job.created', subjectKind: 'job', subjectId: id, after })(client);
}

/** Throws if the user's quota is used up. Holds the lock of the user's test runs until the transaction ends. */
async function refuseAboveQuota(context: Context, client: pg.ClientBase, userId: string): Promise<void> {
  await lockTestRunsOf(client, userId);
  const quota = await effectiveQuota(client, userId, context.settings.quota);
  const use = await testRunUse(client, userId, quota.maxTestRunsADay, context.now());
  checkTestRunQuota(quota, use, context.now());
}
