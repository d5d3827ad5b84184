import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose';
import { type AccessClaims, invalidToken } from '../../domain/access-tokens.ts';
import { identityAway, type KeycloakHttp } from './http.ts';
import { issuerOf, type KeycloakSettings, protocolUrl } from './settings.ts';

/** Access tokens of the realm, checked here by its public keys. */
export interface RealmTokens {
  readonly keysUrl: string;
  read(token: string): Promise<AccessClaims & { readonly payload: JWTPayload }>;
  /** The realm's keys as they were read last, read now if they never were. */
  jwksJson(): Promise<string>;
}

// What Keycloak signs with; never a shared secret, never none.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];

export function createRealmTokens(settings: KeycloakSettings, http: KeycloakHttp): RealmTokens {
  const clients = new Set([settings.clientId, settings.webClientId]);
  const keysUrl = protocolUrl(settings, 'certs');
  const keys = createRemoteJWKSet(new URL(keysUrl), {
    // A key that is not known yet is looked for at most this often, whoever makes up names of keys.
    cooldownDuration: 10_000,
    async [customFetch](url: string) {
      const { status, body } = await http.send(url);
      // Something else than the realm answers there: no token is the worse for it.
      if (status !== 200) throw identityAway();
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
        if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) throw identityAway();
        // Whatever is wrong with it, its bearer learns the same.
        throw invalidToken();
      }
      const { sub, sid, azp, typ } = payload;
      // An identity or refresh token of the same realm opens nothing, nor does one that another client was given.
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
