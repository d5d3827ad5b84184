import { databaseVariables, natsVariables, readSecret, readVariables, serviceVariables } from '@husky/runtime/config';
import type { NatsSettings } from '@husky/runtime/nats';
import { z } from 'zod';

const variables = {
  ...serviceVariables,
  ...natsVariables,
  ...databaseVariables,
  PUBLIC_URL: z.url({ protocol: /^https?$/ }),
  ADMIN_USERNAME: z.string().optional(),
  ADMIN_PASSWORD_FILE: z.string().optional(),
  ADMIN_EMAIL: z.string().default('admin@localhost'),
  AUTH_SIGNING_KEY_FILE: z.string().optional(),
  SIGNING_KEY_DAYS: z.coerce.number().int().min(0).max(3650).default(30),
  ARGON2_MEMORY_KIB: z.coerce.number().int().min(8).max(1_048_576).default(19_456),
  ARGON2_PASSES: z.coerce.number().int().min(1).max(20).default(2),
  ARGON2_LANES: z.coerce.number().int().min(1).max(16).default(1),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default("Husky Hold'em <no-reply@localhost>"),
  MAIL_OUTBOX_DIR: z.string().default('.data/mail'),
};

export interface AuthConfig {
  readonly service: {
    readonly grpcAddress: string;
    readonly opsAddress: string;
    readonly logLevel: string;
    readonly otlpEndpoint: string | undefined;
    readonly trustFile: string;
  };
  readonly database: {
    readonly url: string;
    readonly password: string;
    readonly schema: string;
    readonly poolSize: number;
  };
  readonly nats: NatsSettings;
  /** Where links in mails lead, without a slash at the end. */
  readonly publicUrl: string;
  readonly firstAdmin: { readonly username: string; readonly password: string; readonly email: string } | undefined;
  /** A JWK or a JWK set; without it keys are kept in the database. */
  readonly signingKeyFile: string | undefined;
  /** How long a stored key signs before another one is made; 0: for good. */
  readonly signingKeyDays: number;
  readonly argon2: { readonly memoryKib: number; readonly passes: number; readonly lanes: number };
  readonly mail: { readonly smtpUrl: string | undefined; readonly outboxFolder: string; readonly from: string };
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): AuthConfig {
  const read = readVariables(variables, env);
  if ((read.ADMIN_USERNAME === undefined) !== (read.ADMIN_PASSWORD_FILE === undefined)) {
    throw new Error('Configuration is not complete: ADMIN_USERNAME and ADMIN_PASSWORD_FILE go together');
  }
  return {
    service: {
      grpcAddress: read.GRPC_ADDRESS,
      opsAddress: read.OPS_ADDRESS,
      logLevel: read.LOG_LEVEL,
      otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
      trustFile: read.IDENTITY_TRUST_FILE,
    },
    database: {
      url: read.DATABASE_URL,
      password: readSecret(read.DATABASE_PASSWORD_FILE),
      schema: 'auth',
      poolSize: read.DATABASE_POOL_SIZE,
    },
    nats: {
      url: read.NATS_URL,
      user: read.NATS_USER,
      password: readSecret(read.NATS_PASSWORD_FILE),
      streamReplicas: read.NATS_STREAM_REPLICAS,
    },
    publicUrl: read.PUBLIC_URL.replace(/\/+$/, ''),
    firstAdmin:
      read.ADMIN_USERNAME === undefined || read.ADMIN_PASSWORD_FILE === undefined
        ? undefined
        : { username: read.ADMIN_USERNAME, password: readSecret(read.ADMIN_PASSWORD_FILE), email: read.ADMIN_EMAIL },
    signingKeyFile: read.AUTH_SIGNING_KEY_FILE,
    signingKeyDays: read.SIGNING_KEY_DAYS,
    argon2: { memoryKib: read.ARGON2_MEMORY_KIB, passes: read.ARGON2_PASSES, lanes: read.ARGON2_LANES },
    mail: { smtpUrl: read.SMTP_URL, outboxFolder: read.MAIL_OUTBOX_DIR, from: read.MAIL_FROM },
  };
}
