import { type BackendSettings, backendSettings, readPart } from '@husky/runtime/process/config';

export interface LeaderboardConfig extends BackendSettings {
  /** host:port */
  readonly simulationAddress: string;
}

export function readConfig(env: NodeJS.ProcessEnv): LeaderboardConfig {
  const read = readPart('leaderboard', env);
  return { ...backendSettings('leaderboard', read), simulationAddress: read.SIMULATION_ADDRESS };
}
