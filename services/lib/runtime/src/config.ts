import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { NatsSettings } from './nats.ts';
import type { DatabaseSettings } from './postgres.ts';
import { type Sampling, samplers } from './sampler.ts';
import { databaseUrl, natsUrl, urlVariables } from './url-variables.ts';

/** PEM files of mutual TLS between the services, all three or none: own certificate, its key, the trusted CAs. */
export const tlsVariables = {
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TLS_CA_FILE: z.string().optional(),
};

/** Variables of every process. Addresses are host:port; files are paths. */
export const processVariables = {
  OPS_ADDRESS: z.string().default('0.0.0.0:9090'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlVariables.OTEL_EXPORTER_OTLP_ENDPOINT.optional(),
  OTEL_TRACES_SAMPLER: z.enum(samplers).default('parentbased_always_on'),
  /** Ratio of the traces that are kept, for the samplers whose names end in traceidratio. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  IDENTITY_KEY_FILE: z.string(),
  ...tlsVariables,
};

/** Variables of processes with a gRPC server. */
export const serviceVariables = {
  ...processVariables,
  GRPC_ADDRESS: z.string().default('0.0.0.0:50051'),
  IDENTITY_TRUST_FILE: z.string(),
};

export const natsVariables = {
  NATS_URL: natsUrl,
  NATS_USER: z.string(),
  NATS_PASSWORD_FILE: z.string(),
  /** Replicas of the service's stream; needs at least as many servers. */
  NATS_STREAM_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
};

export const databaseVariables = {
  /** postgresql://role@host:port/database?sslmode=..., without the password. Parameters: database-url.ts. */
  DATABASE_URL: databaseUrl,
  DATABASE_PASSWORD_FILE: z.string(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(100).default(8),
  /** A streaming replica of that database, with the same role and password; lists for visitors are read from it. */
  DATABASE_REPLICA_URL: databaseUrl.optional(),
  /** additive: starts on the schema of a newer release if its migrations only add, for rolling upgrades and rollbacks. */
  DATABASE_NEWER: z.enum(['refuse', 'additive']).default('refuse'),
  /** Time to wait at the start for PostgreSQL and for the migration Job. */
  MIGRATION_WAIT_SECONDS: z.coerce.number().min(0).max(3600).default(0),
};

/** Variables of a service with a database and events. */
export const backendVariables = { ...serviceVariables, ...databaseVariables, ...natsVariables };

type Values<V extends z.ZodRawShape> = z.infer<z.ZodObject<V>>;

/** Logging, ops endpoint, telemetry and identity of a process. */
export interface ProcessSettings {
  readonly opsAddress: string;
  readonly logLevel: string;
  readonly otlpEndpoint: string | undefined;
  readonly sampling: Sampling;
  /** Path of the key that signs its identity. */
  readonly keyFile: string;
  /** undefined: plaintext. */
  readonly tls: TlsFiles | undefined;
}

export interface ServiceSettings extends ProcessSettings {
  readonly grpcAddress: string;
  /** Path of the public keys that it trusts. */
  readonly trustFile: string;
}

export function processSettings(read: Values<typeof processVariables>): ProcessSettings {
  return {
    opsAddress: read.OPS_ADDRESS,
    logLevel: read.LOG_LEVEL,
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampling: { sampler: read.OTEL_TRACES_SAMPLER, ratio: read.OTEL_TRACES_SAMPLER_ARG },
    keyFile: read.IDENTITY_KEY_FILE,
    tls: tlsFiles(read),
  };
}

export function serviceSettings(read: Values<typeof serviceVariables>): ServiceSettings {
  return { ...processSettings(read), grpcAddress: read.GRPC_ADDRESS, trustFile: read.IDENTITY_TRUST_FILE };
}

export function natsSettings(read: Values<typeof natsVariables>): NatsSettings {
  return {
    url: read.NATS_URL,
    user: read.NATS_USER,
    password: readSecret(read.NATS_PASSWORD_FILE),
    streamReplicas: read.NATS_STREAM_REPLICAS,
  };
}

export function databaseSettings(read: Values<typeof databaseVariables>, schema: string): DatabaseSettings {
  return {
    url: read.DATABASE_URL,
    password: readSecret(read.DATABASE_PASSWORD_FILE),
    schema,
    poolSize: read.DATABASE_POOL_SIZE,
    allowNewer: read.DATABASE_NEWER === 'additive',
    migrationWaitMs: 1000 * read.MIGRATION_WAIT_SECONDS,
    replicaUrl: read.DATABASE_REPLICA_URL,
  };
}

export interface BackendSettings {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
}

/** Returns the settings of a service that owns the database schema `schema`. */
export function backendSettings(read: Values<typeof backendVariables>, schema: string): BackendSettings {
  return { service: serviceSettings(read), database: databaseSettings(read, schema), nats: natsSettings(read) };
}

/**
 * Reads variables from `env` by their schemas; empty ones count as unset. Throws one Error that names every missing or
 * invalid variable. To be called in a service's config.ts only.
 */
export function readVariables<S extends z.ZodRawShape>(shape: S, env: NodeJS.ProcessEnv): z.infer<z.ZodObject<S>> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = z.object(shape).safeParse(given, {
    error: ({ input }) => (input === undefined ? 'is missing' : undefined),
  });
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ code, path, message }) => {
    const isSentence = code === 'custom' || message === 'is missing';
    return `${String(path[0])}${isSentence ? '' : ':'} ${message}`;
  });
  throw new Error(`The configuration is not valid: ${problems.join('; ')}`);
}

/** Paths of a process's certificates. */
export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** Returns the TLS files; undefined without any. Throws when only some are set. */
export function tlsFiles(
  read: { readonly [K in keyof typeof tlsVariables]?: string | undefined },
): TlsFiles | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, TLS_CA_FILE: caFile } = read;
  if (certFile !== undefined && keyFile !== undefined && caFile !== undefined) return { certFile, keyFile, caFile };
  const missing = Object.keys(tlsVariables).filter((name) => read[name as keyof typeof tlsVariables] === undefined);
  if (missing.length === Object.keys(tlsVariables).length) return undefined;
  throw new Error(`Configuration is not complete: TLS needs ${missing.join(' and ')} too`);
}

/** Reads a secret from its file, without the trailing newline. */
export function readSecret(path: string): string {
  return readFileSync(path, 'utf8').trimEnd();
}
