import { randomUUID } from 'node:crypto';
import type { CreateTrialRequest__Output } from '@husky/contracts/types/simulation/v1/CreateTrialRequest';
import type { ListTrialsResponse } from '@husky/contracts/types/simulation/v1/ListTrialsResponse';
import type { Trial } from '@husky/contracts/types/simulation/v1/Trial';
import { idOnce, keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { inTransaction } from '@husky/runtime/database/transaction';
import { isUuid } from '@husky/runtime/process/uuid';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { pageOf } from '@husky/runtime/rpc/page';
import type pg from 'pg';
import type { TrialCall } from '../../access.ts';
import type { Context, SimulationHandlers } from '../../context.ts';
import { seatPlan, startingStack } from '../../domain/job.ts';
import { deletedAmong, effectiveQuota, refuseDeleted } from '../../event/store/quotas.ts';
import { readSettings, refuseWhenFrozen } from '../../event/store/settings.ts';
import { withPins } from '../../pins.ts';
import { auditWriter } from '../../store/audit.ts';
import { closeIntent } from '../../store/pin-intents.ts';
import {
  checkTrial,
  checkTrialQuota,
  identical,
  opponentLost,
  type TrialRule,
  trialBlinds,
  trialNotFound,
} from '../domain/trial.ts';
import { pinField } from '../pin-field.ts';
import {
  countedSets,
  countVoid,
  endTrial,
  findTrial,
  insertTrial,
  lastSets,
  lockTrialsOf,
  listTrials as readTrials,
  type StoredSet,
  type StoredTrial,
  trialUse,
} from '../store/trials.ts';

/** Creates a trial of two submissions of the caller; runTrials plays it. */
export function createTrial(context: Context): SimulationHandlers['createTrial'] {
  const create = async ({ a, b, ...rest }: CreateTrialRequest__Output, user: UserCaller): Promise<string> => {
    const rule = checkTrial(rest);
    await refuseRepeated(context.pool, 'trials');
    await refuseWhenFrozen(context.pool);
    if (a === b) throw identical();
    const id = randomUUID();
    const pin = async (submissionId: string) => {
      const { pin: own } = await context.submission.pinUpload({ holderId: id, submissionId, userId: user.id });
      if (!own) throw new Error(`submission ${submissionId} has no bot`);
      return seatPlan(own);
    };
    await withPins(context, id, async () => {
      const own = [await pin(a), await pin(b)];
      if (own[0]?.botHash === own[1]?.botHash) throw identical();
      const seats = [...own, ...(await pinField(context, id, rule.field, user.id))];
      await inTransaction(context.pool, async (client) => {
        await refuseRepeated(client, 'trials');
        await refuseDeleted(client, user.id);
        const userIds = seats.map(({ userId }) => userId);
        if ((await deletedAmong(client, userIds)).size > 0) throw opponentLost();
        await refuseWhenFrozen(client, 'untilCommit');
        await refuseAboveQuota(context, client, user.id, rule);
        await insertTrial(client, { ...rule, id, ownerId: user.id, a, b, seats }, context.now());
        await keepRequestKey(client, 'trials', id);
        await closeIntent(client, id);
        const { maxHands: max_hands, numRounds: rotation_hands, ...values } = rule;
        const after = { a, b, ...values, max_hands, rotation_hands };
        await auditWriter(user, { action: 'trial.created', subjectKind: 'trial', subjectId: id, after })(client);
      });
    });
    return id;
  };
  return async (request, { caller: user }): Promise<Trial> => {
    const id = await idOnce(() => create(request, user));
    context.relay.kick();
    context.worker.kick();
    return presentDetails(context, await storedTrial(context, id));
  };
}

async function refuseAboveQuota(context: Context, client: pg.ClientBase, userId: string, { maxHands }: TrialRule) {
  await lockTrialsOf(client, userId);
  const { maxTrialHandsADay } = await effectiveQuota(client, userId, context.settings.quota);
  checkTrialQuota(maxTrialHandsADay, await trialUse(client, userId, context.now()), maxHands, context.now());
}

export function getTrial(context: Context): SimulationHandlers['getTrial'] {
  return async ({ trialId }, call): Promise<Trial> => presentDetails(context, await ownTrial(context, call, trialId));
}

export function listTrials(context: Context): SimulationHandlers['listTrials'] {
  return async (request, { caller: { id } }): Promise<ListTrialsResponse> => {
    const { trials, total } = await readTrials(context.pool, id, pageOf(request, { most: 100, normal: 20 }));
    const last = await lastSets(
      context.pool,
      trials.map((trial) => trial.id),
    );
    const { maxTrialHandsADay } = await effectiveQuota(context.pool, id, context.settings.quota);
    const use = await trialUse(context.pool, id, context.now());
    return {
      trials: trials.map((trial) => present(trial, last.get(trial.id))),
      total,
      handsLeft: Math.max(0, maxTrialHandsADay - use.hands),
    };
  };
}

export function cancelTrial(context: Context): SimulationHandlers['cancelTrial'] {
  return async ({ trialId }, call): Promise<Trial> => {
    const { id } = await ownTrial(context, call, trialId);
    const entry = { action: 'trial.cancelled', subjectKind: 'trial', subjectId: id };
    await endTrial(context.pool, id, { state: 'cancelled' }, context.now(), auditWriter(call.caller, entry));
    context.relay.kick();
    context.worker.kick();
    return presentDetails(context, await storedTrial(context, id));
  };
}

/** Returns a trial of the caller, or any for an admin. Throws NOT_FOUND. */
async function ownTrial(context: Context, call: TrialCall, id: string): Promise<StoredTrial> {
  const trial = await storedTrial(context, id);
  call.check(trial);
  return trial;
}

async function storedTrial({ pool }: Context, id: string): Promise<StoredTrial> {
  const trial = isUuid(id) ? await findTrial(pool, id) : undefined;
  if (!trial) throw trialNotFound();
  return trial;
}

async function presentDetails(context: Context, trial: StoredTrial): Promise<Trial> {
  const [sets, voidSets, { frozen }] = await Promise.all([
    countedSets(context.pool, trial.id),
    countVoid(context.pool, trial.id),
    readSettings(context.pool),
  ]);
  let hands = 0;
  const looks = sets.map((set) => {
    hands += 2 * set.hands;
    return { dealKey: set.dealKey ?? '', decision: lookOf(set, hands) };
  });
  const waits =
    trial.state === 'playing' && frozen ? 'New matches are frozen by the organisers. It goes on afterwards.' : '';
  return {
    ...present(trial, undefined),
    problem: trial.problem || waits,
    decision: looks.at(-1)?.decision ?? { hands: 0, estimate: 0 },
    sets: looks,
    bigBlind: trialBlinds.bigBlind,
    startingStack,
    botHashes: trial.seats.map(({ botHash }) => botHash),
    voidSets,
    different: [...trial.different],
  };
}

const lookOf = ({ estimate, low, high }: StoredSet, hands: number) => ({
  estimate: estimate ?? 0,
  ...(low === null ? {} : { low }),
  ...(high === null ? {} : { high }),
  hands,
});

function present(trial: StoredTrial, last: StoredSet | undefined): Trial {
  const { seats, different: _, ...facts } = trial;
  return {
    ...facts,
    different: [],
    verdict: trial.verdict ?? '',
    decision: last ? lookOf(last, 2 * last.hands) : { hands: 0, estimate: 0 },
    createdAt: trial.createdAt.toISOString(),
    endedAt: trial.endedAt?.toISOString() ?? '',
    opponentIds: seats.slice(2).map(({ userId }) => userId),
  };
}
