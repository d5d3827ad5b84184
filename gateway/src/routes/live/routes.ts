import { parseGameId } from '@husky/match/game-id';
import type { Caller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply, route } from '../../http/route.ts';
import { envelopeOf, jobParams } from '../../http/schema.ts';
import { mayCountIn2025 } from '../../standing-2025.ts';
import { botRoutes } from './bot-routes.ts';
import { listMatchesNow, streamMatch } from './events.ts';
import { fairnessRoutes } from './fairness-routes.ts';
import { handRoutes } from './hand-routes.ts';
import { playRoutes } from './play-routes.ts';
import { nameGame, presentMatches } from './present.ts';
import {
  adminMatchPage,
  gameList,
  gamePage,
  gameParams,
  gameResponse,
  gamesQuery,
  jobIdsQuery,
  luckResponse,
  matchPage,
  nowResponse,
  performanceResponse,
  publicListQuery,
  publicPageQuery,
} from './schema.ts';
import { standingsRoutes } from './standings-routes.ts';

type ListRequest = Parameters<Context['liveData']['listMatches']>[0];

// An id that no user and no batch has. As a filter it matches nothing.
const unknownId = '00000000-0000-0000-0000-000000000000';

/** Lists a page of matches. Returns the matches as live-data has them, and the response body. */
async function listMatchPage(
  request: ListRequest,
  query: { page: number; page_size: number; order: string },
  context: Context,
  caller: Caller,
) {
  const { page, page_size: pageSize, order } = query;
  const list = await context.liveData.listMatches({ page, pageSize, order, ...request }, { caller });
  const jobs = await presentMatches(list.matches, context);
  return {
    found: list.matches,
    body: {
      jobs,
      ...envelopeOf(list.total, page, pageSize),
      total_games: list.totalGames,
      total_players: list.totalPlayers,
      recent_count: list.recent,
    },
  };
}

/** Converts a search text to filters: the name of a user selects the user's matches, any other text is a prefix of a job id. */
async function searchFilters(q: string, context: Context): Promise<ListRequest> {
  if (q === '') return {};
  const [playerId] = (await context.names.idsOf([q])).ids;
  return playerId === undefined ? { jobIdBegins: q } : { playerId };
}

/** Converts search, player, opponent and batch of a list of public matches to filters. An unknown name or batch matches nothing. */
async function listFilters(query: z.output<typeof publicPageQuery>, context: Context): Promise<ListRequest> {
  const usernames = [query.player, query.opponent].filter((name) => name !== '');
  const { ids, unknown } = usernames.length === 0 ? { ids: [], unknown: [] } : await context.names.idsOf(usernames);
  return {
    ...(await searchFilters(query.q.trim(), context)),
    opponentIds: unknown.length > 0 ? [unknownId] : ids,
    batchId: query.batch === undefined ? query.batch_id : await batchIdOf(query.batch, context),
  };
}

/** Returns the id of the newest public batch with a number; if there is none, an id that no batch has. */
async function batchIdOf(batchNumber: number, context: Context): Promise<string> {
  try {
    return (await context.simulation.findBatch({ batchNumber }, { caller: { kind: 'anonymous' } })).id;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') return unknownId;
    throw error;
  }
}

