import { requireVerified } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { inTransaction } from '@husky/runtime/transaction';
import type { Context, SimulationHandlers } from '../context.ts';
import { seatPlan } from '../domain/seat-plan.ts';
import { audits } from '../store/also.ts';
import { insertJobs } from '../store/insert-jobs.ts';
import { unfinishedTestRuns } from '../store/jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { readSettings, refuseWhenFrozen } from '../store/settings.ts';
import { newJobId } from './new-job-id.ts';
import { presentById } from './present.ts';
import { withPins } from './with-pins.ts';

const testRounds = 10;
const blinds = { bigBlind: 10, multiplier: '1', interval: 1 };
const stageMs = 30_000;

/** The upload in seat 0 against the house bot, heads-up (Decision 8 of the engine). */
export function createTestRun(context: Context): SimulationHandlers['createTestRun'] {
  return async (request, call) => {
    const user = requireVerified(call.caller);
    await refuseWhenFrozen(context.pool);
    const limit = (await readSettings(context.pool)).max_test_runs ?? context.settings.maxTestRuns;
    await inTransaction(context.pool, async (client) => refuseAbove(limit, await unfinishedTestRuns(client, user.id)));
    const id = newJobId();
    await withPins(context, id, async () => {
      const files = { playerFile: request.playerFile, requirementsFile: request.requirementsFile };
      const own = await context.submission.stageBot({ holderId: id, userId: user.id, files }, { timeoutMs: stageMs });
      const house = await context.submission.pinHouse({ holderId: id });
      await inTransaction(context.pool, async (client) => {
        refuseAbove(limit, await unfinishedTestRuns(client, user.id));
        const plan = {
          ...({ id, kind: 'TEST_RUN', ownerId: user.id, batchId: null, gameNumber: null, holderId: id } as const),
          ...{ numRounds: testRounds, blinds, limits: context.settings.limits },
          seats: [seatPlan(own), seatPlan(house)],
        };
        await refuseWhenFrozen(client, 'FOR SHARE');
        await insertJobs(client, [plan], { now: context.now() });
        await closeIntent(client, id);
        const entry = { action: 'job.created', subjectKind: 'job', subjectId: id, after: { kind: 'TEST_RUN' } };
        await audits(user, entry)(client);
      });
    });
    context.relay.kick();
    context.worker.kick();
    return presentById(context, id);
  };
}

function refuseAbove(limit: number, unfinished: number): void {
  if (unfinished < limit) return;
  const runs = limit === 1 ? 'a test run that has' : `${limit} test runs that have`;
  throw new DomainError(
    'RESOURCE_EXHAUSTED',
    'too-many-test-runs',
    `You already have ${runs} not ended. Please wait for one to end.`,
    { retryAfterS: 15 },
  );
}
