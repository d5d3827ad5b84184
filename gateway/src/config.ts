import { natsSettings, natsVariables, processSettings, processVariables, readVariables } from '@husky/runtime/config';
import { siteUrl, urlVariables } from '@husky/runtime/url-variables';
import { z } from 'zod';

const limit = (defaultLimit: number) => z.coerce.number().int().min(0).max(1_000_000).default(defaultLimit);

const variables = {
  ...processVariables,
  ...natsVariables,
  HTTP_ADDRESS: z.string().default('0.0.0.0:8080'),
  PUBLIC_URL: urlVariables.PUBLIC_URL,
  /** The built web app; empty serves the API only. */
  WEB_DIR: z.string().optional(),
  AUTH_ADDRESS: z.string(),
  SUBMISSION_ADDRESS: z.string(),
  SIMULATION_ADDRESS: z.string(),
  LIVE_DATA_ADDRESS: z.string(),
  LEADERBOARD_ADDRESS: z.string(),
  POOL_ADDRESS: z.string(),
  /** Further origins that may call from a browser, separated by commas. */
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((origin) => origin.trim() || []))
    .pipe(z.array(siteUrl)),
  /** Number of proxies in front that set X-Forwarded-For. */
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(5).default(0),
  /** Time limits for receiving the headers and the whole request from a client. */
  HTTP_HEADERS_TIMEOUT_MS: z.coerce.number().int().min(100).max(600_000).default(15_000),
  HTTP_REQUEST_TIMEOUT_MS: z.coerce.number().int().min(100).max(3_600_000).default(60_000),
  // Maximum numbers of requests, 0: no limit. A classroom behind one address, polling pages and test suites stay far below.
  RATE_LIMIT_READS: limit(6000),
  RATE_LIMIT_WRITES: limit(1000),
  RATE_LIMIT_SIGN_INS: limit(600),
  RATE_LIMIT_UPLOADS: limit(60),
  RATE_LIMIT_ACCOUNT: limit(1200),
  // Maximum numbers of concurrent requests and uploads, 0: no limit. The limit of requests adapts and stays below this number.
  MAX_CONCURRENT_REQUESTS: limit(256),
  MAX_CONCURRENT_UPLOADS: limit(32),
  /** Whether /metrics is served on the site's port too, not only on the ops port. */
  METRICS_ON_SITE: z.stringbool().default(true),
  /** Maximum number of open connections; 0: no limit. Idle ones take 17 KiB each. */
  CONNECTIONS_MAX: limit(10_000),
  // Maximum numbers of open event streams, 0: no limit.
  STREAMS_MAX: limit(5000),
  STREAMS_PER_ADDRESS: limit(200),
  STREAMS_PER_ACCOUNT: limit(20),
  // Maximum numbers of running downloads, 0: no limit.
  DOWNLOADS_PER_ADDRESS: limit(20),
  DOWNLOADS_PER_ACCOUNT: limit(4),
  /** Where accounts are kept, the same value as in auth. With `keycloak` the web app signs in at KEYCLOAK_URL, the public address. */
  IDENTITY: z.enum(['own', 'keycloak']).default('own'),
  KEYCLOAK_URL: urlVariables.KEYCLOAK_URL.optional(),
  KEYCLOAK_REALM: z.string().default('husky-holdem'),
  KEYCLOAK_WEB_CLIENT_ID: z.string().default('husky-web'),
  SOURCE_URL: urlVariables.SOURCE_URL.optional(),
  DATASET_URL: urlVariables.DATASET_URL.optional(),
  WIKI_URL: urlVariables.WIKI_URL.optional(),
};

/** Keycloak's client for the web app, in the format of keycloak-js. */
export interface KeycloakClient {
  readonly url: string;
  readonly realm: string;
  readonly clientId: string;
}

function keycloakClient(read: z.infer<z.ZodObject<typeof variables>>): KeycloakClient | undefined {
  if (read.IDENTITY !== 'keycloak') return undefined;
  const { KEYCLOAK_URL: url, KEYCLOAK_REALM: realm, KEYCLOAK_WEB_CLIENT_ID: clientId } = read;
  if (url === undefined) throw new Error('Configuration is not complete: IDENTITY=keycloak needs KEYCLOAK_URL');
  return { url, realm, clientId };
}

export function readConfig(env: NodeJS.ProcessEnv) {
  const read = readVariables(variables, env);
  return {
    ...read,
    nats: natsSettings(read),
    keycloak: keycloakClient(read),
    process: processSettings(read),
    corsOrigins: read.CORS_ORIGINS,
  };
}

export type Config = ReturnType<typeof readConfig>;
