import { signedIn } from '@husky/runtime/rpc/access';
import { z } from 'zod';
import { route } from '../../http/route.ts';
import { message } from '../../http/schema.ts';
import { createdToken, newTokenBody, presentToken, tokenList } from './schema.ts';

/** Routes for the access tokens of the caller's programs. They need a session: a token cannot create or revoke tokens. */
export const tokenRoutes = [
  route('GET /auth/tokens', {
    access: 'signed-in',
    summary: "The caller's access tokens, newest first, without their secrets",
    response: tokenList,
    async handle({ context, caller }) {
      const { tokens } = await context.auth.listApiTokens({}, { caller });
      return { tokens: tokens.map(presentToken) };
    },
  }),
  route('POST /auth/tokens', {
    access: 'verified',
    repeatable: true,
    summary: 'Create an access token; the response is the only place where its secret appears',
    body: newTokenBody,
    response: createdToken,
    successStatus: 201,
    refusals: [400],
    async handle({ body, context, caller }) {
      const request = { name: body.name, scopes: body.scopes, days: body.expires_in_days };
      const { token, secret } = await context.auth.createApiToken(request, { caller });
      if (!token) throw new Error('auth returned no access token');
      return { ...presentToken(token), secret };
    },
  }),
  route('DELETE /auth/tokens/{id}', {
    access: 'signed-in',
    summary: 'Revoke an access token of the caller',
    params: z.object({ id: z.string().min(1).max(64) }),
    response: message,
    async handle({ params, context, caller }) {
      await context.auth.revokeApiToken({ tokenId: params.id }, { caller });
      context.sessions.forget(signedIn(caller).id);
      return { message: 'Access token revoked' };
    },
  }),
];
