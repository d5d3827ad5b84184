import type { Board__Output } from '@husky/contracts/types/leaderboard/v1/Board';
import type { Entry__Output } from '@husky/contracts/types/leaderboard/v1/Entry';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { envelopeOf, message, pathName } from '../../http/schema.ts';
import { countMatches, presentCounts } from '../../match-counts.ts';
import {
  addBody,
  addResponse,
  boardQuery,
  boardResponse,
  entriesQuery,
  entriesResponse,
  tagsResponse,
  topParams,
  topQuery,
  topResponse,
} from './schema.ts';

async function presentEntries(entries: readonly Entry__Output[], context: Context) {
  const nameOf = await context.names.of(entries.map((entry) => entry.userId));
  return entries.map((entry) => presentEntry(entry, nameOf));
}

/** Returns which planned matches of a board's batches were deleted; null: none, or a board without batches. */
async function boardNote({ tag, matches, fromMatches }: Board__Output, context: Context, caller: Caller) {
  if (!fromMatches) return null;
  const { batchIds } = await context.leaderboard.listTagMatches({ tag }, { caller });
  if (batchIds.length === 0) return null;
  const counts = await countMatches(context, ...batchIds);
  return counts.deleted === 0 ? null : presentCounts(counts, matches, { withNoContest: true }).note;
}

export const leaderboardRoutes = [
  route('GET /leaderboard/top/{n}', {
    access: 'anyone',
    summary: 'The best entries of a tag, or of all; page 2 has the next n',
    params: topParams,
    query: topQuery,
    response: topResponse,
    shared: { among: 'everyone' },
    async handle({ params, query, context, caller }) {
      const { entries, total } = await context.leaderboard.getTop({ n: params.n, ...query }, { caller });
      const presented = await presentEntries(entries, context);
      return {
        top_entries: presented.map((entry, at) => ({ ...entry, rank: entries[at]?.rank ?? 0 })),
        ...envelopeOf(total, query.page, params.n),
      };
    },
  }),
  route('GET /leaderboard/board', {
    access: 'anyone',
    summary: "One board, a row for each user: the home page's, or that of a tag",
    query: boardQuery,
    response: boardResponse,
    shared: { among: 'everyone' },
    async handle({ query, context, caller }) {
      const { tag, page, page_size: pageSize } = query;
      const preferredTag = (await context.eventSettings.current())?.homeBoard ?? '';
      const board = await context.leaderboard.getBoard({ tag, preferredTag, page, pageSize }, { caller });
      const [nameOf, note] = await Promise.all([
        context.names.of(board.rows.map((row) => row.userId)),
        boardNote(board, context, caller),
      ]);
      return {
        tag: board.tag,
        note,
        from_matches: board.fromMatches,
        matches: board.matches,
        rows: board.rows.map((row) => ({
          username: nameOf(row.userId),
          rank: row.rank,
          score: row.scoreCents / 100,
          entries: row.entries,
          matches: row.matches,
        })),
        ...envelopeOf(board.total, page, pageSize),
        boards: board.tags,
      };
    },
  }),
  route('GET /leaderboard/tags', {
    access: 'verified',
    summary: 'All tags',
    response: tagsResponse,
    async handle({ context, caller }) {
      const { tags } = await context.leaderboard.listTags({}, { caller });
      return { tags };
    },
  }),
  route('GET /leaderboard/user/{username}', {
    access: 'verified',
    summary: "One user's entries",
    params: pathName('username'),
    query: entriesQuery,
    response: entriesResponse,
    refusals: [404],
    async handle({ params, query, context, caller }) {
      const userId = await context.names.idOf(params.username ?? '');
      const { tag, page, page_size: pageSize } = query;
      const request = { userId, tag, page, pageSize };
      const { entries, total } = await context.leaderboard.listUserEntries(request, { caller });
      return { entries: await presentEntries(entries, context), ...envelopeOf(total, page, pageSize) };
    },
  }),
  route('POST /leaderboard/add', {
    access: 'admin',
    repeatable: true,
    summary: 'Add an entry, for the caller unless a user is named',
    body: addBody,
    response: addResponse,
    successStatus: 201,
    refusals: [400, 404, 409],
    async handle({ body, context, caller }) {
      const own = caller.kind === 'user' ? caller.id : '';
      const userId = body.username === undefined ? own : await context.names.idOf(body.username);
      const request = { userId, scoreCents: Math.round(body.score * 100), tag: body.tag };
      const [entry] = await presentEntries([await context.leaderboard.addEntry(request, { caller })], context);
      return { entry };
    },
  }),
  route('DELETE /leaderboard/remove/{id}', {
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

export function presentEntry(entry: Entry__Output, nameOf: (id: string) => string) {
  return {
    id: entry.id,
    username: nameOf(entry.userId),
    score: entry.scoreCents / 100,
    tag: entry.tag,
    time_created: entry.timeCreated,
  };
}
