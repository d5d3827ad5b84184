// `make release-fixtures`: keeps the release of a working tree for tests of upgrades: the database of a platform of its own after a short match,
// six players and one published and ranked match, in scripts/proof/releases/<version>. TREE: the working tree (default: this one). Run it before the
// version changes, and set `versionBefore` in kept.ts. gateway/e2e/version-before.test.ts starts a platform on it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { exampleBots, registerVerified, submitFinal } from '../../demo/accounts.ts';
import { Api } from '../../demo/api.ts';
import { waitUntilFinished } from '../../demo/wait-until-finished.ts';
import { startOwnPlatform } from '../../up/own-platform.ts';
import { dumpDatabase } from './dump.ts';
import { type KeptRelease, passwords } from './kept.ts';

const tree = resolve(process.env.TREE ?? join(import.meta.dirname, '../../..'));
const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { version: string };
const folder = join(import.meta.dirname, version);
const hands = 20;
const maxMatchMs = 5 * 60_000;
/** None with packages: their archive would make the dump large. */
const bots = exampleBots.map((bot) => (bot === 'pot-odds' ? 'random-legal' : bot));

/** Plays, publishes and ranks one match. */
async function play(origin: string): Promise<KeptRelease> {
  const admin = await new Api(origin).signIn({ username: 'admin', password: passwords.admin });
  const players: string[] = [];
  for (const [index, bot] of bots.entries()) {
    const username = `kept-${index + 1}`;
    await submitFinal(await registerVerified(admin, username, passwords.player), bot);
    players.push(username);
  }
  const request = { users_list: players, num_rounds: hands };
  const { job_id: jobId } = await admin.post<{ job_id: string }>('/sim/async_run_user', request);
  const status = await waitUntilFinished(admin, jobId, maxMatchMs);
  await admin.post(`/admin/toggle-job-public/${jobId}`);
  await admin.post(`/admin/process-tournament-2025-job/${jobId}`);
  return { jobId, hands: status.hands_played ?? 0, results: status.result_data ?? {} };
}

const platform = await startOwnPlatform({ ADMIN_PASSWORD: passwords.admin }, undefined, { tree });
try {
  const release = await play(platform.origin);
  const client = new pg.Client({ connectionString: platform.databaseUrl() });
  await client.connect();
  const sql = await dumpDatabase(client, tree);
  await client.end();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'database.sql.gz'), gzipSync(sql, { level: 9 }));
  const commit = execFileSync('git', ['-C', tree, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ commit, ...release }, null, 2)}\n`);
} finally {
  await platform.stop();
}
