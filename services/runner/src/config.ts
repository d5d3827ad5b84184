import { type ProcessSettings, processSettings, processVariables, readVariables } from '@husky/runtime/config';
import { z } from 'zod';

const variables = {
  ...processVariables,
  RUNNER_NAME: z.string().min(1).max(100),
  RUN_DIR: z.string(),
  SIMULATION_ADDRESS: z.string(),
  SUBMISSION_ADDRESS: z.string(),
  LIVE_DATA_ADDRESS: z.string(),
  ALLOW_UNSANDBOXED: z.stringbool().default(false),
};

export interface RunnerConfig {
  readonly process: ProcessSettings;
  readonly name: string;
  readonly runDir: string;
  readonly addresses: { readonly simulation: string; readonly submission: string; readonly liveData: string };
  /** Matches are played even if means of the sandbox are missing. */
  readonly allowUnsandboxed: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv): RunnerConfig {
  const read = readVariables(variables, env);
  return {
    process: processSettings(read),
    name: read.RUNNER_NAME,
    runDir: read.RUN_DIR,
    addresses: {
      simulation: read.SIMULATION_ADDRESS,
      submission: read.SUBMISSION_ADDRESS,
      liveData: read.LIVE_DATA_ADDRESS,
    },
    allowUnsandboxed: read.ALLOW_UNSANDBOXED,
  };
}
