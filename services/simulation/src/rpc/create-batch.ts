import { randomUUID } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { choose } from '../domain/combinations.ts';
import { tableSize } from '../domain/job.ts';
import { checkMatchRules } from '../domain/match-rules.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { auditWriter } from '../store/audit.ts';
import { insertBatch } from '../store/batches.ts';
import { pinFinals, withPins } from './pins.ts';
import { presentBatchDetails } from './present-batches.ts';

const maxUsers = 20;
const defaultRounds = 1000;

/** Inserts the batch; the batch worker creates its n-choose-6 jobs. */
export function createBatch(context: Context): SimulationHandlers['createBatch'] {
  return async (request, { caller: admin }) => {
    await refuseWhenFrozen(context.pool);
    checkUsers(request.userIds);
    const numRounds = request.numRounds === 0 ? defaultRounds : request.numRounds;
    const blinds = checkMatchRules(numRounds, request.blinds);
    const id = randomUUID();
    await withPins(context, id, async () => {
      const roster = await pinFinals(context, id, request.userIds);
      const plan = { id, ownerId: admin.id, roster, totalJobs: choose(roster.length, tableSize), numRounds, blinds };
      const after = { user_ids: request.userIds, total_jobs: plan.totalJobs, num_rounds: numRounds, blinds };
      const entry = { action: 'batch.created', subjectKind: 'batch', subjectId: id, after };
      await insertBatch(context.pool, plan, context.now(), auditWriter(admin, entry));
    });
    context.relay.kick();
    context.worker.kick();
    return presentBatchDetails(context, id);
  };
}

function checkUsers(userIds: readonly string[]): void {
  const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'batch-invalid', message);
  if (userIds.length < tableSize || userIds.length > maxUsers) {
    throw refusal(`A batch needs ${tableSize} to ${maxUsers} users.`);
  }
  if (new Set(userIds).size !== userIds.length) throw refusal('The same user cannot be in a batch twice.');
  if (!userIds.every(isUuid)) throw refusal('A user of the batch does not exist.');
}
