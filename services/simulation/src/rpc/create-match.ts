import { randomUUID } from 'node:crypto';
import type { CreateMatchRequest__Output } from '@husky/contracts/types/simulation/v1/CreateMatchRequest';
import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import { idOnce, keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { inTransaction } from '@husky/runtime/database/transaction';
import { isUuid } from '@husky/runtime/process/uuid';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import { type JobPlan, tableSize } from '../domain/job.ts';
import { publicStatus } from '../domain/job-state.ts';
import { checkMatchRules, checkMode, checkStacks, matchRefusal } from '../domain/match-rules.ts';
import { refuseDeleted } from '../event/store/quotas.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { usernamesOf } from '../names.ts';
import { pinFinals, withPins } from '../pins.ts';
import { auditWriter } from '../store/audit.ts';
import { insertJobs, newJobId, planRotations } from '../store/insert-jobs.ts';
import { rotationsOf } from '../store/jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { presentById } from './present-jobs.ts';

/** Creates a match, or the six matches of a deal set. Returns the first. */
export function createMatch(context: Context): SimulationHandlers['createMatch'] {
  const create = async (request: CreateMatchRequest__Output, admin: UserCaller): Promise<string> => {
    await refuseRepeated(context.pool, 'jobs');
    await refuseWhenFrozen(context.pool);
    checkPlayers(request.userIds);
    const blinds = checkMatchRules(request.numRounds, request.blinds);
    const mode = checkMode(request.mode);
    const stacks = checkStacks(request.stacks, mode);
    const id = newJobId();
    const dealSetId = randomUUID();
    // The six matches of a deal set share their pins.
    const holderId = mode === 'duplicate' ? dealSetId : id;
    const names = await usernamesOf(context, request.userIds);
    const planning = { names, beacon: context.settings.beacon?.chain ?? null };
    await withPins(context, holderId, async () => {
      const seats = await pinFinals(context, holderId, request.userIds);
      const match: JobPlan = {
        id,
        kind: 'MATCH',
        ownerId: admin.id,
        batchId: null,
        gameNumber: null,
        holderId,
        numRounds: request.numRounds,
        blinds,
        stacks,
        dealSetId,
        rotation: null,
        limits: context.settings.limits,
        seats,
        isPublic: request.public,
      };
      const plans = mode === 'duplicate' ? planRotations(match) : [match];
      await inTransaction(context.pool, async (client) => {
        await refuseRepeated(client, 'jobs');
        await refuseDeleted(client, admin.id);
        await refuseWhenFrozen(client, 'untilCommit');
        await insertJobs(client, plans, { now: context.now(), planning });
        await keepRequestKey(client, 'jobs', id);
        await closeIntent(client, holderId);
        for (const plan of plans) {
          const after = {
            kind: 'MATCH',
            user_ids: plan.seats.map((seat) => seat.userId),
            num_rounds: request.numRounds,
            blinds,
            stacks,
            mode,
            public: request.public,
          };
          await auditWriter(admin, { action: 'job.created', subjectKind: 'job', subjectId: plan.id, after })(client);
        }
      });
    });
    return id;
  };
  return async (request, { caller: admin }): Promise<Job> => {
    const id = await idOnce(() => create(request, admin));
    context.relay.kick();
    context.worker.kick();
    return presentCreated(context, id, admin);
  };
}

/** Returns a match that an admin has created, with all matches of its deal set. */
async function presentCreated(context: Context, id: string, admin: UserCaller): Promise<Job> {
  const job = await presentById(context, id, admin);
  if (job.mode !== 'duplicate') return job;
  const all = await rotationsOf(context.pool, job.dealSetId ?? '');
  const rotations = all.map(({ id: jobId, rotation, state }) => ({
    rotation: rotation ?? 0,
    jobId,
    status: publicStatus(state),
  }));
  return { ...job, rotations };
}

function checkPlayers(userIds: readonly string[]): void {
  if (userIds.length !== tableSize) throw matchRefusal(`A match needs exactly ${tableSize} users.`);
  if (new Set(userIds).size !== tableSize) throw matchRefusal('The same user cannot play twice in a match.');
  if (!userIds.every(isUuid)) throw matchRefusal('A user of the match does not exist.');
}
