import {
  databaseVariables,
  natsVariables,
  readSecret,
  readVariables,
  serviceVariables,
  type TlsFiles,
  tlsFiles,
} from '@husky/runtime/config';
import type { NatsSettings } from '@husky/runtime/nats';
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
  readonly database: {
    readonly url: string;
    readonly password: string;
    readonly schema: string;
    readonly poolSize: number;
  };
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
    database: {
      url: read.DATABASE_URL,
      password: readSecret(read.DATABASE_PASSWORD_FILE),
      schema: 'leaderboard',
      poolSize: read.DATABASE_POOL_SIZE,
    },
    nats: {
      url: read.NATS_URL,
      user: read.NATS_USER,
      password: readSecret(read.NATS_PASSWORD_FILE),
      streamReplicas: read.NATS_STREAM_REPLICAS,
    },
    simulationAddress: read.SIMULATION_ADDRESS,
  };
}