export const liveRoutes = [
  ...handRoutes,
  ...playRoutes,
  ...standingsRoutes,
  route('GET /live/job-ids', {
    access: 'admin',
    summary: 'Matches with stored hands, public and private',
    query: jobIdsQuery,
    response: adminMatchPage,
    async handle({ query, context, caller }) {
      const { status, visibility } = query;
      const shown = { publicOnly: visibility === 'public', privateOnly: visibility === 'private' };
      const request = { status, ...shown, ...(await searchFilters(query.q.trim(), context)) };
      const { found, body } = await listMatchPage(request, query, context, caller);
      const ids = found.map((match) => match.jobId);
      const added = await context.appliedJobs.findApplied(ids, caller);
      const allowed = new Set(found.filter(mayCountIn2025).map((match) => match.jobId));
      const jobs = body.jobs.map((job) => ({
        ...job,
        tournaments_2025_added: added.has(job.job_id),
        tournaments_2025_allowed: allowed.has(job.job_id),
      }));
      return { ...body, jobs };
    },
  }),
  route('GET /live/now', {
    access: 'anyone',
    summary: 'Public matches in play, with speed and watchers, and the last finished ones; at most 1 s old',
    response: nowResponse,
    shared: { among: 'everyone' },
    handle: ({ context }) => listMatchesNow(context),
  }),
  route('GET /live/public-job-ids', {
    access: 'anyone',
    summary: 'The newest public matches, up to 1,000 a page',
    query: publicListQuery,
    response: matchPage,
    shared: { among: 'everyone' },
    handle: async ({ query, context, caller }) =>
      (await listMatchPage({ publicOnly: true }, { ...query, order: 'newest' }, context, caller)).body,
  }),
  route('GET /live/public-job-ids/paginated', {
    access: 'anyone',
    summary: 'Public matches by page',
    query: publicPageQuery,
    response: matchPage,
    shared: { among: 'everyone' },
    async handle({ query, context, caller }) {
      const request = { publicOnly: true, status: query.status, ...(await listFilters(query, context)) };
      return (await listMatchPage(request, query, context, caller)).body;
    },
  }),
  route('GET /live/job/{id}/games', {
    access: 'anyone',
    tokenScope: 'read',
    summary: "A match's hands in order",
    params: jobParams,
    response: gameList,
    storable: true,
    refusals: [403, 404],
    shared: { among: 'visitors', match: ({ id }) => id },
    async handle({ params, context, caller }) {
      const { hands } = await context.liveData.listHands({ jobId: params.id, page: 1, pageSize: 0 }, { caller });
      return { games: hands.map((hand) => ({ game_id: hand.gameId, game_uuid: String(hand.hand) })) };
    },
  }),
  route('GET /live/job/{id}/games/paginated', {
    access: 'anyone',
    tokenScope: 'read',
    summary: "A match's hands by page",
    params: jobParams,
    query: gamesQuery,
    response: gamePage,
    storable: true,
    refusals: [403, 404],
    shared: { among: 'visitors', match: ({ id }) => id },
    async handle({ params, query, context, caller }) {
      const request = { jobId: params.id, page: query.page, pageSize: query.page_size };
      const { hands, total } = await context.liveData.listHands(request, { caller });
      const games = hands.map((hand) => ({ game_id: hand.gameId, game_uuid: String(hand.hand) }));
      return { games, ...envelopeOf(total, query.page, query.page_size) };
    },
  }),
  route('GET /live/game/{id}', {
    access: 'anyone',
    tokenScope: 'read',
    summary: "One hand's log, for the replay and for download",
    params: gameParams,
    response: gameResponse,
    storable: true,
    refusals: [403, 404],
    shared: { among: 'visitors', match: ({ id = '' }) => parseGameId(id)?.jobId },
    async handle({ params, context, caller }) {
      const hand = await context.liveData.getHand({ gameId: params.id }, { caller });
      const nameOf = await context.names.of(hand.playerIds);
      return {
        message: 'Game found',
        game_id: hand.gameId,
        game_uuid: String(hand.hand),
        job_id: hand.jobId,
        game_data: nameGame(hand, nameOf),
      };
    },
  }),
  route('GET /live/job/{id}/user-performance', {
    access: 'anyone',
    tokenScope: 'read',
    summary: "Each player's cumulative delta after every hand",
    params: jobParams,
    response: performanceResponse,
    storable: true,
    refusals: [403, 404],
    shared: { among: 'visitors', match: ({ id }) => id },
    async handle({ params, context, caller }) {
      const { series } = await context.liveData.getPerformance({ jobId: params.id }, { caller });
      const nameOf = await context.names.of(series.map((player) => player.userId));
      return Object.fromEntries(series.map((player) => [nameOf(player.userId), player.cumulative]));
    },
  }),
  route('GET /live/job/{id}/luck', {
    access: 'anyone',
    tokenScope: 'read',
    summary:
      "Each player's cumulative delta after every hand of a finished match, with and without the value of the cards",
    params: jobParams,
    response: luckResponse,
    refusals: [400, 403, 404],
    shared: { among: 'visitors' },
    async handle({ params, context, caller }) {
      const { ready, version, players } = await context.liveData.getMatchLuck({ jobId: params.id }, { caller });
      const nameOf = await context.names.of(players.map((player) => player.userId));
      return {
        job_id: params.id.toLowerCase(),
        state: ready ? ('ready' as const) : ('computing' as const),
        version: ready ? version : null,
        players: players.map(({ userId, raw, adjusted }) => ({
          username: nameOf(userId),
          raw,
          adjusted,
          luck: raw.map((chips, hand) => Math.round((chips - (adjusted[hand] ?? 0)) * 100) / 100),
        })),
      };
    },
  }),
  route('GET /live/job/{id}/events', {
    access: 'anyone',
    tokenScope: 'read',
    summary: 'A match as it runs, as server-sent events: hand, progress, reset, end (Last-Event-ID resumes)',
    params: jobParams,
    response: 'stream',
    refusals: [403, 404, 429],
    async handle({ params, context, caller, token, address, koa }) {
      await streamMatch(koa, params.id, { caller, token, address }, context);
      return reply({});
    },
  }),
  ...fairnessRoutes,
  ...botRoutes,
];
