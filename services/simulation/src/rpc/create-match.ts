import { inTransaction } from '@husky/runtime/transaction';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { tableSize } from '../domain/job.ts';
import { checkMatchRules, checkStacks, matchRefusal } from '../domain/match-rules.ts';
import { refuseWhenFrozen } from '../event/store/settings.ts';
import { auditWriter } from '../store/audit.ts';
import { insertJobs, newJobId } from '../store/insert-jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { pinFinals, withPins } from './pins.ts';
import { presentById } from './present-jobs.ts';

export function createMatch(context: Context): SimulationHandlers['createMatch'] {
  return async (request, { caller: admin }) => {
    await refuseWhenFrozen(context.pool);
    checkPlayers(request.userIds);
    const blinds = checkMatchRules(request.numRounds, request.blinds);
    const stacks = checkStacks(request.stacks);
    const id = newJobId();
    await withPins(context, id, async () => {
      const seats = await pinFinals(context, id, request.userIds);
      await inTransaction(context.pool, async (client) => {
        const plan = {
          id,
          kind: 'MATCH' as const,
          ownerId: admin.id,
          batchId: null,
          gameNumber: null,
          holderId: id,
          numRounds: request.numRounds,
          blinds,
          stacks,
          limits: context.settings.limits,
          seats,
        };
        await refuseWhenFrozen(client, 'untilCommit');
        await insertJobs(client, [plan], { now: context.now() });
        await closeIntent(client, id);
        const after = { kind: 'MATCH', user_ids: request.userIds, num_rounds: request.numRounds, blinds, stacks };
        await auditWriter(admin, { action: 'job.created', subjectKind: 'job', subjectId: id, after })(client);
      });
    });
    context.relay.kick();
    context.worker.kick();
    return presentById(context, id, admin);
  };
}

function checkPlayers(userIds: readonly string[]): void {
  if (userIds.length !== tableSize) throw matchRefusal(`A match needs exactly ${tableSize} users.`);
  if (new Set(userIds).size !== tableSize) throw matchRefusal('The same user cannot play twice in a match.');
  if (!userIds.every(isUuid)) throw matchRefusal('A user of the match does not exist.');
}
