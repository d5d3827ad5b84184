import { natsSettings, processSettings, readPart } from '@husky/runtime/process/config';
import type { ValuesOf } from '@husky/runtime/process/variables';

/** Time limits for receiving the headers and the whole request from a client. */
const timeouts = { headersTimeoutMs: 15_000, requestTimeoutMs: 60_000 };

/** Keycloak's client for the web app, in the format of keycloak-js. */
export interface KeycloakClient {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
}

function keycloakClient(read: ValuesOf<'gateway'>): KeycloakClient | undefined {
  if (read.IDENTITY !== 'keycloak') return undefined;
  const { KEYCLOAK_URL: url, KEYCLOAK_REALM: realm, KEYCLOAK_WEB_CLIENT_ID: clientId } = read;
  if (url === undefined) throw new Error('Configuration is not complete: IDENTITY=keycloak needs KEYCLOAK_URL');
  return { url, realm, clientId };
}

export function readConfig(env: NodeJS.ProcessEnv) {
  const read = readPart('gateway', env);
  return {
    ...read,
    ...timeouts,
    nats: natsSettings('gateway', read),
    keycloak: keycloakClient(read),
    process: processSettings(read),
    corsOrigins: read.CORS_ORIGINS,
  };
}

export type Config = ReturnType<typeof readConfig>;
