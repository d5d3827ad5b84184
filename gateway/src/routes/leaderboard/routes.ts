import type { Entry__Output } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { message, pathName } from '../../http/schema.ts';
import { presentEntry } from './present.ts';
import { addBody, addResponse, entriesResponse, tagQuery, tagsResponse, topParams, topResponse } from './schema.ts';

async function presentEntries(entries: readonly Entry__Output[], context: Context) {
  const nameOf = await context.names.of(entries.map((entry) => entry.userId));
  return entries.map((entry) => presentEntry(entry, nameOf));
}

export const leaderboardRoutes = [
  route({
    method: 'get',
    path: '/leaderboard/top/{n}',
    access: 'anyone',
    summary: 'The best entries of a tag, or of all',
    params: topParams,
    query: tagQuery,
    response: topResponse,
    async handle({ params, query, context, caller }) {
      const { entries } = await context.leaderboard.getTop({ n: params.n, tag: query.tag }, { caller });
      return { top_entries: await presentEntries(entries, context) };
    },
  }),
  route({
    method: 'get',
    path: '/leaderboard/tags',
    access: 'verified',
    summary: 'All tags',
    response: tagsResponse,
    async handle({ context, caller }) {
      const { tags } = await context.leaderboard.listTags({}, { caller });
      return { tags };
    },
  }),
  route({
    method: 'get',
    path: '/leaderboard/user/{username}',
    access: 'verified',
    summary: "One user's entries",
    params: pathName('username'),
    query: tagQuery,
    response: entriesResponse,
    refusals: [404],
    async handle({ params, query, context, caller }) {
      const userId = await context.names.idOf(params.username ?? '');
      const { entries } = await context.leaderboard.listUserEntries({ userId, tag: query.tag }, { caller });
      return { entries: await presentEntries(entries, context) };
    },
  }),
  route({
    method: 'post',
    path: '/leaderboard/add',
    access: 'admin',
    summary: 'Add an entry, for the caller unless a user is named',
    body: addBody,
    response: addResponse,
    successStatus: 201,
    refusals: [400, 404],
    async handle({ body, context, caller }) {
      const own = caller.kind === 'user' ? caller.id : '';
      const userId = body.username === undefined ? own : await context.names.idOf(body.username);
      const request = { userId, scoreCents: Math.round(body.score * 100), tag: body.tag };
      const [entry] = await presentEntries([await context.leaderboard.addEntry(request, { caller })], context);
      return { entry };
    },
  }),
  route({
    method: 'delete',
    path: '/leaderboard/remove/{id}',
    access: 'admin',
    summary: 'Remove an entry',
    params: pathName('id'),
    response: message,
    refusals: [404],
    async handle({ params, context, caller }) {
      await context.leaderboard.removeEntry({ id: params.id ?? '' }, { caller });
      return { message: 'Entry removed' };
    },
  }),
];
