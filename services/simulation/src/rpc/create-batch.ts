import { randomUUID } from 'node:crypto';
import type { Batch } from '@husky/contracts/types/simulation/v1/Batch';
import type { BatchPlan } from '@husky/contracts/types/simulation/v1/BatchPlan';
import type { CreateBatchRequest__Output } from '@husky/contracts/types/simulation/v1/CreateBatchRequest';
import { idOnce, refuseRepeated } from '@husky/runtime/database/created-once';
import { isUuid } from '@husky/runtime/process/uuid';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import type { Context, SimulationHandlers } from '../context.ts';
import { batchRefusal, checkUserCount, encodeTables, planTables } from '../domain/batch-plan.ts';
import { checkMatchRules } from '../domain/match-rules.ts';
import { planStopRule } from '../domain/stop-rule.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { pinFinals, withPins } from '../pins.ts';
import { auditWriter } from '../store/audit.ts';
import { insertBatch } from '../store/batches.ts';
import { presentBatchDetails, presentPlan } from './present-batches.ts';

/** Inserts the batch; the batch worker creates its jobs. */
export function createBatch(context: Context): SimulationHandlers['createBatch'] {
  const create = async (request: CreateBatchRequest__Output, admin: UserCaller): Promise<string> => {
    await refuseRepeated(context.pool, 'batches');
    await refuseWhenFrozen(context.pool);
    checkUsers(request.userIds);
    const numRounds = request.numRounds || context.settings.defaultHands;
    const blinds = checkMatchRules(numRounds, request.blinds);
    const tablePlan = planTables(request.userIds.length, numRounds, request);
    const ruled = { mode: tablePlan.mode, numRounds, userIds: request.userIds };
    const stopRule = request.stopRule && planStopRule(request.stopRule, tablePlan, ruled);
    const id = randomUUID();
    await withPins(context, id, async () => {
      const roster = await pinFinals(context, id, request.userIds);
      // The id is random, so that whoever orders the users does not choose who sits behind whom.
      const tables = encodeTables(tablePlan, roster.length, { seed: id, hasRule: stopRule !== null });
      const plan = {
        id,
        ownerId: admin.id,
        roster,
        numRounds,
        blinds,
        tablePlan,
        tables,
        stopRule,
        isPublic: request.public,
      };
      const { mode, stacks, design, handBudget, matches } = tablePlan;
      const after = {
        user_ids: request.userIds,
        total_jobs: matches,
        num_rounds: numRounds,
        blinds,
        mode,
        stacks,
        design,
        hand_budget: handBudget,
        stop_rule: stopRule,
        public: request.public,
      };
      const entry = { action: 'batch.created', subjectKind: 'batch', subjectId: id, after };
      await insertBatch(context.pool, plan, context.now(), auditWriter(admin, entry));
    });
    return id;
  };
  return async (request, { caller: admin }): Promise<Batch> => {
    const id = await idOnce(() => create(request, admin));
    context.relay.kick();
    context.worker.kick();
    return presentBatchDetails(context, id);
  };
}

/** Returns what a batch would play. Creates nothing. */
export function planBatch({ settings }: Pick<Context, 'settings'>): SimulationHandlers['planBatch'] {
  return async (request): Promise<BatchPlan> => {
    const numRounds = request.numRounds || settings.defaultHands;
    checkMatchRules(numRounds, null);
    return presentPlan(planTables(request.users, numRounds, request), request.users, numRounds);
  };
}

function checkUsers(userIds: readonly string[]): void {
  checkUserCount(userIds.length);
  if (new Set(userIds).size !== userIds.length) throw batchRefusal('The same user cannot be in a batch twice.');
  if (!userIds.every(isUuid)) throw batchRefusal('A user of the batch does not exist.');
}
