import type { Challenge__Output } from '@husky/contracts/types/simulation/v1/Challenge';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { envelopeOf } from '../../http/schema.ts';
import { challenge, challengeBody, challengeList, challengeParams, challengesQuery, choice } from './schema.ts';

async function present(challenges: readonly Challenge__Output[], context: Context) {
  const nameOf = await context.names.of(challenges.flatMap(({ players }) => players.map(({ userId }) => userId)));
  return challenges.map((one) => ({
    challenge_id: one.id,
    job_ids: one.jobIds,
    state: one.state,
    reason: one.reason || null,
    format: one.format,
    num_rounds: one.numRounds,
    fill: one.fill,
    challenger: nameOf(one.players[0]?.userId ?? ''),
    players: one.players.map(({ userId, role, answer, publishes }) => ({
      username: nameOf(userId),
      role,
      answer,
      publishes,
    })),
    created_at: one.createdAt,
    expires_at: one.expiresAt,
    published_at: one.publishedAt || null,
  }));
}

const presentOne = async (one: Challenge__Output, context: Context) => (await present([one], context))[0];

export const challengeRoutes = [
  route('POST /challenges', {
    access: 'verified',
    tokenScope: 'submit',
    repeatable: true,
    summary: 'Challenge one to five players: their bots play with yours, once all accept. Not rated',
    body: challengeBody,
    response: challenge,
    refusals: [400, 404, 409],
    async handle({ body, context, caller }) {
      const { ids, unknown } = await context.names.idsOf(body.opponents);
      if (unknown.length > 0) {
        throw new DomainError('NOT_FOUND', 'no-such-user', `There is no player ${unknown.join(', ')}.`);
      }
      const { format, num_rounds: numRounds, fill } = body;
      const request = { opponentIds: ids, format, numRounds, fill };
      return presentOne(await context.simulation.createChallenge(request, { caller }), context);
    },
  }),
  route('GET /challenges', {
    access: 'verified',
    tokenScope: 'read',
    summary: 'The challenges in which your bot is to play, with the answers',
    query: challengesQuery,
    response: challengeList,
    async handle({ query: { page, page_size: pageSize }, context, caller }) {
      const { challenges, total } = await context.simulation.listChallenges({ page, pageSize }, { caller });
      return { challenges: await present(challenges, context), ...envelopeOf(total, page, pageSize) };
    },
  }),
  ...(['accept', 'decline'] as const).map((answer) =>
    route(`POST /challenges/{id}/${answer}`, {
      access: 'verified',
      tokenScope: 'submit',
      summary: answer === 'accept' ? 'Accept a challenge' : 'Decline a challenge, or withdraw your own',
      params: challengeParams,
      response: challenge,
      refusals: [400, 404, 409],
      async handle({ params, context, caller }) {
        const request = { challengeId: params.id, accepts: answer === 'accept' };
        return presentOne(await context.simulation.answerChallenge(request, { caller }), context);
      },
    }),
  ),
  route('POST /challenges/{id}/publish', {
    access: 'verified',
    tokenScope: 'submit',
    summary: 'Agree that its matches become public: once all players have agreed, or an admin, and they have ended',
    params: challengeParams,
    response: challenge,
    refusals: [404, 409],
    async handle({ params, context, caller }) {
      return presentOne(await context.simulation.publishChallenge({ challengeId: params.id }, { caller }), context);
    },
  }),
  route('GET /submission/challenges', {
    access: 'verified',
    tokenScope: 'read',
    summary: 'Whether the caller accepts all challenges, is asked, or takes none',
    response: choice,
    async handle({ context, caller }) {
      return context.simulation.getChallengeChoice({}, { caller });
    },
  }),
  route('POST /submission/challenges', {
    access: 'verified',
    summary: 'Accept all challenges, be asked, or take none',
    body: choice,
    response: choice,
    async handle({ body, context, caller }) {
      return context.simulation.setChallengeChoice(body, { caller });
    },
  }),
];
