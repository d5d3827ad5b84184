import {
  databaseSettings,
  databaseVariables,
  natsSettings,
  natsVariables,
  readVariables,
  type ServiceSettings,
  serviceSettings,
  serviceVariables,
} from '@husky/runtime/config';
import type { NatsSettings } from '@husky/runtime/nats';
import type { DatabaseSettings } from '@husky/runtime/postgres';
import { z } from 'zod';
import { schema } from './store/database.ts';

const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...natsVariables,
  SIMULATION_ADDRESS: z.string(),
  EXPORTS_KEEP_DAYS: z.coerce.number().int().min(1).max(3650).default(30),
  EXPORTS_MAX_MIB: z.coerce.number().int().min(64).default(4096),
};

// About a second of work and 1 MB of archive.
const stepHands = 5_000;

/** Limits of the exports. */
export interface ExportSettings {
  /** Ready exports are removed after this many days. */
  readonly keepDays: number;
  /** The largest sum of all archives in bytes. The oldest are removed before it is exceeded. */
  readonly maxBytes: number;
  /** Hands after which a step ends: what is repeated after a crash, and held in memory. */
  readonly stepHands: number;
}

export interface Config {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
  readonly simulationAddress: string;
  readonly exports: ExportSettings;
}

/** Reads the configuration; throws one message that names every missing or invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readVariables(variables, env);
  return {
    service: serviceSettings(read),
    database: databaseSettings(read, schema),
    nats: natsSettings(read),
    simulationAddress: read.SIMULATION_ADDRESS,
    exports: { keepDays: read.EXPORTS_KEEP_DAYS, maxBytes: read.EXPORTS_MAX_MIB * 2 ** 20, stepHands },
  };
}
