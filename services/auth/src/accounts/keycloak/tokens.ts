import { isUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { type AccessClaims, invalidToken } from '../../domain/access-tokens.ts';
import { identityUnavailable, type KeycloakHttp } from './http.ts';
import { issuerOf, type KeycloakSettings, protocolUrl } from './settings.ts';

/** Verifies the realm's access tokens by its public keys. */
export interface RealmTokens {
  readonly keysUrl: string;
  /** Returns the claims; throws UNAUTHENTICATED unless the token was issued to one of our clients and is valid. */
  read(token: string): Promise<AccessClaims & { readonly payload: JWTPayload }>;
  /** Returns the realm's cached public keys. */
  jwksJson(): Promise<string>;
}

// Keycloak's asymmetric algorithms; neither shared secrets nor 'none'.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export function createRealmTokens(settings: KeycloakSettings, http: KeycloakHttp): RealmTokens {
  const clients = new Set([settings.clientId, settings.webClientId]);
  const keysUrl = protocolUrl(settings, 'certs');
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    // Minimum time between two requests for keys, however many tokens have unknown key ids. A new Keycloak makes its key with the first token.
    cooldownDuration: 1000,
    async [customFetch](url: string) {
      const { status, body } = await http.send(url);
      // A proxy responded, so it is unknown whether the token is valid.
      if (status !== 200) throw identityUnavailable();
      return Response.json(body ?? {});
    },
  });

  return {
    keysUrl,
    async read(token) {
      let payload: JWTPayload;
      try {
        ({ payload } = await jwtVerify(token, keys, {
          issuer: issuerOf(settings),
          algorithms,
          requiredClaims: ['exp', 'iat', 'sub', 'sid', 'azp', 'typ'],
        }));
      } catch (error) {
        if (error instanceof DomainError) throw error;
        if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw identityUnavailable();
        // The bearer learns nothing about the reason.
        throw invalidToken();
      }
      const { sub, sid, azp, typ } = payload;
      // Refuses ID and refresh tokens of the realm, and tokens of other clients.
      const ours = typ === 'Bearer' && typeof azp === 'string' && clients.has(azp);
      if (!ours || typeof sub !== 'string' || !isUuid(sub) || typeof sid !== 'string') throw invalidToken();
      return { userId: sub, sessionId: sid, payload };
    },
    async jwksJson() {
      if (!keys.jwks()) await keys.reload();
      return JSON.stringify(keys.jwks());
    },
  };
}
