import type { Session__Output } from '@husky/contracts/types/auth/v1/Session';
import { DomainError } from '@husky/runtime/rpc/errors';
import type Koa from 'koa';
import type { Context } from '../../context.ts';
import { route } from '../../http/route.ts';
import { message } from '../../http/schema.ts';
import { isApiToken } from '../../sessions.ts';
import { presentDirectoryEntry, presentEmail, profileOf } from '../profile/schema.ts';
import { accountRoutes } from './account-routes.ts';
import { mailedLinkRoutes } from './mailed-link-routes.ts';
import { noticeRoutes } from './notice-routes.ts';
import {
  loginBody,
  logoutBody,
  presentSession,
  presentToken,
  registerBody,
  sessionResponse,
  whoamiResponse,
} from './schema.ts';
import { tokenRoutes } from './token-routes.ts';

/** Presents a new session. The gateway recognises its token and the device from then on. */
function startSession(session: Session__Output, { sessions, devices }: Context, koa: Koa.Context) {
  if (session.user) {
    sessions.noteAccount(session.accessToken, session.user.id);
    devices.remember(koa, session.user.username);
  }
  return presentSession(session);
}

export const authRoutes = [
  route('POST /auth/register', {
    access: 'anyone',
    summary: 'Create an account, sign in and mail a verification link',
    body: registerBody,
    response: sessionResponse,
    successStatus: 201,
    refusals: [400, 429],
    async handle({ body, address, context, caller, koa }) {
      const session = await context.auth.register(
        {
          username: body.username,
          email: body.email,
          password: body.password,
          address,
          ...profileOf(body, (text) => text || undefined),
        },
        { caller },
      );
      return startSession(session, context, koa);
    },
  }),
  route('POST /auth/login', {
    access: 'anyone',
    summary: 'Sign in',
    harmless: true,
    body: loginBody,
    response: sessionResponse,
    refusals: [401, 429],
    changesShared: false,
    async handle({ body, address, context, caller, koa }) {
      const device = context.devices.idFor(koa, body.username);
      return startSession(await context.auth.login({ ...body, address, device }, { caller }), context, koa);
    },
  }),
  route('GET /auth/whoami', {
    access: 'signed-in',
    tokenScope: 'any',
    summary: 'Who the bearer of the token is',
    response: whoamiResponse,
    async handle({ token, context }) {
      const bearer = token && isApiToken(token) ? await context.sessions.identifyApiToken(token) : undefined;
      const user = bearer?.user ?? (token === undefined ? undefined : await context.sessions.identify(token));
      if (!user) throw new DomainError('UNAUTHENTICATED', 'bad-token', 'Invalid or expired token');
      return {
        ...presentDirectoryEntry(user),
        ...presentEmail(user.email),
        admin: user.admin,
        is_verified: user.isVerified,
        ...(bearer ? { access_token: presentToken(bearer.token) } : {}),
      };
    },
  }),
  route('POST /auth/logout', {
    access: 'signed-in',
    summary: 'Revoke the bearer token',
    body: logoutBody,
    response: message,
    changesShared: false,
    async handle({ token, context, caller }) {
      await context.auth.logout({ accessToken: token ?? '' }, { caller });
      if (caller.kind === 'user') context.sessions.forget(caller.id);
      return { message: 'Logged out' };
    },
  }),
  route('POST /auth/resend-verification', {
    access: 'signed-in',
    summary: 'Send the verification link again, at most every 60 s',
    response: message,
    refusals: [400, 429],
    async handle({ context, caller }) {
      const { message: text } = await context.auth.resendVerification({}, { caller });
      return { message: text };
    },
  }),
  ...mailedLinkRoutes,
  ...noticeRoutes,
  ...accountRoutes,
  ...tokenRoutes,
];
