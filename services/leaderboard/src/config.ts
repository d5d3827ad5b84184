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

const variables = { ...serviceVariables, ...natsVariables, ...databaseVariables, SIMULATION_ADDRESS: z.string() };

export interface LeaderboardConfig {
  readonly service: {
    readonly grpcAddress: string;
    readonly opsAddress: string;
    readonly logLevel: string;
    readonly otlpEndpoint: string | undefined;
    readonly keyFile: string;
    readonly trustFile: string;
    readonly tls?: TlsFiles | undefined;
  };
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
  /** host:port */
  readonly simulationAddress: string;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): LeaderboardConfig {
  const read = readVariables(variables, env);
  return {
    service: {
      grpcAddress: read.GRPC_ADDRESS,
      opsAddress: read.OPS_ADDRESS,
      logLevel: read.LOG_LEVEL,
      otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
      keyFile: read.IDENTITY_KEY_FILE,
      trustFile: read.IDENTITY_TRUST_FILE,
      tls: tlsFiles(read),
    },
    database: databaseSettings(read, 'leaderboard'),
    nats: natsSettings(read),
    simulationAddress: read.SIMULATION_ADDRESS,
  };
}
