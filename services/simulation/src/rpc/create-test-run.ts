import { inTransaction } from '@husky/runtime/transaction';
import type pg from 'pg';
import type { Context, SimulationHandlers } from '../context.ts';
import { refuseToday, refuseUnfinished } from '../domain/quota.ts';
import { seatPlan } from '../domain/seat-plan.ts';
import { audits } from '../store/also.ts';
import { insertJobs } from '../store/insert-jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { countTestRun, effectiveQuota, lockTestRunsOf, testRunUse } from '../store/quotas.ts';
import { refuseWhenFrozen } from '../store/settings.ts';
import { newJobId } from './new-job-id.ts';
import { presentById } from './present.ts';
import { withPins } from './with-pins.ts';

const testRounds = 10;
const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
const stageMs = 30_000;

/** The upload in seat 0 against the house bot, heads-up (Decision 8 of the engine). */
export function createTestRun(context: Context): SimulationHandlers['createTestRun'] {
  return async (request, { caller: user }) => {
    await refuseWhenFrozen(context.pool);
    await inTransaction(context.pool, (client) => refuseAboveQuota(context, client, user.id));
    const id = newJobId();
    await withPins(context, id, async () => {
      const files = { playerFile: request.playerFile, requirementsFile: request.requirementsFile };
      const own = await context.submission.stageBot({ holderId: id, userId: user.id, files }, { timeoutMs: stageMs });
      const house = await context.submission.pinHouse({ holderId: id });
      await inTransaction(context.pool, async (client) => {
        await refuseAboveQuota(context, client, user.id);
        const plan = {
          ...({ id, kind: 'TEST_RUN', ownerId: user.id, batchId: null, gameNumber: null, holderId: id } as const),
          ...{ numRounds: testRounds, blinds, limits: context.settings.limits },
          seats: [seatPlan(own), seatPlan(house)],
        };
        await refuseWhenFrozen(client, 'FOR SHARE');
        await insertJobs(client, [plan], { now: context.now() });
        await countTestRun(client, id, user.id, context.now());
        await closeIntent(client, id);
        const entry = { action: 'job.created', subjectKind: 'job', subjectId: id, after: { kind: 'TEST_RUN' } };
        await audits(user, entry)(client);
      });
    });
    context.relay.kick();
    context.worker.kick();
    return presentById(context, id, user);
  };
}

/** Other test runs of the same user wait until the transaction ends. */
async function refuseAboveQuota(context: Context, client: pg.ClientBase, userId: string): Promise<void> {
  await lockTestRunsOf(client, userId);
  const quota = await effectiveQuota(client, userId, context.settings.quota);
  const { unfinished, inTheWay } = await testRunUse(client, userId, quota.maxTestRunsADay, context.now());
  refuseUnfinished(quota.maxTestRuns, unfinished);
  refuseToday(quota.maxTestRunsADay, inTheWay, context.now());
}
