// Adds hands to the database of a running platform that has a match, twice.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerVerified, submitFinal } from '../demo/accounts.ts';
import { Api } from '../demo/api.ts';
import { waitUntilFinished } from '../demo/wait-until-finished.ts';
import { Caller } from '../proof/chaos/caller.ts';
import { History } from '../proof/chaos/history.ts';
import { redeal } from '../proof/chaos/redeal.ts';
import { type OwnPlatform, startOwnPlatform, withoutLimits } from '../up/own-platform.ts';
import { readHands, requireSpace } from './preconditions.ts';

const hands = 3000;
const users: string[] = [];
let platform: OwnPlatform | undefined;
let admin: Api;
let existing: string;

const running = () => {
  if (platform === undefined) throw new Error('the platform was not started');
  return platform;
};

async function playMatch(): Promise<string> {
  const settings = { users_list: users, num_rounds: 20 };
  const { job_id: jobId } = await admin.post<{ job_id: string }>('/sim/async_run_user', settings);
  await waitUntilFinished(admin, jobId, 90_000);
  return jobId;
}

function seedLarge(variables: Record<string, string>) {
  const program = join(import.meta.dirname, 'main.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env: { ...process.env, ...variables } });
  return { status, stdout: stdout.toString(), stderr: stderr.toString() };
}

async function query<Row extends object>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: running().databaseUrl() });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  platform = await startOwnPlatform({ ...withoutLimits, POOL_SIZE: '1' });
  admin = await new Api(platform.origin).signIn(platform.admin);
  for (let seat = 1; seat <= 6; seat++) {
    // Names like those of seeded users.
    const username = `Player_${seat}`;
    await submitFinal(await registerVerified(admin, username), 'calling-station');
    users.push(username);
  }
  existing = await playMatch();
  await admin.post(`/admin/toggle-job-public/${existing}`, { is_public: true });
  await admin.post(`/admin/process-tournament-2025-job/${existing}`);
}, 300_000);

afterAll(() => platform?.stop(), 60_000);

test('refuses a folder without a platform, an invalid number and a disk that is too small', () => {
  expect(seedLarge({ DATA_DIR: '/nowhere' })).toEqual({
    status: 1,
    stdout: '',
    stderr: 'No platform runs on /nowhere: start it by make up, or set DATA_DIR or DATABASE_URL.\n',
  });
  expect(() => readHands('many')).toThrow('HANDS must be an integer from 2000 to 1000000000, not many.');
  expect(readHands(undefined)).toBe(2_000_000);
  requireSpace(2_000_000, 4 * 2 ** 30, '/data');
  expect(() => requireSpace(20_000_000, 4 * 2 ** 30, '/data')).toThrow(
    '20000000 hands need 8.5 GiB on the disk of /data, which has 4.0 GiB free: set a smaller HANDS.',
  );
});

const countJobs = async () => {
  const [numbers] = await query<{ jobs: number; first: number; last: number }>(
    'SELECT count(*)::int AS jobs, min(job_number)::int AS first, max(job_number)::int AS last FROM simulation.jobs',
  );
  return numbers;
};

test('adds hands after the existing rows, twice, and prints the bytes per hand', async () => {
  const { dataDir } = running();
  const before = (await countJobs())?.jobs ?? 0;
  for (let run = 0; run < 2; run++) {
    const { status, stdout, stderr } = seedLarge({ DATA_DIR: dataDir, HANDS: String(hands) });
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^\d+ hands, 100 % after [\d.]+ s\nadded \d+ hands in [\d.]+ s: \d+ MB, \d+ bytes per hand/);
    expect(Number(/added (\d+)/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(hands);
  }
  expect(await countJobs()).toEqual({ jobs: before + 300, first: 1, last: before + 300 });
}, 120_000);

test('all results, and the scores of each board, sum to zero', async () => {
  const unbalanced = await query(
    'SELECT job_id FROM simulation.job_seats GROUP BY job_id HAVING coalesce(sum(delta), 0) <> 0',
  );
  expect(unbalanced).toEqual([]);
  expect(await query('SELECT tag FROM leaderboard.entries GROUP BY tag HAVING sum(score_cents) <> 0')).toEqual([]);
});

test('the totals of lists are those of the rows', async () => {
  const counted = 'SELECT is_public, status, count(*)::int AS matches, sum(hands)::int AS hands';
  const rows = await query(
    `${counted} FROM live_data.matches WHERE first_hand_at IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  const totals = await query(
    'SELECT is_public, status, matches, hands::int FROM live_data.match_totals WHERE matches > 0 ORDER BY 1, 2',
  );
  expect(totals).toEqual(rows);
  const [wrong] = await query<{ players: number }>(
    `SELECT count(*)::int AS players FROM live_data.player_totals total WHERE matches <>
      (SELECT count(*) FROM live_data.matches WHERE first_hand_at IS NOT NULL AND player_ids @> ARRAY[total.user_id])`,
  );
  expect(wrong).toEqual({ players: 0 });
});

test('lists, boards and pages of a seeded match are served', async () => {
  const { jobs } = await admin.get<{ jobs: { job_id: string }[] }>('/live/public-job-ids?page_size=1000');
  expect(jobs.map(({ job_id }) => job_id)).toContain(existing);
  const seeded = jobs.find(({ job_id }) => job_id !== existing)?.job_id;
  for (const path of [
    '/leaderboard/top/100?tag=2025',
    '/leaderboard/top/100?tag=llm-batch',
    '/admin/jobs?page=1&page_size=50',
    '/admin/audit?page=1',
    '/llm/batches',
    '/sim/status/all',
    '/user/search?q=player',
    `/live/job/${seeded}/hands?page=1&page_size=50`,
    `/profile/Player_7`,
  ]) {
    await expect(admin.get(path), path).resolves.toBeTypeOf('object');
  }
});

test('the existing match still verifies, and a new match can be played and published', async () => {
  const { origin } = running();
  const caller = new Caller(origin, new History(), admin.token);
  expect(await redeal(caller, existing)).toBeUndefined();
  const script = join(import.meta.dirname, '../../docs/verify_match.py');
  expect(execFileSync('python3', [script, origin, existing], { encoding: 'utf8' })).toContain('verified: 20 hands');
  const jobId = await playMatch();
  await admin.post(`/admin/process-tournament-2025-job/${jobId}`);
  expect(await redeal(caller, jobId)).toBeUndefined();
}, 120_000);
