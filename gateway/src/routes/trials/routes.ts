import { housePlayers, houseUserId } from '@husky/contracts/house-user';
import type { Trial__Output } from '@husky/contracts/types/simulation/v1/Trial';
import type { TrialLook__Output } from '@husky/contracts/types/simulation/v1/TrialLook';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { envelopeOf } from '../../http/schema.ts';
import { createdTrial, trialBody, trialList, trialParams, trialResponse, trialsQuery } from './schema.ts';

// Creating one pins up to seven bots.
const createTimeoutMs = 30_000;

const presentLook = (look: TrialLook__Output | null) => {
  const hands = look?.hands ?? 0;
  return {
    estimate: hands === 0 ? null : (look?.estimate ?? 0),
    low: look?.low ?? null,
    high: look?.high ?? null,
    hands,
  };
};

type Summary = z.infer<typeof trialList>['trials'][number];

const presentSummary = (trial: Trial__Output, nameOf: (id: string) => string): Summary => ({
  trial_id: trial.id,
  a: trial.a,
  b: trial.b,
  field: trial.field,
  alpha: trial.alpha,
  margin: trial.margin,
  max_hands: trial.maxHands,
  rotation_hands: trial.numRounds,
  state: trial.state as Summary['state'],
  problem: trial.problem || null,
  verdict: (trial.verdict || null) as Summary['verdict'],
  ...presentLook(trial.decision),
  created_at: trial.createdAt,
  ended_at: trial.endedAt || null,
  opponents: trial.opponentIds.map((id) => ({
    username: nameOf(id),
    bot: id === houseUserId ? 'house' : (housePlayers.get(id) ?? null),
  })),
});

async function presentTrial(context: Context, trial: Trial__Output): Promise<z.infer<typeof trialResponse>> {
  const nameOf = await context.names.of([trial.ownerId, ...trial.opponentIds]);
  return {
    ...presentSummary(trial, nameOf),
    owner: nameOf(trial.ownerId),
    course: trial.sets.map(({ decision }) => presentLook(decision)),
    void_sets: trial.voidSets,
    different: trial.different.map(({ gameA: game_a, gameB: game_b, ...hand }) => ({ ...hand, game_a, game_b })),
    big_blind: trial.bigBlind,
    starting_stack: trial.startingStack,
    bot_hashes: trial.botHashes,
    deal_keys: trial.sets.map(({ dealKey }) => dealKey),
  };
}

const idOf = ({ id }: { readonly id: string }, caller: Caller) => [{ trialId: id.toLowerCase() }, { caller }] as const;

export const trialRoutes = [
  route('POST /trials', {
    access: 'verified',
    tokenScope: 'submit',
    repeatable: true,
    summary: 'Find out which of two own submissions is better: same seats, cards and opponents, until it is decided',
    body: trialBody,
    response: createdTrial,
    refusals: [400, 404, 409, 429],
    async handle({ body, context, caller }) {
      const { a, b, field, alpha, margin, max_hands: maxHands, rotation_hands: numRounds } = body;
      const request = { a, b, field, alpha, margin, maxHands, numRounds };
      const { id } = await context.simulation.createTrial(request, { caller, timeoutMs: createTimeoutMs });
      return { trial_id: id };
    },
  }),
  route('GET /trials', {
    access: 'verified',
    tokenScope: 'read',
    summary: "The caller's trials",
    query: trialsQuery,
    response: trialList,
    async handle({ query: { page, page_size: pageSize }, context, caller }) {
      const { trials, total, handsLeft } = await context.simulation.listTrials({ page, pageSize }, { caller });
      const nameOf = await context.names.of(trials.flatMap(({ opponentIds }) => opponentIds));
      return {
        trials: trials.map((trial) => presentSummary(trial, nameOf)),
        hands_left: handsLeft,
        ...envelopeOf(total, page, pageSize),
      };
    },
  }),
  route('GET /trials/{id}', {
    access: 'verified',
    tokenScope: 'read',
    summary: 'A trial with its course, for its owner and admins',
    params: trialParams,
    response: trialResponse,
    refusals: [404],
    async handle({ params, context, caller }) {
      return presentTrial(context, await context.simulation.getTrial(...idOf(params, caller)));
    },
  }),
  route('POST /trials/{id}/cancel', {
    access: 'verified',
    tokenScope: 'submit',
    summary: 'End a trial without a verdict; no effect on one that has ended',
    params: trialParams,
    response: trialResponse,
    refusals: [404],
    async handle({ params, context, caller }) {
      return presentTrial(context, await context.simulation.cancelTrial(...idOf(params, caller)));
    },
  }),
];
