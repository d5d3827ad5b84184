import { inTransaction } from '@husky/runtime/transaction';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { checkMatchRules, refuseMatch } from '../domain/match-rules.ts';
import { audits } from '../store/also.ts';
import { insertJobs } from '../store/insert-jobs.ts';
import { closeIntent } from '../store/pin-intents.ts';
import { refuseWhenFrozen } from '../store/settings.ts';
import { newJobId } from './new-job-id.ts';
import { presentById } from './present.ts';
import { requireFinals } from './require-finals.ts';
import { withPins } from './with-pins.ts';

const players = 6;

export function createMatch(context: Context): SimulationHandlers['createMatch'] {
  return async (request, { caller: user }) => {
    await refuseWhenFrozen(context.pool);
    checkPlayers(request.userIds);
    const blinds = checkMatchRules(request.numRounds, request.blinds);
    const id = newJobId();
    await withPins(context, id, async () => {
      const seats = await requireFinals(context, id, request.userIds);
      await inTransaction(context.pool, async (client) => {
        const plan = {
          ...({ id, kind: 'MATCH', ownerId: user.id, batchId: null, gameNumber: null, holderId: id } as const),
          ...{ numRounds: request.numRounds, blinds, limits: context.settings.limits, seats },
        };
        await refuseWhenFrozen(client, 'FOR SHARE');
        await insertJobs(client, [plan], { now: context.now() });
        await closeIntent(client, id);
        const after = { kind: 'MATCH', user_ids: request.userIds, num_rounds: request.numRounds, blinds };
        await audits(user, { action: 'job.created', subjectKind: 'job', subjectId: id, after })(client);
      });
    });
    context.relay.kick();
    context.worker.kick();
    return presentById(context, id, user);
  };
}

function checkPlayers(userIds: readonly string[]): void {
  if (userIds.length !== players) throw refuseMatch(`A match needs exactly ${players} users.`);
  if (new Set(userIds).size !== players) throw refuseMatch('The same user cannot play twice in a match.');
  if (!userIds.every(isUuid)) throw refuseMatch('A user of the match does not exist.');
}
