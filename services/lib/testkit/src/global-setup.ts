import { randomBytes } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { writeIdentities } from '@husky/platform/identities';
import { startPostgres } from '@husky/platform/postgres-server';
import type { TestProject } from 'vitest/node';

/** Addresses and secrets of the test run's servers; test files get them by vitest's inject('husky'). */
export interface TestServers {
  readonly folder: string;
  readonly postgresAdminUrl: string;
  readonly identityFolder: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    husky: TestServers;
  }
}

/**
 * Vitest's global setup: starts one PostgreSQL for the whole run. The returned function stops it, and the NATS servers of test files whose
 * process was killed, and deletes their data.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-test-'));
  const identityFolder = join(folder, 'identities');
  const [postgres] = await Promise.all([
    startPostgres({
      dataDir: `${folder}-postgres`,
      port: await freePort(),
      password: randomBytes(12).toString('hex'),
      throwAway: true,
    }),
    writeIdentities(identityFolder),
  ]);
  project.provide('husky', {
    folder,
    postgresAdminUrl: postgres.adminUrl,
    identityFolder,
  });
  return async () => {
    await postgres.stop();
    for (const file of globSync(join(folder, 'nats-*/pid')))
      process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL');
    for (const path of [folder, `${folder}-postgres`]) rmSync(path, { recursive: true, force: true });
  };
}
