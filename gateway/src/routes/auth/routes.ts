import { DomainError } from '@husky/runtime/errors';
import { route } from '../../http/route.ts';
import { message } from '../../http/schema.ts';
import { isApiToken } from '../../sessions.ts';
import { presentDirectoryEntry, presentEmail } from '../profile/present.ts';
import { accountRoutes } from './account-routes.ts';
import { mailedLinkRoutes } from './mailed-link-routes.ts';
import { noticeRoutes } from './notice-routes.ts';
import { presentSession, presentToken } from './present.ts';
import { loginBody, logoutBody, registerBody, sessionResponse, whoamiResponse } from './schema.ts';
import { tokenRoutes } from './token-routes.ts';

export const authRoutes = [
  route('POST /auth/register', {
    access: 'anyone',
    summary: 'Create an account, sign in and mail a verification link',
    body: registerBody,
    response: sessionResponse,
    successStatus: 201,
    refusals: [400, 429],
    async handle({ body, address, context, caller }) {
      const session = await context.auth.register(
        {
          username: body.username,
          email: body.email,
          password: body.password,
          address,
          ...(body.name ? { name: body.name } : {}),
          ...(body.github ? { github: body.github } : {}),
          ...(body.discord_username ? { discordUsername: body.discord_username } : {}),
          ...(body.about ? { about: body.about } : {}),
        },
        { caller },
      );
      return presentSession(session);
    },
  }),
  route('POST /auth/login', {
    access: 'anyone',
    summary: 'Sign in',
    body: loginBody,
    response: sessionResponse,
    refusals: [401, 429],
    changesShared: false,
    async handle({ body, address, context, caller }) {
      return presentSession(await context.auth.login({ ...body, address }, { caller }));
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
