import { natsSettings, natsVariables, processSettings, processVariables, readVariables } from '@husky/runtime/config';
import { z } from 'zod';

const requests = (most: number) => z.coerce.number().int().min(0).max(1_000_000).default(most);

const variables = readVariables(
  {
    ...processVariables,
    ...natsVariables,
    HTTP_ADDRESS: z.string().default('0.0.0.0:8080'),
    PUBLIC_URL: z.url(),
    /** The built web app; empty serves the API only. */
    WEB_DIR: z.string().optional(),
    AUTH_ADDRESS: z.string(),
    SUBMISSION_ADDRESS: z.string(),
    SIMULATION_ADDRESS: z.string(),
    LIVE_DATA_ADDRESS: z.string(),
    LEADERBOARD_ADDRESS: z.string(),
    POOL_ADDRESS: z.string(),
    /** Origins that may call from a browser beside our own, separated by commas. */
    CORS_ORIGINS: z.string().default(''),
    /** How many proxies in front set X-Forwarded-For. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
    /** How long a client may take to send its headers, and its whole request. */
    HTTP_HEADERS_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(15_000),
    HTTP_REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).max(3_600_000).default(60_000),
    // Requests let through, 0 for all. A classroom behind one address, polling pages and test suites stay far below.
    RATE_LIMIT_READS: requests(6000),
    RATE_LIMIT_WRITES: requests(1000),
    RATE_LIMIT_SIGN_INS: requests(600),
    RATE_LIMIT_UPLOADS: requests(60),
    RATE_LIMIT_ACCOUNT: requests(1200),
    // Event streams open at once, 0 for any number.
    STREAMS_PER_ADDRESS: requests(200),
    STREAMS_PER_ACCOUNT: requests(20),
    /** Who holds the accounts; auth has the same setting. With keycloak the site also signs in there, at the address browsers know. */
    IDENTITY: z.enum(['own', 'keycloak']).default('own'),
    KEYCLOAK_URL: z.url({ protocol: /^https?$/ }).optional(),
    KEYCLOAK_REALM: z.string().default('husky-holdem'),
    KEYCLOAK_WEB_CLIENT_ID: z.string().default('husky-web'),
    SOURCE_URL: z.string().optional(),
    DATASET_URL: z.string().optional(),
    WIKI_URL: z.string().optional(),
  },
  process.env,
);

/** Where the web app signs in, as keycloak-js takes it. */
export interface KeycloakClient {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
}

function keycloakClient(): KeycloakClient | undefined {
  if (variables.IDENTITY !== 'keycloak') return undefined;
  const { KEYCLOAK_URL: url, KEYCLOAK_REALM: realm, KEYCLOAK_WEB_CLIENT_ID: clientId } = variables;
  if (url === undefined) throw new Error('Configuration is not complete: IDENTITY=keycloak needs KEYCLOAK_URL');
  return { url: url.replace(/\/+$/, ''), realm, clientId };
}

export const config = {
  ...variables,
  nats: natsSettings(variables),
  keycloak: keycloakClient(),
  process: processSettings(variables),
  corsOrigins: variables.CORS_ORIGINS.split(',').filter((origin) => origin !== ''),
};

export type Config = typeof config;
