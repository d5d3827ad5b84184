import { type ProcessSettings, processSettings, readPart } from '@husky/runtime/process/config';

export interface RunnerConfig {
  readonly process: ProcessSettings;
  readonly name: string;
  readonly runDir: string;
  readonly addresses: { readonly simulation: string; readonly submission: string; readonly liveData: string };
  /** Matches are played even if means of the sandbox are missing. */
  readonly allowUnsandboxed: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv): RunnerConfig {
  const read = readPart('runner', env);
  return {
    process: processSettings(read),
    name: read.RUNNER_NAME,
    runDir: read.RUN_DIR,
    addresses: {
      simulation: read.SIMULATION_ADDRESS,
      submission: read.SUBMISSION_ADDRESS,
      liveData: read.LIVE_DATA_ADDRESS,
    },
    allowUnsandboxed: read.ALLOW_STRANGERS_WITHOUT_SANDBOX,
  };
}
