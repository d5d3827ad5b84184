import { type BackendSettings, backendSettings, readPart } from '@husky/runtime/process/config';

// About a second of work and 1 MB of archive.
const stepHands = 5_000;

/** Limits of the exports. */
export interface ExportSettings {
  /** Ready exports are removed after this many days. */
  readonly keepDays: number;
  /** Maximum size of all archives together, in bytes. The oldest are removed before it is exceeded. */
  readonly maxBytes: number;
  /** Number of hands after which a step ends. A step is held in memory, and repeated after a crash. */
  readonly stepHands: number;
}

export interface Config extends BackendSettings {
  readonly simulationAddress: string;
  readonly exports: ExportSettings;
}

/** Reads the configuration; throws one message that names every missing or invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readPart('live-data', env);
  return {
    ...backendSettings('live-data', read),
    simulationAddress: read.SIMULATION_ADDRESS,
    exports: { keepDays: read.EXPORTS_KEEP_DAYS, maxBytes: read.EXPORTS_MAX_MIB * 2 ** 20, stepHands },
  };
}
