// Vitest's global set-up for suites that need the whole platform: runs `make up` with an empty data folder.
import type { TestProject } from 'vitest/node';
import { requestLimits, startOwnPlatform } from '../../scripts/up/own-platform.ts';

export interface Platform {
  readonly origin: string;
  readonly dataDir: string;
  readonly adminPassword: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    platform: Platform;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { platform, stop } = await startPlatform();
  project.provide('platform', platform);
  return stop;
}

// Two concurrent test files exceed the default rate limits of one address. gateway/test/admission.test.ts tests the limits; the
// suites here only check the headers.
const highLimits = requestLimits(1_000_000);

/** Starts a platform with an empty data folder on a free port. `stop` stops it and removes its data. */
export async function startPlatform(): Promise<{ platform: Platform; stop: () => Promise<void> }> {
  const { origin, dataDir, admin, stop } = await startOwnPlatform(highLimits);
  return { platform: { origin, dataDir, adminPassword: admin.password }, stop };
}
