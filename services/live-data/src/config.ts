import {
  databaseSettings,
  databaseVariables,
  natsSettings,
  natsVariables,
  readVariables,
  serviceVariables,
  type TlsFiles,
  tlsFiles,
} from '@husky/runtime/config';
import type { NatsSettings } from '@husky/runtime/nats';
import type { DatabaseSettings } from '@husky/runtime/postgres';
import { z } from 'zod';
import { schema } from './store/database.ts';

export interface Config {
  readonly logLevel: string;
  readonly opsAddress: string;
  readonly otlpEndpoint: string | undefined;
  readonly grpcAddress: string;
  readonly identityKeyFile: string;
  readonly identityTrustFile: string;
  readonly tls?: TlsFiles | undefined;
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
  readonly simulationAddress: string;
}

/** Everything this service is told from outside. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const variables = readVariables(
    { ...serviceVariables, ...databaseVariables, ...natsVariables, SIMULATION_ADDRESS: z.string() },
    env,
  );
  return {
    logLevel: variables.LOG_LEVEL,
    opsAddress: variables.OPS_ADDRESS,
    otlpEndpoint: variables.OTEL_EXPORTER_OTLP_ENDPOINT,
    grpcAddress: variables.GRPC_ADDRESS,
    identityKeyFile: variables.IDENTITY_KEY_FILE,
    identityTrustFile: variables.IDENTITY_TRUST_FILE,
    tls: tlsFiles(variables),
    database: databaseSettings(variables, schema),
    nats: natsSettings(variables),
    simulationAddress: variables.SIMULATION_ADDRESS,
  };
}
