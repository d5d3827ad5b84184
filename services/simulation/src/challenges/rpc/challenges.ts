import { randomUUID } from 'node:crypto';
import type { Challenge } from '@husky/contracts/types/simulation/v1/Challenge';
import type { ChallengeChoice } from '@husky/contracts/types/simulation/v1/ChallengeChoice';
import type { CreateChallengeRequest__Output } from '@husky/contracts/types/simulation/v1/CreateChallengeRequest';
import type { ListChallengesResponse } from '@husky/contracts/types/simulation/v1/ListChallengesResponse';
import { idOnce, keepRequestKey, refuseRepeated } from '@husky/runtime/database/created-once';
import { inTransaction } from '@husky/runtime/database/transaction';
import { isUuid } from '@husky/runtime/process/uuid';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { pageOf } from '@husky/runtime/rpc/page';
import type pg from 'pg';
import { mayPublishForAll } from '../../access.ts';
import type { Context, SimulationHandlers } from '../../context.ts';
import { deletedAmong, effectiveQuota, refuseDeleted } from '../../event/store/quotas.ts';
import { refuseWhenFrozen } from '../../event/store/settings.ts';
import { activeVersions } from '../../ladder/store/versions.ts';
import { auditWriter } from '../../store/audit.ts';
import {
  cannotPlay,
  challengeNotFound,
  challengeOver,
  checkChallenge,
  checkChallengeQuota,
  checkChoice,
  noSuchPlayer,
} from '../domain/challenge.ts';
import { makeMatches } from '../make-matches.ts';
import {
  blockingChallenge,
  challengesOf,
  choicesOf,
  endChallenge,
  insertChallenge,
  lockChallengesOf,
  type Player,
  presentChallenge,
  readChallenge,
  storeAgreement,
  storeAnswer,
  storeChoice,
} from '../store/challenges.ts';

/** Creates a challenge, and its matches at once if nobody has to be asked. */
export function createChallenge(context: Context): SimulationHandlers['createChallenge'] {
  return async (request, { caller: user }): Promise<Challenge> => {
    const id = await idOnce(() => create(context, request, user));
    context.relay.kick();
    return makeIfReady(context, id);
  };
}

async function create(context: Context, request: CreateChallengeRequest__Output, user: UserCaller): Promise<string> {
  await refuseRepeated(context.pool, 'challenges');
  const challenge = checkChallenge(request, user.id);
  await refuseWhenFrozen(context.pool);
  await inTransaction(context.pool, (client) => refuseAboveQuota(context, client, user.id));
  const players = await playersOf(context, user.id, challenge.opponentIds);
  const id = randomUUID();
  await inTransaction(context.pool, async (client) => {
    await refuseRepeated(client, 'challenges');
    await refuseDeleted(client, user.id);
    if ((await deletedAmong(client, challenge.opponentIds)).size > 0) throw noSuchPlayer();
    await refuseWhenFrozen(client, 'untilCommit');
    await refuseAboveQuota(context, client, user.id);
    await insertChallenge(client, id, challenge, players, context.now());
    await keepRequestKey(client, 'challenges', id);
    const { opponentIds, format, numRounds, fill } = challenge;
    const asked = players.filter(({ answer }) => answer === 'waiting').map(({ userId }) => userId);
    const after = { user_ids: opponentIds, asked, format, num_rounds: numRounds, fill };
    await audit(client, user, 'challenge.created', id, after);
  });
  return id;
}

/** Throws if the user's quota is used up. Holds the lock of the user's challenges until the transaction ends. */
async function refuseAboveQuota(context: Context, client: pg.ClientBase, userId: string): Promise<void> {
  await lockChallengesOf(client, userId);
  const { maxChallengesADay } = await effectiveQuota(client, userId, context.settings.quota);
  const blocking = await blockingChallenge(client, userId, maxChallengesADay, context.now());
  checkChallengeQuota(maxChallengesADay, blocking, context.now());
}

/** Returns the players with the answers that their choices give. Throws for one who cannot play, with the name. */
async function playersOf(context: Context, challengerId: string, opponentIds: readonly string[]): Promise<Player[]> {
  const [{ finals }, { names }, choices, versions] = await Promise.all([
    context.submission.listFinals({}),
    context.auth.getNames({ ids: [...opponentIds] }),
    choicesOf(context.pool, opponentIds),
    activeVersions(context.pool),
  ]);
  const withFinal = new Set(finals.map(({ userId }) => userId));
  if (!withFinal.has(challengerId)) throw cannotPlay('You have no final submission.');
  for (const id of opponentIds) {
    const user = names.find((one) => one.id === id && !one.deleted);
    if (!user) throw noSuchPlayer();
    if (choices.get(id) === 'never') throw cannotPlay(`${user.username} takes no challenges.`);
    // Who is verified is nobody's business.
    if (!withFinal.has(id) || !user.verified) throw cannotPlay(`${user.username} has no final submission.`);
    if (versions.some(({ userId, pausedAt }) => userId === id && pausedAt !== null)) {
      throw cannotPlay(`The bot of ${user.username} is paused on the ladder because it fails.`);
    }
  }
  const opponents = opponentIds.map((userId) => ({
    userId,
    role: 'opponent' as const,
    answer: choices.has(userId) ? ('waiting' as const) : ('accepted' as const),
  }));
  return [{ userId: challengerId, role: 'challenger', answer: 'accepted' }, ...opponents];
}

