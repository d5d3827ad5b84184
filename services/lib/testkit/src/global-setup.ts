import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobEnded } from '@husky/contracts/events';
import { freePort } from '@husky/platform/free-port';
import { writeIdentities } from '@husky/platform/identities';
import { startNats } from '@husky/platform/nats-server';
import { natsUsers } from '@husky/platform/nats-users';
import { startPostgres } from '@husky/platform/postgres-server';
import type { TestProject } from 'vitest/node';

/** Addresses and secrets of the test run's servers; test files get them by vitest's inject('husky'). */
export interface TestServers {
  readonly folder: string;
  readonly postgresAdminUrl: string;
  readonly natsUrl: string;
  readonly natsPasswords: Readonly<Record<string, string>>;
  readonly identityFolder: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    husky: TestServers;
  }
}

/** Vitest's global setup: starts one PostgreSQL and one NATS for the whole run. The returned function stops them and deletes their data. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'husky-test-'));
  const identityFolder = join(folder, 'identities');
  // A user for tests of NATS itself; no service uses its consumer.
  const users = { ...natsUsers, listener: { consumes: { listener_job_ended: jobEnded } } };
  const natsPasswords = Object.fromEntries(Object.keys(users).map((user) => [user, randomBytes(12).toString('hex')]));
  const tools = join(import.meta.dirname, '../../../../.tools/python/bin');
  const [postgres, nats] = await Promise.all([
    startPostgres({
      dataDir: `${folder}-postgres`,
      port: await freePort(),
      password: randomBytes(12).toString('hex'),
      throwAway: true,
    }),
    startNats({
      program: join(tools, 'nats-server'),
      dataDir: join(folder, 'nats'),
      port: await freePort(),
      passwords: natsPasswords,
      users,
    }),
    writeIdentities(identityFolder),
  ]);
  project.provide('husky', {
    folder,
    postgresAdminUrl: postgres.adminUrl,
    natsUrl: nats.url,
    natsPasswords,
    identityFolder,
  });
  return async () => {
    await Promise.all([postgres.stop(), nats.stop()]);
    for (const path of [folder, `${folder}-postgres`]) rmSync(path, { recursive: true, force: true });
  };
}
