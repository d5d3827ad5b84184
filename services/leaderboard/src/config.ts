import { type BackendSettings, backendSettings, backendVariables, readVariables } from '@husky/runtime/config';
import { z } from 'zod';

const variables = { ...backendVariables, SIMULATION_ADDRESS: z.string() };

export interface LeaderboardConfig extends BackendSettings {
  /** host:port */
  readonly simulationAddress: string;
}

export function readConfig(env: NodeJS.ProcessEnv): LeaderboardConfig {
  const read = readVariables(variables, env);
  return {
    ...backendSettings(read, 'leaderboard'),
    simulationAddress: read.SIMULATION_ADDRESS,
  };
}
