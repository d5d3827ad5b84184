import { DomainError } from '@husky/runtime/rpc/errors';
import { z } from 'zod';
import { reply, route } from '../../http/route.ts';
import { listQuery, message, pathName } from '../../http/schema.ts';
import {
  adminBody,
  adminUser,
  finalSubmission,
  toggledAdmin,
  toggledVerified,
  userCount,
  verifiedBody,
} from './schema.ts';

const toggleRequest = (username: string | undefined, value: boolean | undefined) => ({
  username,
  ...(value === undefined ? {} : { value }),
});

export const adminUserRoutes = [
  route('GET /admin/user-count', {
    access: 'admin',
    summary: 'How many users there are',
    response: userCount,
    async handle({ context, caller }) {
      const counts = await context.auth.countUsers({}, { caller });
      return { user_count: counts.userCount, verified_count: counts.verifiedCount };
    },
  }),
  route('GET /admin/users', {
    access: 'admin',
    summary: 'Users with their roles (X-Total-Count: total)',
    query: listQuery,
    response: z.array(adminUser),
    refusals: [400],
    async handle({ query, context, caller }) {
      const request = { page: query.page, pageSize: query.page_size, q: query.q, status: query.status };
      const { users, total } = await context.auth.listUsers(request, { caller });
      const body = users.map((user) => ({
        username: user.username,
        email: user.email,
        admin: user.admin,
        is_verified: user.isVerified,
      }));
      return reply({ body, headers: { 'X-Total-Count': String(total) } });
    },
  }),
  route('POST /admin/toggle-admin/{username}', {
    access: 'admin',
    summary: 'Grant or revoke admin; without a body: toggle it',
    params: pathName('username'),
    body: adminBody,
    response: toggledAdmin,
    refusals: [400, 404, 409],
    async handle({ params, body, context, caller }) {
      const user = await context.auth.toggleAdmin(toggleRequest(params.username, body.admin), { caller });
      context.sessions.forget(user.id);
      return { admin: user.admin };
    },
  }),
  route('POST /admin/verify-user/{username}', {
    access: 'admin',
    summary: 'Verify or unverify a user; without a body: toggle it',
    params: pathName('username'),
    body: verifiedBody,
    response: toggledVerified,
    refusals: [400, 404, 409],
    async handle({ params, body, context, caller }) {
      const user = await context.auth.toggleVerified(toggleRequest(params.username, body.is_verified), { caller });
      context.sessions.forget(user.id);
      return { is_verified: user.isVerified };
    },
  }),
  route('DELETE /admin/user/{username}', {
    access: 'admin',
    summary: 'Delete a user with all data; finished matches keep a tombstone name',
    params: pathName('username'),
    response: message,
    refusals: [400, 404],
    async handle({ params, context, caller }) {
      const { userId } = await context.auth.deleteUser({ username: params.username }, { caller });
      context.sessions.forget(userId);
      context.names.forget(userId);
      return { message: 'User deleted' };
    },
  }),
  route('GET /admin/user-final-submission/{username}', {
    access: 'admin',
    summary: "A user's final submission",
    params: pathName('username'),
    response: finalSubmission,
    refusals: [404],
    async handle({ params, context, caller }) {
      const userId = await context.names.idOf(params.username ?? '');
      try {
        const saved = await context.submission.getFinalSubmission({ userId }, { caller });
        return {
          has_final_submission: true,
          message: 'Final submission found',
          submission_id: saved.id,
          player_file: saved.playerFileId,
          package_file: saved.requirementsFileId,
          created_at: saved.createdAt,
        };
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'NOT_FOUND')) throw error;
        return { has_final_submission: false, message: 'This user has no final submission' };
      }
    },
  }),
];