/** Makes the matches if nobody has to answer. If that fails for now, the background work does it. */
async function makeIfReady(context: Context, id: string): Promise<Challenge> {
  const { state, players } = await readChallenge(context.pool, id);
  if (state === 'waiting' && players.every(({ answer }) => answer === 'accepted')) {
    await makeMatches(context, id).catch((error: unknown) =>
      context.log.warn({ challengeId: id }, `making matches failed, it is retried: ${messageOf(error)}`),
    );
  }
  return presentChallenge(context.pool, id);
}

export function listChallenges(context: Context): SimulationHandlers['listChallenges'] {
  return async (request, { caller }): Promise<ListChallengesResponse> =>
    challengesOf(context.pool, caller.id, pageOf(request, { most: 100, normal: 20 }));
}

export function answerChallenge(context: Context): SimulationHandlers['answerChallenge'] {
  return async ({ challengeId: id, accepts }, { caller: user }): Promise<Challenge> => {
    if (!isUuid(id)) throw challengeNotFound();
    await inTransaction(context.pool, async (client) => {
      const { state, expiresAt, players } = await readChallenge(client, id, 'untilCommit');
      const own = players.find(({ userId }) => userId === user.id);
      if (!own) throw challengeNotFound();
      const withdraws = own.role === 'challenger' && !accepts;
      if (own.role === 'challenger' && accepts)
        throw challengeOver('You have sent this challenge; your opponents answer.');
      if (own.answer !== 'waiting' && !withdraws) {
        throw new DomainError('ABORTED', 'challenge-answered', `You have ${own.answer} this challenge already.`);
      }
      if (state === 'expired' || (state === 'waiting' && expiresAt.getTime() <= context.now())) {
        throw challengeOver('This challenge has expired.');
      }
      if (state !== 'waiting') throw challengeOver('This challenge is over.');
      if (accepts) {
        await refuseWhenFrozen(client, 'untilCommit');
        await refuseDeleted(client, user.id);
      }
      const answer = accepts ? 'accepted' : 'declined';
      await storeAnswer(client, id, user.id, answer);
      const reason = withdraws ? 'The challenger has withdrawn it.' : 'A player has declined.';
      if (!accepts) await endChallenge(client, id, 'declined', reason, context.now());
      await audit(client, user, `challenge.${answer}`, id);
    });
    context.relay.kick();
    return makeIfReady(context, id);
  };
}

/** Agrees to the publication; the background work publishes once all have agreed and the matches have ended. */
export function publishChallenge(context: Context): SimulationHandlers['publishChallenge'] {
  return async ({ challengeId: id }, { caller: user }): Promise<Challenge> => {
    if (!isUuid(id)) throw challengeNotFound();
    await inTransaction(context.pool, async (client) => {
      const { state, publishedAt, players } = await readChallenge(client, id, 'untilCommit');
      const forAll = mayPublishForAll(user);
      if (!forAll && !players.some(({ userId }) => userId === user.id)) throw challengeNotFound();
      if (state !== 'made') throw challengeOver('This challenge has no matches.');
      if (publishedAt !== null) return;
      await storeAgreement(client, id, forAll ? null : user.id);
      await audit(client, user, 'challenge.publication_agreed', id);
    });
    context.relay.kick();
    context.worker.kick();
    return presentChallenge(context.pool, id);
  };
}

export function getChallengeChoice(context: Context): SimulationHandlers['getChallengeChoice'] {
  return async (_, { caller }): Promise<ChallengeChoice> => {
    const choices = await choicesOf(context.pool, [caller.id]);
    return { choice: choices.get(caller.id) ?? 'accept' };
  };
}

export function setChallengeChoice(context: Context): SimulationHandlers['setChallengeChoice'] {
  return async (request, { caller: user }): Promise<ChallengeChoice> => {
    const choice = checkChoice(request.choice);
    await inTransaction(context.pool, async (client) => {
      await refuseDeleted(client, user.id);
      await storeChoice(client, user.id, choice);
    });
    return { choice };
  };
}

async function audit(client: pg.ClientBase, user: UserCaller, action: string, id: string, after?: object) {
  await auditWriter(user, { action, subjectKind: 'challenge', subjectId: id, after })(client);
}
