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

const variables = { ...serviceVariables, ...databaseVariables, ...natsVariables, SIMULATION_ADDRESS: z.string() };

export interface Config {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
  readonly simulationAddress: string;
}

/** Reads the configuration; throws one message that names every missing or invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readVariables(variables, env);
  return {
    service: serviceSettings(read),
    database: databaseSettings(read, schema),
    nats: natsSettings(read),
    simulationAddress: read.SIMULATION_ADDRESS,
  };
}
