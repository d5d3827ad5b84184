import { signedIn } from '@husky/runtime/rpc/access';
import type { Caller } from '@husky/runtime/rpc/caller';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { reply, route } from '../../http/route.ts';
import { pageQuery, pathName } from '../../http/schema.ts';
import { presentEntry } from '../leaderboard/routes.ts';
import {
  directoryEntry,
  directoryPage,
  presentDirectoryEntry,
  presentProfile,
  presentSummary,
  profileOf,
  profileResponse,
  updateBody,
  updateResponse,
} from './schema.ts';

async function readProfile(username: string, context: Context, caller: Caller) {
  const user = await context.auth.getUser({ username }, { caller });
  const maySeeSubmissions = caller.kind === 'user' && (caller.admin || (caller.verified && caller.id === user.id));
  const [{ entries, total }, summary] = await Promise.all([
    context.leaderboard.listUserEntries({ userId: user.id, tag: '' }, { caller }),
    maySeeSubmissions ? context.submission.summariseSubmissions({ userId: user.id }, { caller }) : undefined,
  ]);
  return {
    profile: presentProfile(user),
    leaderboard_entries: entries.map((entry) => presentEntry(entry, () => user.username)),
    leaderboard_entries_count: total,
    ...(summary ? { submissions: presentSummary(summary) } : {}),
  };
}

export const profileRoutes = [
  route('GET /profile', {
    access: 'verified',
    summary: "The caller's own profile and scores",
    response: profileResponse,
    handle: ({ context, caller }) => readProfile(signedIn(caller).username, context, caller),
  }),
  route('GET /profile/{username}', {
    access: 'anyone',
    summary: "A user's public profile and scores",
    params: pathName('username'),
    response: profileResponse,
    refusals: [404],
    shared: { among: 'visitors' },
    handle: ({ params, context, caller }) => readProfile(params.username ?? '', context, caller),
  }),
  route('POST /user/update', {
    access: 'verified',
    summary: "Change the caller's own profile; what is left out stays",
    body: updateBody,
    response: updateResponse,
    refusals: [400],
    async handle({ body, context, caller }) {
      const user = await context.auth.updateProfile(
        profileOf(body, (text) => (text === undefined ? undefined : (text ?? ''))),
        { caller },
      );
      context.sessions.forget(user.id);
      return { profile: presentProfile(user) };
    },
  }),
  route('GET /user/all', {
    access: 'verified',
    summary: 'The directory of users by page',
    query: z.object(pageQuery(25)),
    response: directoryPage,
    async handle({ query, context, caller }) {
      const request = { page: query.page, pageSize: query.page_size, q: '', status: '' };
      const { users, total } = await context.auth.listUsers(request, { caller });
      return {
        users: users.map(presentDirectoryEntry),
        total,
        page: query.page,
        total_pages: Math.max(1, Math.ceil(total / query.page_size)),
      };
    },
  }),
  route('GET /user/search', {
    access: 'verified',
    summary: 'Users whose username or name contains a text, by page (X-Total-Count: total)',
    query: z.object({ q: z.string().max(100), ...pageQuery(50) }),
    response: z.array(directoryEntry),
    async handle({ query, context, caller }) {
      const request = { page: query.page, pageSize: query.page_size, q: query.q.trim(), status: '' };
      const { users, total } = await context.auth.listUsers(request, { caller });
      return reply({ body: users.map(presentDirectoryEntry), headers: { 'X-Total-Count': String(total) } });
    },
  }),
];
