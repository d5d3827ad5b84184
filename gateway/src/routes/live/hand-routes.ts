import type { MatchItem__Output } from '@husky/contracts/types/live/v1/MatchItem';
import { rankOf } from '@husky/match/ranks';
import type { Caller } from '@husky/runtime/rpc/caller';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { envelopeOf, jobParams } from '../../http/schema.ts';
import { findBatch } from '../batches/routes.ts';
import {
  handColumns,
  handPage,
  handsQuery,
  highlight,
  highlightList,
  playerHands,
  playerHandsQuery,
  playerMatches,
  playerMatchesQuery,
  playerParams,
} from './hand-schema.ts';
import { presentMatches } from './present.ts';
import { presentHand, presentHighlight } from './present-hands.ts';

/** Calls that read the hand index, and what is computed from it. */
export const handRoutes = [
  route('GET /live/job/{id}/hands', {
    access: 'anyone',
    tokenScope: 'read',
    summary:
      "A match's hands with board, pot, winners and nets: filtered, sorted, by page. Of a running match, those stored so far",
    params: jobParams,
    query: handsQuery,
    response: handPage,
    refusals: [400, 403, 404],
    shared: { among: 'visitors', match: ({ id }) => id },
    async handle({ params, query, context, caller }) {
      const { page, size, order, player, all_in: allIn, min_pot: minPot, ...filter } = query;
      const playerId = player === '' ? '' : await context.names.idOf(player);
      const request = { jobId: params.id, page, pageSize: size, playerId, allIn, minPot, ...filter };
      const found = await context.liveData.searchHands({ ...request, descending: order === 'desc' }, { caller });
      const nameOf = await context.names.of(found.playerIds);
      const seat = found.playerIds.indexOf(playerId);
      return {
        job_id: params.id.toLowerCase(),
        players: found.playerIds.map(nameOf),
        match_hands: found.matchHands,
        hands: found.hands.map((hand) => ({
          ...presentHand(hand, found.playerIds, nameOf),
          net: hand.nets[seat] ?? null,
        })),
        ...envelopeOf(found.total, page, size),
      };
    },
  }),
  route('GET /live/job/{id}/hands/columns', {
    access: 'anyone',
    tokenScope: 'read',
    summary: 'All hands of a match as columns of numbers, for drawings. Of a running match, those stored so far',
    params: jobParams,
    response: handColumns,
    refusals: [403, 404],
    shared: { among: 'visitors', match: ({ id }) => id },
    async handle({ params, context, caller }) {
      const { playerIds, startingStack, stacks, ...columns } = await context.liveData.getHandColumns(
        { jobId: params.id },
        { caller },
      );
      const nameOf = await context.names.of(playerIds);
      return {
        job_id: params.id.toLowerCase(),
        players: playerIds.map(nameOf),
        starting_stack: startingStack,
        stacks: stacks === 'reset' ? ('reset' as const) : ('carry' as const),
        ...columns,
      };
    },
  }),
  route('GET /live/job/{id}/highlights', {
    access: 'anyone',
    tokenScope: 'read',
    summary: 'At most five hands of a finished match: the largest swing of equity times pot first. Empty while it runs',
    params: jobParams,
    response: highlightList,
    refusals: [403, 404],
    shared: { among: 'visitors', match: ({ id }) => id },
    async handle({ params, context, caller }) {
      const { highlights } = await context.liveData.listHighlights({ jobId: params.id }, { caller });
      const nameOf = await context.names.of(highlights.flatMap(({ playerIds }) => playerIds));
      return { job_id: params.id.toLowerCase(), highlights: highlights.map((one) => presentHighlight(one, nameOf)) };
    },
  }),
  route('GET /live/hand-of-the-day', {
    access: 'anyone',
    summary:
      'The public hand with the largest swing of equity times pot of the last 24 hours, else of the newest day with one; or of a batch',
    query: z.object({ batch: z.string().max(9).default('').describe('number of a public batch') }),
    response: highlight,
    refusals: [404],
    shared: { among: 'everyone' },
    async handle({ query: { batch }, context, caller }) {
      const batchId = batch === '' ? '' : (await findBatch(batch, context, { kind: 'anonymous' })).id;
      const best = await context.liveData.getHandOfTheDay({ batchId }, { caller });
      return presentHighlight(best, await context.names.of(best.playerIds));
    },
  }),
  route('GET /live/players/{username}/hands', {
    access: 'anyone',
    summary: "A player's largest net wins or losses: in public matches; the player's own call covers private ones too",
    params: playerParams,
    query: playerHandsQuery,
    response: playerHands,
    refusals: [404],
    shared: { among: 'visitors' },
    async handle({ params, query, context, caller }) {
      const playerId = await context.names.idOf(params.username);
      const publicOnly = !isUser(caller, playerId);
      const request = {
        playerId,
        worst: query.kind === 'worst',
        limit: query.limit,
        publicOnly,
        ladder: query.of === 'ladder',
      };
      const { hands } = await context.liveData.listPlayerHands(request, { caller });
      const nameOf = await context.names.of([playerId, ...hands.flatMap(({ playerIds }) => playerIds)]);
      return {
        username: nameOf(playerId),
        hands: hands.flatMap(({ hand, playerIds, seat, jobId, matchStartedAt, isPublic }) => {
          if (hand === null) return [];
          return {
            ...presentHand(hand, playerIds, nameOf),
            job_id: jobId,
            players: playerIds.map(nameOf),
            net: hand.nets[seat] ?? 0,
            match_started_at: matchStartedAt || null,
            is_public: isPublic,
          };
        }),
      };
    },
  }),
  route('GET /live/players/{username}/matches', {
    access: 'anyone',
    summary:
      "A player's public matches with rank and delta, newest first; the player's own call lists private ones too",
    params: playerParams,
    query: playerMatchesQuery,
    response: playerMatches,
    refusals: [404],
    shared: { among: 'visitors' },
    async handle({ params, query, context, caller }) {
      const { page, page_size: pageSize } = query;
      const playerId = await context.names.idOf(params.username);
      const publicOnly = !isUser(caller, playerId);
      const { matches, total } = await context.liveData.listMatches(
        { playerId, publicOnly, page, pageSize },
        { caller },
      );
      const [nameOf, shown] = await Promise.all([context.names.of([playerId]), presentMatches(matches, context)]);
      return {
        username: nameOf(playerId),
        matches: shown.map(({ first_game_created_at, ...match }, index) => ({
          ...match,
          ...standingOf(matches[index], playerId),
          played_at: first_game_created_at,
        })),
        ...envelopeOf(total, page, pageSize),
      };
    },
  }),
];

/** Returns whether the caller is this user, who may see their own private matches. */
function isUser(caller: Caller, userId: string): boolean {
  return caller.kind === 'user' && caller.id === userId;
}

function standingOf(match: MatchItem__Output | undefined, playerId: string) {
  const delta = match?.deltas[match.playerIds.indexOf(playerId)];
  if (match === undefined || delta === undefined) return { rank: null, delta: null };
  return { rank: rankOf(delta, match.deltas), delta };
}
