// Permissions of other local users on the data folder of a running platform.
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { botFiles, call, ended, expectStatus, registerVerified, testRunFields, uploadForm } from './client.ts';

const { dataDir } = inject('platform');
const mode = (path: string) => `${path} ${(statSync(path).mode & 0o777).toString(8)}`;

test('denies other local users access to the data folder, but lets seats read their bots', async () => {
  const { token } = await registerVerified();
  const form = uploadForm(testRunFields, botFiles('calling-station').player);
  const job = expectStatus(await call('POST', '/sim/async_run', { form, token }), 200);
  expect((await ended(job.job_id, token)).job_status).toBe('Finished');
  const open = readdirSync(dataDir)
    .map((name) => join(dataDir, name))
    .filter((path) => (statSync(path).mode & 0o027) !== 0);
  expect(open.map(mode)).toEqual([]);
  const runners = realpathSync(join(dataDir, 'runners'));
  const bots = readdirSync(runners).flatMap((runner) =>
    ['bots', 'packages'].map((kind) => join(runners, runner, 'run', kind)),
  );
  expect(bots.length).toBeGreaterThan(0);
  expect(bots.filter((path) => (statSync(path).mode & 0o027) !== 0).map(mode)).toEqual([]);
});
