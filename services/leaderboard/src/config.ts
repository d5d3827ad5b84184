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

const variables = { ...serviceVariables, ...natsVariables, ...databaseVariables, SIMULATION_ADDRESS: z.string() };

export interface LeaderboardConfig {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats: NatsSettings;
  /** host:port */
  readonly simulationAddress: string;
}

export function readConfig(env: NodeJS.ProcessEnv): LeaderboardConfig {
  const read = readVariables(variables, env);
  return {
    service: serviceSettings(read),
    database: databaseSettings(read, 'leaderboard'),
    nats: natsSettings(read),
    simulationAddress: read.SIMULATION_ADDRESS,
  };
}
