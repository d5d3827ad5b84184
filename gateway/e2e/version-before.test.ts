// The database of the version before, restored: a platform of this version migrates it and shows its accounts and its match.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@husky/platform/free-port';
import { startPostgres } from '@husky/platform/postgres-server';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { Api } from '../../scripts/demo/api.ts';
import { passwords, readDump, readRelease, versionBefore } from '../../scripts/proof/releases/kept.ts';
import { startOwnPlatform } from '../../scripts/up/own-platform.ts';
import { Secrets } from '../../scripts/up/secrets.ts';

const script = join(import.meta.dirname, '../../docs/verify_match.py');
const release = readRelease();

async function restore(dataDir: string): Promise<void> {
  const server = await startPostgres({
    dataDir: join(dataDir, 'postgres'),
    port: await freePort(),
    password: new Secrets(dataDir).value('database-owner').value,
  });
  try {
    const query = async (database: string, sql: string) => {
      const url = new URL(server.adminUrl);
      url.pathname = `/${database}`;
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      await client.query(sql);
      await client.end();
    };
    await query('postgres', 'CREATE DATABASE husky');
    await query('husky', readDump());
  } finally {
    await server.stop();
  }
}

test(`a platform starts on the database of ${versionBefore}: accounts sign in, the match verifies and can be played again`, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'husky-before-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  await restore(dataDir);
  const platform = await startOwnPlatform({ DATA_DIR: dataDir });
  onTestFinished(() => platform.stop());
  const { origin } = platform;
  const admin = await new Api(origin).signIn({ username: 'admin', password: passwords.admin });
  const players = Object.keys(release.results);
  const [first = ''] = players;
  const player = await new Api(origin).signIn({ username: first, password: passwords.player });
  expect((await player.get<{ files: unknown[] }>('/submission/list')).files).toHaveLength(1);

  const status = await player.get<{ job_status: string; hands_played: number; result_data: object }>(
    `/sim/status/${release.jobId}`,
  );
  expect(status).toMatchObject({ job_status: 'Finished', hands_played: release.hands, result_data: release.results });
  const { stdout } = await promisify(execFile)('python3', [script, origin, release.jobId]);
  expect(stdout).toMatch(/^verified/i);
  const { top_entries } = await player.get<{ top_entries: { username: string; score: number }[] }>(
    '/leaderboard/top/20?tag=2025',
  );
  const scores = Object.fromEntries(top_entries.map(({ username, score }) => [username, score]));
  expect(scores).toEqual(release.results);

  const request = { users_list: players, num_rounds: 5 };
  const { job_id } = await admin.post<{ job_id: string }>('/sim/async_run_user', request);
  const state = async () => (await admin.get<{ job_status: string }>(`/sim/status/${job_id}`)).job_status;
  await expect.poll(state, { timeout: 60_000 }).toBe('Finished');
});
