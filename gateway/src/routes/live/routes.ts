import type { Caller } from '@husky/runtime/caller';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply, route } from '../../http/route.ts';
import { envelopeOf, jobParams } from '../../http/schema.ts';
import { streamMatch } from './events.ts';
import { nameGame, presentMatch } from './present.ts';
import {
  adminMatchPage,
  botLogResponse,
  gameList,
  gamePage,
  gameParams,
  gameResponse,
  gamesQuery,
  jobIdsQuery,
  matchList,
  matchPage,
  performanceResponse,
  publicPageQuery,
  seedResponse,
} from './schema.ts';

const publicListSize = 1000;

type ListRequest = Parameters<Context['liveData']['listMatches']>[0];

async function matchPageOf(
  request: ListRequest,
  query: { page: number; page_size: number; order: string },
  context: Context,
  caller: Caller,
) {
  const { page, page_size: pageSize, order } = query;
  const list = await context.liveData.listMatches({ page, pageSize, order, ...request }, { caller });
  const nameOf = await context.names.of(list.matches.flatMap((match) => match.playerIds));
  return {
    jobs: list.matches.map((match) => presentMatch(match, nameOf)),
    ...envelopeOf(list.total, page, pageSize),
    ...{ total_games: list.totalGames, total_players: list.totalPlayers },
  };
}

/** A name of a user means the matches of that user; whatever else is typed is the beginning of a job's id. */
async function searched(q: string, context: Context): Promise<ListRequest> {
  if (q === '') return {};
  const [playerId] = (await context.names.idsOf([q])).ids;
  return playerId === undefined ? { jobIdBegins: q } : { playerId };
}

export const liveRoutes = [
  route({
    method: 'get',
    path: '/live/job-ids',
    access: 'admin',
    summary: 'Matches with stored hands, public and private',
    query: jobIdsQuery,
    response: adminMatchPage,
    async handle({ query, context, caller }) {
      const { status, visibility } = query;
      const shown = { publicOnly: visibility === 'public', privateOnly: visibility === 'private' };
      const request = { status, ...shown, ...(await searched(query.q.trim(), context)) };
      const found = await matchPageOf(request, query, context, caller);
      const { jobIds } = await context.leaderboard.listAppliedJobs(
        { jobIds: found.jobs.map((job) => job.job_id) },
        { caller },
      );
      const added = new Set(jobIds);
      return { ...found, jobs: found.jobs.map((job) => ({ ...job, tournaments_2025_added: added.has(job.job_id) })) };
    },
  }),
  route({
    method: 'get',
    path: '/live/public-job-ids',
    access: 'anyone',
    summary: 'The newest public matches',
    response: matchList,
    async handle({ context, caller }) {
      const request = { publicOnly: true, page: 1, pageSize: publicListSize, order: 'newest' };
      const { matches, totalGames, totalPlayers } = await context.liveData.listMatches(request, { caller });
      const nameOf = await context.names.of(matches.flatMap((match) => match.playerIds));
      const jobs = matches.map((match) => presentMatch(match, nameOf));
      return { jobs, total_games: totalGames, total_players: totalPlayers };
    },
  }),
  route({
    method: 'get',
    path: '/live/public-job-ids/paginated',
    access: 'anyone',
    summary: 'Public matches by page',
    query: publicPageQuery,
    response: matchPage,
    handle: ({ query, context, caller }) =>
      matchPageOf({ publicOnly: true, status: query.status }, query, context, caller),
  }),
  route({
    method: 'get',
    path: '/live/job/{id}/games',
    access: 'anyone',
    summary: "A match's hands in order",
    params: jobParams,
    response: gameList,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const { hands } = await context.liveData.listHands({ jobId: params.id, page: 1, pageSize: 0 }, { caller });
      return { games: hands.map((hand) => ({ game_id: hand.gameId, game_uuid: String(hand.hand) })) };
    },
  }),
  route({
    method: 'get',
    path: '/live/job/{id}/games/paginated',
    access: 'anyone',
    summary: "A match's hands by page",
    params: jobParams,
    query: gamesQuery,
    response: gamePage,
    refusals: [403, 404],
    async handle({ params, query, context, caller }) {
      const request = { jobId: params.id, page: query.page, pageSize: query.page_size };
      const { hands, total } = await context.liveData.listHands(request, { caller });
      const games = hands.map((hand) => ({ game_id: hand.gameId, game_uuid: String(hand.hand) }));
      return { games, ...envelopeOf(total, query.page, query.page_size) };
    },
  }),
  route({
    method: 'get',
    path: '/live/game/{id}',
    access: 'anyone',
    summary: "One hand's log, for the replay and for download",
    params: gameParams,
    response: gameResponse,
    refusals: [403, 404],
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
  route({
    method: 'get',
    path: '/live/job/{id}/user-performance',
    access: 'anyone',
    summary: "Each player's cumulative delta after every hand",
    params: jobParams,
    response: performanceResponse,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const { series } = await context.liveData.getPerformance({ jobId: params.id }, { caller });
      const nameOf = await context.names.of(series.map((player) => player.userId));
      return Object.fromEntries(series.map((player) => [nameOf(player.userId), player.cumulative]));
    },
  }),
  route({
    method: 'get',
    path: '/live/job/{id}/events',
    access: 'anyone',
    summary: 'A match as it runs, as server-sent events: hand, progress, reset, end (Last-Event-ID resumes)',
    params: jobParams,
    response: 'stream',
    refusals: [403, 404],
    async handle({ params, context, caller, koa }) {
      await streamMatch(koa, params.id, caller, context);
      return reply({});
    },
  }),
  route({
    method: 'get',
    path: '/live/job/{id}/seed',
    access: 'anyone',
    summary: 'The seed and its commitment, once the last match that uses it has finished',
    params: jobParams,
    response: seedResponse,
    refusals: [403, 404, 409],
    async handle({ params, context, caller }) {
      const seed = await context.simulation.getSeed({ jobId: params.id }, { caller });
      return {
        job_id: seed.jobId,
        seed: seed.seedHex,
        commitment: seed.commitment,
        commitment_input: seed.commitmentInput,
      };
    },
  }),
  route({
    method: 'get',
    path: '/live/job/{id}/log/{username}',
    access: 'verified',
    summary: "A bot's own log in a match: its owner and admins only",
    params: z.object({ id: z.string().min(1).max(64), username: z.string().min(1).max(64) }),
    response: botLogResponse,
    refusals: [403, 404],
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username);
      const log = await context.liveData.getSeatLog({ jobId: params.id, userId }, { caller });
      return {
        job_id: params.id,
        username: params.username,
        log: log.log,
        verdict: log.verdict,
        cpu_ms: log.cpuMs,
        peak_memory_kib: log.peakKib,
        faults: log.faults,
      };
    },
  }),
];
