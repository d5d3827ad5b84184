// Vitest's global set-up for the suites that need the whole platform: a real `make up` on a fresh data folder.
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

// Two test files at a time send more from one address than all of a classroom; the limits themselves have tests of
// their own (gateway/test/rate-limits.test.ts), here they are only told.
const highLimits = requestLimits(1_000_000);

/** A fresh platform on a free port; `stop` ends it and removes its data. */
export async function startPlatform(): Promise<{ platform: Platform; stop: () => Promise<void> }> {
  const { origin, dataDir, admin, stop } = await startOwnPlatform(highLimits);
  return { platform: { origin, dataDir, adminPassword: admin.password }, stop };
}
