import { randomBytes } from 'node:crypto';
import { userChanged } from '@husky/contracts/events';
import type { ApiToken as ApiTokenMessage } from '@husky/contracts/types/auth/v1/ApiToken';
import type { CreateApiTokenResponse } from '@husky/contracts/types/auth/v1/CreateApiTokenResponse';
import type { IdentifyApiTokenResponse } from '@husky/contracts/types/auth/v1/IdentifyApiTokenResponse';
import type { ListApiTokensResponse } from '@husky/contracts/types/auth/v1/ListApiTokensResponse';
import type { RevokeApiTokenResponse } from '@husky/contracts/types/auth/v1/RevokeApiTokenResponse';
import { refuseOtherContent } from '@husky/runtime/database/created-once';
import { emit } from '@husky/runtime/messages/outbox';
import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { currentRequestKey } from '@husky/runtime/rpc/request-key';
import { audit } from '../audit/audit.ts';
import type { AuthContext, AuthHandlers } from '../context.ts';
import {
  checkNewToken,
  hashOfKey,
  hashOfSecret,
  maxTokens,
  newSecret,
  refusedToken,
  secretOf,
} from '../domain/api-token.ts';
import { presentUser } from '../present.ts';
import {
  createToken,
  findToken,
  isLastUseOutdated,
  listTokens,
  type PublicToken,
  recordUse,
  revokeTokens,
} from '../store/api-tokens.ts';

/** Creates an access token of the caller. Its secret appears in the response only, and in those to the same request with its key. */
export function createApiToken(context: AuthContext): AuthHandlers['createApiToken'] {
  return async (request, { caller }): Promise<CreateApiTokenResponse> => {
    const now = context.now();
    const fields = checkNewToken(request, now);
    const key = currentRequestKey();
    const requestSalt = key ? new Uint8Array(randomBytes(32)) : null;
    const secret = key && requestSalt ? secretOf(key.key, requestSalt) : newSecret();
    const tokenHash = hashOfSecret(secret);
    if (!tokenHash) throw new Error('A new secret does not have the form of a secret');
    return context.transaction(async (tx) => {
      const ofRequest = {
        requestKey: key ? hashOfKey(key.key) : null,
        requestDigest: key?.digest ?? null,
        requestSalt,
      };
      const token = await createToken(tx, { ...fields, userId: caller.id, tokenHash, ...ofRequest }, maxTokens, now);
      if (!token) {
        const message = `You have ${maxTokens} access tokens, the maximum: revoke one first`;
        throw new DomainError('FAILED_PRECONDITION', 'too-many-tokens', message);
      }
      if (key && token.requestSalt && !Buffer.from(token.tokenHash).equals(tokenHash)) {
        refuseOtherContent(key, token.requestDigest ?? '');
        return { token: present(token), secret: secretOf(key.key, token.requestSalt) };
      }
      const after = { name: token.name, scopes: token.scopes, expiresAt: token.expiresAt.toISOString() };
      const entry = { action: 'access_token.created', subjectKind: 'access_token', subjectId: token.id, after };
      await audit(tx, caller, entry, now);
      return { token: present(token), secret };
    });
  };
}

/** Lists the caller's access tokens except revoked ones, newest first. */
export function listApiTokens(context: AuthContext): AuthHandlers['listApiTokens'] {
  return async (_request, { caller }): Promise<ListApiTokensResponse> => ({
    tokens: (await listTokens(context.db, caller.id)).map(present),
  });
}

/** Revokes one of the caller's access tokens. NOT_FOUND for a revoked one and for another user's. */
export function revokeApiToken(context: AuthContext): AuthHandlers['revokeApiToken'] {
  return ({ tokenId }, { caller }): Promise<RevokeApiTokenResponse> =>
    context.transaction(async (tx) => {
      const revoked = isUuid(tokenId) ? await revokeTokens(tx, caller.id, context.now(), tokenId) : 0;
      if (revoked === 0) throw new DomainError('NOT_FOUND', 'token-not-found', 'Access token not found');
      await emit(tx, userChanged, { userId: caller.id, change: 'SIGNED_OUT' });
      const entry = { action: 'access_token.revoked', subjectKind: 'access_token', subjectId: tokenId };
      await audit(tx, caller, entry, context.now());
      return {};
    });
}

/** Returns the token and the user of a secret, with the user's current state. Records the use in the background. */
export function identifyApiToken(context: AuthContext): AuthHandlers['identifyApiToken'] {
  return async ({ secret }): Promise<IdentifyApiTokenResponse> => {
    const now = context.now();
    const tokenHash = hashOfSecret(secret);
    const token = tokenHash && (await findToken(context.pool, tokenHash));
    if (!token) throw refusedToken('unknown');
    if (token.revokedAt) throw refusedToken('revoked');
    if (token.expiresAt <= now) throw refusedToken('expired');
    const user = await context.accounts.activeUser(token.userId);
    if (!user) throw refusedToken('unknown');
    if (isLastUseOutdated(token, now)) {
      context.inBackground("recording an access token's use", () => recordUse(context.db, token.id, now));
    }
    return { user: presentUser(user, { email: true }), token: present(token) };
  };
}

function present(token: PublicToken): ApiTokenMessage {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt.toISOString(),
    lastUsedAt: token.lastUsedAt?.toISOString() ?? '',
  };
}
