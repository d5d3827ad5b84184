import { readVariables, serviceVariables, type TlsFiles, tlsFiles, tlsVariables } from '@husky/runtime/config';
import { z } from 'zod';

const variables = {
  RUNNER_NAME: z.string().min(1).max(100),
  RUN_DIR: z.string(),
  SIMULATION_ADDRESS: z.string(),
  SUBMISSION_ADDRESS: z.string(),
  LIVE_DATA_ADDRESS: z.string(),
  IDENTITY_KEY_FILE: serviceVariables.IDENTITY_KEY_FILE,
  ...tlsVariables,
  OPS_ADDRESS: serviceVariables.OPS_ADDRESS,
  LOG_LEVEL: serviceVariables.LOG_LEVEL,
  OTEL_EXPORTER_OTLP_ENDPOINT: serviceVariables.OTEL_EXPORTER_OTLP_ENDPOINT,
  ALLOW_UNSANDBOXED: z.stringbool().default(false),
};

export interface RunnerConfig {
  readonly name: string;
  readonly runDir: string;
  readonly addresses: { readonly simulation: string; readonly submission: string; readonly liveData: string };
  readonly identityKeyFile: string;
  readonly tls?: TlsFiles | undefined;
  readonly opsAddress: string;
  readonly logLevel: string;
  readonly otlpEndpoint: string | undefined;
  /** Play although the sandbox lacks something. */
  readonly allowUnsandboxed: boolean;
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): RunnerConfig {
  const read = readVariables(variables, env);
  return {
    name: read.RUNNER_NAME,
    runDir: read.RUN_DIR,
    addresses: {
      simulation: read.SIMULATION_ADDRESS,
      submission: read.SUBMISSION_ADDRESS,
      liveData: read.LIVE_DATA_ADDRESS,
    },
    identityKeyFile: read.IDENTITY_KEY_FILE,
    tls: tlsFiles(read),
    opsAddress: read.OPS_ADDRESS,
    logLevel: read.LOG_LEVEL,
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    allowUnsandboxed: read.ALLOW_UNSANDBOXED,
  };
}
