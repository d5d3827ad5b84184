import { type BackendSettings, backendSettings, readPart } from '@husky/runtime/process/config';
import type { ObjectsSettings } from './archive/open-objects.ts';
import { archiveSettings } from './archive/settings.ts';

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
  /** The archive of old hands; undefined: none. */
  readonly archive: ObjectsSettings | undefined;
  /** Finished matches that were opened longer ago are archived; undefined: none. */
  readonly archiveAfterDays: number | undefined;
}

/** Reads the configuration; throws one message that names every missing or invalid variable. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = readPart('live-data', env);
  const archive = archiveSettings(read);
  if (read.ARCHIVE_HANDS_DAYS !== undefined && archive === undefined) {
    throw new Error('Configuration is not complete: ARCHIVE_HANDS_DAYS needs ARCHIVE_URL');
  }
  return {
    ...backendSettings('live-data', read),
    simulationAddress: read.SIMULATION_ADDRESS,
    exports: { keepDays: read.EXPORTS_KEEP_DAYS, maxBytes: read.EXPORTS_MAX_MIB * 2 ** 20, stepHands },
    archive,
    archiveAfterDays: read.ARCHIVE_HANDS_DAYS,
  };
}
