// Plays matches on the platform and again with `husky play` of the site's wheel: digests and lines must be equal.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as client from './client.ts';

const root = join(import.meta.dirname, '../..');
const uv = join(root, '.tools/python/bin/uv');
const run = promisify(execFile);
const limitMs = 150_000;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'husky-identity-'));
  const { url } = client.expectStatus(await client.get('/kit/index.json'), 200);
  const wheel = `${client.platform().origin}${new URL(url).pathname}`;
  await run(uv, ['venv', '--quiet', '--no-project', join(folder, 'venv')]);
  // Without --refresh-package uv would install an earlier wheel of the same version from its cache.
  const options = ['--quiet', '--refresh-package', 'husky-holdem', '--python', join(folder, 'venv/bin/python')];
  await run(uv, ['pip', 'install', ...options, wheel]);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plays a match on the platform and downloads its file. */
async function playOnPlatform(bots: readonly string[], settings: object): Promise<string> {
  const admin = await client.adminToken();
  const users_list = await client.registerNamed(bots);
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, ...settings }, admin),
    200,
  );
  const status = await client.ended(job_id, admin);
  expect(status.job_status, status.error).toBe('Finished');
  // live-data accepts a match after simulation has accepted its result, so the download may come some milliseconds later.
  return vi.waitFor(
    async () =>
      client.expectStatus(await client.get(`/live/job/${job_id}/download?format=jsonl`, admin), 200) as string,
    { timeout: 10_000, interval: 100 },
  );
}

/** Plays the match of a file again with `husky play`. Returns the content of the new file. */
async function playAtHome(name: string, file: string, bots: readonly string[], options: readonly string[] = []) {
  const match = join(folder, `${name}.jsonl`);
  writeFileSync(match, file);
  const players = bots.map((bot, seat) => {
    const { player, requirements } = client.botFiles(bot);
    const place = join(folder, name, `seat-${seat + 1}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'player.py'), player);
    writeFileSync(join(place, 'requirements.txt'), requirements);
    return place;
  });
  const out = join(folder, `${name}-${options.length}-out`);
  const given = ['play', ...players, '--like', match, '--out', out, ...options];
  // A minimal environment: no Node in PATH, no clone of the repository.
  const env = { PATH: '/usr/bin:/bin', HOME: folder };
  await run(join(folder, 'venv/bin/husky'), given, { env, cwd: folder, timeout: limitMs }).catch((error: unknown) => {
    // Code 1: a bot was disabled, as on the platform.
    if ((error as { code?: unknown }).code !== 1) throw error;
  });
  return readFileSync(join(out, 'match.jsonl'), 'utf8');
}

/** Returns the lines of a match file without times and without the digest, which covers them. */
function withoutTimes(file: string): string[] {
  return file
    .replaceAll(/"timestamp":\d+/g, '"timestamp":0')
    .replaceAll(/"actionTimes":\{[^}]*\}/g, '"actionTimes":{}')
    .replace(/"digest":"[0-9a-f]+"/, '"digest":""')
    .replaceAll(/"(started_at|ended_at|made_at)":("[^"]*"|null)/g, '"$1":null')
    .replace(/,"signature":"[^"]*"/, '')
    .split('\n');
}

/** Returns the end line without the signature, which only a site's file has. */
const endOf = (file: string) => {
  const { signature: _, ...end } = JSON.parse(file.trimEnd().split('\n').at(-1) ?? '');
  return end;
};

test.each([
  [
    'stacks that carry and growing blinds',
    ['house', 'tight-aggressive', 'calling-station', 'position-aware', 'house', 'tight-aggressive'],
    { num_rounds: 120, blind: 20, blind_multiplier: 1.5, blind_increase_interval: 25 },
  ],
  [
    'stacks that are reset, a bot that raises exceptions, and bots that play at random',
    ['house', 'type-error-postflop', 'pressure', 'random-legal', 'house', 'random-legal'],
    { num_rounds: 80, stacks: 'reset' },
  ],
])('a match with %s is the same at home', async (_, bots, settings) => {
  const name = `match-${Object.keys(settings).length}`;
  const site = await playOnPlatform(bots, settings);
  const home = await playAtHome(name, site, bots);
  expect(endOf(home)).toEqual(endOf(site));
  expect(withoutTimes(home)).toEqual(withoutTimes(site));
  const [first, second] = [
    await playAtHome(name, site, bots, ['--no-times']),
    await playAtHome(name, site, bots, ['--no-times', '--all-replays']),
  ];
  expect(first).toBe(second);
  expect(existsSync(join(folder, `${name}-2-out`, 'replays'))).toBe(true);
});
