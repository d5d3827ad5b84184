// The archive of old hands in a folder, through the gateway: replays, downloads and verification read archived matches.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { connectionOptions } from '@husky/runtime/database/database-url';
import { sql } from '@husky/runtime/database/sql';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../../scripts/up/own-platform.ts';
import * as client from './client.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'random-legal'];
const verify = join(import.meta.dirname, '../../docs/verify_match.py');

let parent: string;
let folder: string;
let own: OwnPlatform;
let database: pg.Client;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'husky-archive-'));
  folder = await mkdtemp(join(parent, 'hands-'));
  own = await startOwnPlatform({ ...withoutLimits, ARCHIVE_URL: pathToFileURL(folder).href, ARCHIVE_HANDS_DAYS: '30' });
  client.usePlatform({ origin: own.origin, dataDir: own.dataDir, adminPassword: own.admin.password });
  database = new pg.Client(connectionOptions(own.databaseUrl()));
  await database.connect();
});

afterAll(async () => {
  await database?.end();
  await own?.stop();
  await rm(parent, { recursive: true, force: true });
});

async function playMatch(): Promise<string> {
  const token = await client.adminToken();
  const users = await client.registerNamed(bots);
  const json = { users_list: users, num_rounds: 100 };
  const { job_id: jobId } = client.expectStatus(await client.post('/sim/async_run_user', json, token), 200);
  await client.ended(jobId, token);
  client.expectStatus(await client.post(`/admin/toggle-job-public/${jobId}`, { is_public: true }, token), 200);
  return jobId;
}

/** Kills live-data and waits until it answers again about a match. */
async function restartLiveData(jobId: string): Promise<void> {
  // Visitors would share the response to a call before the kill.
  const token = await client.adminToken();
  const killed = own.pidOf('live-data');
  if (killed === undefined) throw new Error('live-data does not run');
  process.kill(killed, 'SIGKILL');
  await vi.waitFor(
    async () => {
      expect(own.pidOf('live-data')).toSatisfy((pid) => pid !== undefined && pid !== killed);
      client.expectStatus(await client.get(`/live/job/${jobId}/games`, token), 200);
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** Archives the match: moves it into the past and restarts live-data, which looks for old matches at its start. */
async function archive(jobId: string): Promise<void> {
  await database.query(
    sql`UPDATE live_data.matches SET created_at = now() - interval '31 days' WHERE job_id = ${jobId}::uuid`,
  );
  await restartLiveData(jobId);
  const isArchived = sql`SELECT hands_archived_at IS NOT NULL AS archived,
    (SELECT count(*)::int FROM live_data.chunks WHERE job_id = ${jobId}::uuid) AS chunks
    FROM live_data.matches WHERE job_id = ${jobId}::uuid`;
  await vi.waitFor(
    async () => expect((await database.query(isArchived)).rows).toEqual([{ archived: true, chunks: 0 }]),
    { timeout: 60_000, interval: 200 },
  );
}

test('an archived match is replayed, downloaded and verified as before; without the archive it is refused with 503', async () => {
  const jobId = await playMatch();
  const read = async () => {
    const download = await client.get(`/live/job/${jobId}/download?format=jsonl`);
    // Without the manifest, which has the time of the download, and the end, which has a signature over it.
    return (client.expectStatus(download, 200) as string).trim().split('\n').slice(1, -1);
  };
  const before = await read();
  expect(before.length).toBeGreaterThan(10);
  await archive(jobId);
  expect(existsSync(join(folder, 'hands', jobId))).toBe(true);
  expect(await read()).toEqual(before);

  await rename(folder, `${folder}-away`);
  // Its object is in the memory of live-data.
  await restartLiveData(jobId);
  const { games } = client.expectStatus(await client.get(`/live/job/${jobId}/games`), 200);
  const refused = client.expectStatus(await client.get(`/live/game/${games[0].game_id}`), 503);
  expect(refused.detail).toBe(
    `The hands of match ${jobId} are in the archive of old matches, which cannot be reached. Please try again later.`,
  );
  await rename(`${folder}-away`, folder);
  expect(await read()).toEqual(before);
  const { stdout } = await promisify(execFile)('python3', [verify, own.origin, jobId]);
  expect(stdout).toMatch(/^verified: \d+ hands/);

  const token = await client.adminToken();
  client.expectStatus(await client.remove(`/sim/job/${jobId}`, token), 200);
  await vi.waitFor(() => expect(existsSync(join(folder, 'hands', jobId))).toBe(false), { timeout: 30_000 });
});
