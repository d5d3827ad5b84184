import { randomUUID } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { choose } from '../domain/combinations.ts';
import { checkMatchRules } from '../domain/match-rules.ts';
import { audits } from '../store/also.ts';
import { insertBatch } from '../store/batches.ts';
import { refuseWhenFrozen } from '../store/settings.ts';
import { presentWhole } from './present-batch.ts';
import { requireFinals } from './require-finals.ts';
import { withPins } from './with-pins.ts';

const players = 6;
const mostUsers = 20;
const standardRounds = 1000;

/** Answers at once: the n choose 6 jobs are made in the background. */
export function createBatch(context: Context): SimulationHandlers['createBatch'] {
  return async (request, { caller: user }) => {
    await refuseWhenFrozen(context.pool);
    checkUsers(request.userIds);
    const numRounds = request.numRounds === 0 ? standardRounds : request.numRounds;
    const blinds = checkMatchRules(numRounds, request.blinds);
    const id = randomUUID();
    await withPins(context, id, async () => {
      const roster = await requireFinals(context, id, request.userIds);
      const plan = { id, ownerId: user.id, roster, totalJobs: choose(roster.length, players), numRounds, blinds };
      const after = { user_ids: request.userIds, total_jobs: plan.totalJobs, num_rounds: numRounds, blinds };
      const also = audits(user, { action: 'batch.created', subjectKind: 'batch', subjectId: id, after });
      await insertBatch(context.pool, plan, context.now(), also);
    });
    context.relay.kick();
    context.worker.kick();
    return presentWhole(context, id);
  };
}

function checkUsers(userIds: readonly string[]): void {
  const refuse = (message: string) => new DomainError('INVALID_ARGUMENT', 'batch-invalid', message);
  if (userIds.length < players || userIds.length > mostUsers) {
    throw refuse(`A batch needs ${players} to ${mostUsers} users.`);
  }
  if (new Set(userIds).size !== userIds.length) throw refuse('The same user cannot be in a batch twice.');
  if (!userIds.every(isUuid)) throw refuse('A user of the batch does not exist.');
}
