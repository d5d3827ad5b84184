import type { ApiToken__Output } from '@husky/contracts/types/auth/v1/ApiToken';
import type { Session__Output } from '@husky/contracts/types/auth/v1/Session';
import { z } from 'zod';
import { envelope, text, time, username } from '../../http/schema.ts';
import { directoryEntry, emailUnicode, profileBody } from '../profile/schema.ts';
import { authoring } from '../submission/authoring-routes.ts';

const password = z.string().min(1, 'must not be empty').max(1000);
// auth checks the rest: an internationalised domain is valid, too.
const email = z
  .string()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .meta({ format: 'idn-email' });

export const registerBody = z.strictObject({
  username,
  email,
  password,
  ...profileBody,
});
export const loginBody = z.strictObject({ username: z.string().min(1).max(200), password });
export const logoutBody = z.strictObject({ token: z.string().max(4096).optional() }).optional();

export const sessionResponse = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.number().int().describe('seconds'),
  })
  .meta({ id: 'Session' });

const tokenScopes = z.array(z.enum(['read', 'submit']));
const accessToken = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: tokenScopes.describe('read: own jobs, logs and files; submit: upload, test runs, final mark'),
    created_at: time,
    expires_at: time,
    last_used_at: time.nullable().describe('written at most once a minute'),
  })
  .meta({ id: 'AccessToken' });
export const newTokenBody = z.strictObject({
  name: text(60, 1),
  scopes: tokenScopes.min(1, 'must not be empty').max(2),
  expires_in_days: z.number().int().min(1).max(365),
});
export const tokenList = z.object({ tokens: z.array(accessToken) });
export const createdToken = z.object({ ...accessToken.shape, secret: z.string().describe('shown once') });

export const whoamiResponse = z
  .object({
    ...directoryEntry.shape,
    email: z.string(),
    email_unicode: emailUnicode,
    admin: z.boolean(),
    is_verified: z.boolean(),
    access_token: accessToken.optional().describe('the token of the call, unless the caller has a session'),
  })
  .meta({ id: 'Whoami' });

export const changePasswordBody = z.strictObject({ current_password: password, new_password: password });
export const changeEmailBody = z.strictObject({ current_password: password, new_email: email });
export const forgotPasswordBody = z.strictObject({ email: z.string().min(3).max(254) });
export const resetPasswordBody = z.strictObject({ token: z.string().min(1).max(500), new_password: password });
export const deleteAccountBody = z.strictObject({ password });
export const endedSessions = z.object({ ended: z.number().int() });
export const sessionList = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      created_at: time,
      expires_at: time,
      address: z.string().nullable(),
      current: z.boolean(),
    }),
  ),
  ...envelope,
});
export const exportResponse = z.object({
  account: z.looseObject({}),
  submissions: z.array(z.object({ id: z.string(), created_at: time, final: z.boolean() })),
  authorings: z.array(authoring),
  leaderboard_entries: z.array(z.object({ score: z.number(), tag: z.string(), time_created: time })),
});

export const presentSession = (session: Session__Output) => ({
  access_token: session.accessToken,
  token_type: 'bearer' as const,
  expires_in: session.expiresIn,
});

export const presentToken = (token: ApiToken__Output) => ({
  id: token.id,
  name: token.name,
  scopes: token.scopes as ('read' | 'submit')[],
  created_at: token.createdAt,
  expires_at: token.expiresAt,
  last_used_at: token.lastUsedAt || null,
});
