import { signedIn } from '@husky/runtime/rpc/access';
import { z } from 'zod';
import { reply, route } from '../../http/route.ts';
import { envelopeOf, message, pageQuery } from '../../http/schema.ts';
import { presentAuthoring } from '../submission/authoring-routes.ts';
import {
  changeEmailBody,
  changePasswordBody,
  deleteAccountBody,
  endedSessions,
  exportResponse,
  forgotPasswordBody,
  presentSession,
  resetPasswordBody,
  sessionList,
  sessionResponse,
} from './schema.ts';

/** Routes for the caller's own account. */
export const accountRoutes = [
  route('POST /auth/change-password', {
    access: 'signed-in',
    summary: 'Change the password; ends every other session and returns a new token',
    body: changePasswordBody,
    response: sessionResponse,
    refusals: [400, 429],
    async handle({ body, address, context, caller }) {
      const request = { currentPassword: body.current_password, newPassword: body.new_password, address };
      const session = await context.auth.changePassword(request, { caller });
      context.sessions.forget(signedIn(caller).id);
      return presentSession(session);
    },
  }),
  route('POST /auth/change-email', {
    access: 'signed-in',
    summary:
      'Send a link to a new address, which the account gets when the link is opened; the old address gets a notice',
    body: changeEmailBody,
    response: message,
    refusals: [400, 429],
    async handle({ body, address, context, caller }) {
      const request = { currentPassword: body.current_password, newEmail: body.new_email, address };
      const { message: text } = await context.auth.changeEmail(request, { caller });
      return { message: text };
    },
  }),
  route('POST /auth/forgot-password', {
    access: 'anyone',
    summary: 'Send a link that sets a new password; the response is the same for unknown addresses',
    body: forgotPasswordBody,
    response: message,
    refusals: [400, 429],
    async handle({ body, address, context, caller }) {
      const { message: text } = await context.auth.requestPasswordReset({ email: body.email, address }, { caller });
      return { message: text };
    },
  }),
  route('POST /auth/reset-password', {
    access: 'anyone',
    summary: 'Set a new password by the link from the mail, once; every session ends',
    body: resetPasswordBody,
    response: message,
    refusals: [400, 404],
    async handle({ body, context, caller, koa }) {
      const request = { token: body.token, newPassword: body.new_password };
      const user = await context.auth.resetPassword(request, { caller });
      context.sessions.forget(user.id);
      // The link proves the owner, who may be here because others have used up the attempts of the name.
      context.devices.remember(koa, user.username);
      return { message: 'Your password has been changed. Please log in.' };
    },
  }),
  route('GET /auth/sessions', {
    access: 'signed-in',
    summary: "The caller's sessions, newest first, by page",
    query: z.object(pageQuery(100)),
    response: sessionList,
    async handle({ token, query, context, caller }) {
      const { page, page_size: pageSize } = query;
      const request = { accessToken: token ?? '', page, pageSize };
      const { sessions, total } = await context.auth.listSessions(request, { caller });
      return {
        ...envelopeOf(total, page, pageSize),
        sessions: sessions.map((session) => ({
          id: session.id,
          created_at: session.createdAt,
          expires_at: session.expiresAt,
          address: session.address || null,
          current: session.current,
        })),
      };
    },
  }),
  route('DELETE /auth/sessions/{id}', {
    access: 'signed-in',
    summary: 'End one session of the caller; `others` ends all but this one',
    params: z.object({ id: z.string().min(1).max(64) }),
    response: endedSessions,
    refusals: [404],
    async handle({ params, token, context, caller }) {
      const { ended } =
        params.id === 'others'
          ? await context.auth.endOtherSessions({ accessToken: token ?? '' }, { caller })
          : await context.auth.endSession({ sessionId: params.id }, { caller });
      context.sessions.forget(signedIn(caller).id);
      return { ended };
    },
  }),
  route('POST /auth/delete-account', {
    access: 'signed-in',
    summary: "Delete the caller's own account with all data",
    body: deleteAccountBody,
    response: message,
    refusals: [400, 429],
    async handle({ body, context, caller }) {
      const { userId } = await context.auth.deleteOwnAccount({ password: body.password }, { caller });
      context.sessions.forget(userId);
      context.names.forget(userId);
      return { message: 'Your account has been deleted' };
    },
  }),
  route('GET /auth/export', {
    access: 'signed-in',
    summary: 'All data stored about the caller, as a file',
    response: exportResponse,
    async handle({ context, caller }) {
      const user = signedIn(caller);
      const [{ json }, { entries }, { authorings }] = await Promise.all([
        context.auth.exportOwnData({}, { caller }),
        context.leaderboard.listUserEntries({ userId: user.id, tag: '' }, { caller }),
        context.submission.listAuthorings({ userId: user.id }, { caller }),
      ]);
      const saved = user.verified ? (await context.submission.listSubmissions({}, { caller })).submissions : [];
      return reply({
        body: {
          account: JSON.parse(json) as object,
          submissions: saved.map(({ id, createdAt, final }) => ({ id, created_at: createdAt, final })),
          authorings: authorings.map(presentAuthoring),
          leaderboard_entries: entries.map((entry) => ({
            score: entry.scoreCents / 100,
            tag: entry.tag,
            time_created: entry.timeCreated,
          })),
        },
        headers: { 'Content-Disposition': `attachment; filename="${user.username}.json"` },
      });
    },
  }),
];
