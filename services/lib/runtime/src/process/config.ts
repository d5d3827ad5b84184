import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { DatabaseSettings } from '../database/postgres.ts';
import type { NatsSettings } from '../messages/nats.ts';
import type { Sampling } from '../telemetry/telemetry.ts';
import { type Part, schemasOf, type ValuesOf } from './variables.ts';

export type Process = Exclude<Part, 'make up'>;
type Backend = Exclude<Process, 'gateway' | 'runner'>;
type BackendValues = Omit<ValuesOf<'leaderboard'>, 'SIMULATION_ADDRESS'>;
type ProcessValues = Pick<BackendValues, keyof BackendValues & keyof ValuesOf<'runner'>>;
type NatsValues = Pick<BackendValues, 'NATS_URL' | 'NATS_PASSWORD_FILE' | 'NATS_STREAM_REPLICAS'>;
/** For the migration Job. */
const migrationWaitMs = 600_000;

/** Logging, ops endpoint, telemetry and identity of a process. */
export interface ProcessSettings {
  readonly opsAddress: string;
  readonly logLevel: string;
  readonly otlpEndpoint: string | undefined;
  readonly sampling: Sampling;
  /** Path of the key that signs its identity. */
  readonly keyFile: string;
  /** undefined: plaintext. */
  readonly tlsFolder: string | undefined;
}

export interface ServiceSettings extends ProcessSettings {
  readonly grpcAddress: string;
  /** Path of the public keys that it trusts. */
  readonly trustFile: string;
}

export function processSettings(read: ProcessValues): ProcessSettings {
  return {
    opsAddress: read.OPS_ADDRESS,
    logLevel: read.LOG_LEVEL,
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampling: { sampler: read.OTEL_TRACES_SAMPLER, ratio: read.OTEL_TRACES_SAMPLER_ARG },
    keyFile: read.IDENTITY_KEY_FILE,
    tlsFolder: read.TLS_FOLDER,
  };
}

export function serviceSettings(read: BackendValues): ServiceSettings {
  return { ...processSettings(read), grpcAddress: read.GRPC_ADDRESS, trustFile: read.IDENTITY_TRUST_FILE };
}

export function natsSettings(user: Backend | 'gateway', read: NatsValues): NatsSettings {
  return {
    url: read.NATS_URL,
    user,
    password: readSecret(read.NATS_PASSWORD_FILE),
    streamReplicas: read.NATS_STREAM_REPLICAS,
  };
}

export function databaseSettings(read: BackendValues, schema: string): DatabaseSettings {
  return {
    url: read.DATABASE_URL,
    password: readSecret(read.DATABASE_PASSWORD_FILE),
    schema,
    poolSize: read.DATABASE_POOL_SIZE,
    allowNewer: read.DATABASE_NEWER === 'additive',
    migrationWaitMs: read.DATABASE_NEWER === 'additive' ? migrationWaitMs : 0,
  };
}

export interface BackendSettings {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
}

/** Returns the settings of a service with a database, whose schema has its name. */
export function backendSettings(part: Backend, read: BackendValues): BackendSettings {
  return {
    service: serviceSettings(read),
    database: databaseSettings(read, part.replaceAll('-', '_')),
    nats: natsSettings(part, read),
  };
}

/** Reads the variables of a part. Throws one Error that names every missing or invalid one. To be called in its config.ts only. */
export const readPart = <P extends Process>(part: P, env: NodeJS.ProcessEnv): ValuesOf<P> =>
  readVariables(schemasOf(part), env) as ValuesOf<P>;

/**
 * Reads variables from `env` by their schemas; empty ones count as unset. Throws one Error that names every missing or
 * invalid variable.
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

/** Reads a secret from its file, without the trailing newline. */
export function readSecret(path: string): string {
  return readFileSync(path, 'utf8').trimEnd();
}
