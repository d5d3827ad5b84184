// `make up`: what is set for it reaches the parts that read it, what has no effect is named, and its data folder is closed to other local users.
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Part, type Variable, variables } from '@husky/runtime/process/variables';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type OwnPlatform, startOwnPlatform } from '../../scripts/up/own-platform.ts';
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

const mistakes = { CORS_ORIGIN: 'https://a.example', BOT_COLOUR: 'red', DATABASE_URL: 'x', KEYCLOAK_REALM: 'mine' };
// Values that differ from the defaults where the platform still starts with them.
const values: Record<string, string> = {
  CORS_ORIGINS: 'https://other.example',
  LEASE_SECONDS: '31',
  EXPORTS_MAX_MIB: '128',
  MAIL_FROM: 'Arena <arena@example.org>',
  DATABASE_POOL_SIZE: '7',
};
const given = Object.entries<Variable>(variables).filter(
  ([name, { wired, needs, parts, fallback }]) =>
    !wired &&
    needs === undefined &&
    !parts.includes('make up') &&
    (name in values || /^\d+$|^true$|^false$/.test(fallback)),
);

const lines: string[] = [];
let own: OwnPlatform;
beforeAll(async () => {
  const set = Object.fromEntries(given.map(([name, { fallback }]) => [name, values[name] ?? fallback]));
  own = await startOwnPlatform({ ...set, ...mistakes }, undefined, { onLine: (line) => lines.push(line) });
});
afterAll(() => own?.stop());

test('each variable reaches the parts that read it, and no other', () => {
  const parts: Part[] = ['auth', 'submission', 'simulation', 'live-data', 'leaderboard', 'pool', 'gateway'];
  for (const part of parts) {
    const names = readFileSync(`/proc/${own.pidOf(part)}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=', 1)[0]);
    const expected = given.filter((entry) => entry[1].parts.includes(part)).map(([name]) => name);
    expect(
      given.map(([name]) => name).filter((name) => names.includes(name)),
      part,
    ).toEqual(expected);
  }
});

test('a further origin may call from a browser', async () => {
  const response = await fetch(`${own.origin}/leaderboard`, { headers: { origin: 'https://other.example' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://other.example');
});

test('what has no effect is named at the start, in one line each', () => {
  expect(lines.filter((line) => line.includes('has no effect')).map((line) => line.replace(/^\S+ up +/, ''))).toEqual([
    'BOT_COLOUR is not a variable of this platform and has no effect',
    'CORS_ORIGIN is not a variable of this platform and has no effect; is CORS_ORIGINS meant?',
    'DATABASE_URL has no effect here: make up sets it itself',
    'KEYCLOAK_REALM has no effect without IDENTITY=keycloak',
  ]);
});
