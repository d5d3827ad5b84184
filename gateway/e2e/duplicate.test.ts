import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { installPackages } from '../../scripts/python/packages.ts';
import { findPython } from '../../scripts/up/preflight.ts';
import { verifyFile } from '../../scripts/verify-export/verify.ts';
import { adminToken, ended, expectStatus, get, platform, post, registerNamed, remove } from './client.ts';

test('two copies of a bot that sit symmetrically win exactly the same over the six matches of a deal set', async () => {
  const admin = await adminToken();
  const half = ['tight-aggressive', 'position-aware', 'house'];
  const users_list = await registerNamed([...half, ...half]);
  const body = { users_list, num_rounds: 40, mode: 'duplicate' };
  const { job_id, job_ids } = expectStatus(await post('/sim/async_run_user', body, admin), 200);
  expect(job_ids).toHaveLength(6);
  expect(job_ids[0]).toBe(job_id);
  const sums = users_list.map(() => 0);
  const seeds = new Set<string>();
  for (const [index, id] of (job_ids as string[]).entries()) {
    const status = await ended(id, admin);
    expect(status.job_status, status.error).toBe('Finished');
    expect(status).toMatchObject({ mode: 'duplicate', rotation: index + 1, stacks: 'reset', hands_played: 40 });
    expect(status.rotations.map((one: { job_id: string }) => one.job_id)).toEqual(job_ids);
    for (const [player, name] of users_list.entries()) sums[player] = (sums[player] ?? 0) + status.result_data[name];
  }
  for (const id of job_ids) seeds.add(expectStatus(await get(`/live/job/${id}/seed`, admin), 200).seed);
  expect(seeds.size).toBe(1);
  expect(sums.slice(0, 3)).toEqual(sums.slice(3));
  expect(sums.slice(0, 3)).not.toEqual([0, 0, 0]);
});

let batchId = '';
let playerNames: string[] = [];

test('a duplicate batch is planned, played in six rotations and added to the leaderboard', async () => {
  const admin = await adminToken();
  const users = await registerNamed([
    'house',
    'calling-station',
    'pot-odds',
    'tight-aggressive',
    'pressure',
    'position-aware',
  ]);
  const query = 'users=6&mode=duplicate&design=balanced&num_rounds=10&hand_budget=130';
  const plan = expectStatus(await get(`/llm/batch-plan?${query}`, admin), 200);
  expect(plan).toMatchObject({
    tables: 2,
    matches: 12,
    hands: 120,
    stacks: 'reset',
    tables_of_pair: { min: 2, max: 2 },
  });
  const body = { users_list: users, mode: 'duplicate', design: 'balanced', num_rounds: 10, hand_budget: 130 };
  const { batch_id, total_jobs } = expectStatus(await post('/llm/batch-run', body, admin), 200);
  expect(total_jobs).toBe(12);
  batchId = batch_id;
  playerNames = users;
  const path = `/llm/batch/${batch_id}`;
  const counts = async () => expectStatus(await get(path, admin), 200).job_statuses;
  await expect
    .poll(counts, { timeout: 170_000, interval: 500 })
    .toEqual({ PENDING: 0, RUNNING: 0, FINISHED: 12, FAILED: 0, DELETED: 0 });
  const { standings, plan: shown } = expectStatus(await get(path, admin), 200);
  expect(shown).toEqual(plan);
  const { jobs } = expectStatus(await get(`${path}/jobs`, admin), 200);
  expect(jobs.map((job: { rotation: number }) => job.rotation)).toEqual([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
  expect(expectStatus(await post(`/llm/process-batch/${batch_id}`, undefined, admin), 200).jobs_added_now).toBe(12);
  const top = expectStatus(await get('/leaderboard/top/1000?tag=llm-batch'), 200).top_entries;
  for (const { username, delta } of standings) {
    expect(top.find((entry: { username: string }) => entry.username === username)?.score).toBe(delta);
  }
});

const python = findPython(process.env.PYTHON);
const tooOld = python.version === '3.10';
if (tooOld) process.stdout.write(`skipped: datasets needs Python 3.11 or newer, ${python.path} is ${python.version}\n`);

test.skipIf(tooOld)(
  'the export of a batch alone is enough to verify it, to compute its standings and to load it',
  async () => {
    const admin = await adminToken();
    const folder = mkdtempSync(join(tmpdir(), 'husky-export-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    expectStatus(await post(`/llm/batch/${batchId}/public`, { public: true }, admin), 200);
    const { batch_number: number } = expectStatus(await get(`/llm/batch/${batchId}`, admin), 200);
    const standings = async () => expectStatus(await get(`/live/standings?batch=${number}`), 200);
    await expect.poll(async () => (await standings()).state, { timeout: 60_000, interval: 250 }).toBe('ready');
    const { id } = expectStatus(await post(`/batches/${number}/exports`, undefined, admin), 202);
    const state = async () => expectStatus(await get(`/live/exports/${id}`), 200).state;
    await expect.poll(state, { timeout: 60_000, interval: 250 }).toBe('ready');
    const download = await fetch(`${platform().origin}/live/exports/${id}/download`);
    const file = join(folder, 'export.zip');
    writeFileSync(file, await download.bytes());

    const lines: string[] = [];
    expect(await verifyFile(file, (line) => lines.push(line)), lines.join('\n')).toBe(0);
    expect(lines.join('\n')).toMatch(/Verified: 12 matches, 120 hands/);
    // Plans bind the names of the players and the numbers of the matches.
    expect(lines.join('\n')).not.toMatch(/- names of players|- numbers and batch/);

    const [packages, schemas] = [await installPackages('exports', python), await installPackages('citation', python)];
    const root = join(import.meta.dirname, '../..');
    const run = async (script: string, ...args: string[]) => {
      const env = { ...process.env, PYTHONPATH: packages };
      const ended = promisify(execFile)(python.path, ['-B', join(root, script), ...args], { env });
      const { stdout } = await ended.catch((error: { stdout: string }) => error);
      return stdout;
    };
    const printed = await run('docs/standings.py', file);
    for (const name of playerNames) expect(printed).toContain(name);
    const computed = [...printed.matchAll(/^(\w+): chips per 100 hands/gm)].map(([, estimator]) => estimator);
    expect(computed).toEqual(['raw', 'adjusted', 'duplicate', 'duplicate_adjusted']);
    expect(printed).toMatch(/equal to the export\n$/);
    expect(await run('docs/standings.py', platform().origin, '--batch', String(number))).toMatch(
      /equal to the site\n$/,
    );

    const unpacked = join(folder, 'export');
    await promisify(execFile)(python.path, ['-m', 'zipfile', '-e', file, unpacked]);
    const schema = join(schemas, 'cffconvert/schemas/1.2.0/schema.json');
    expect(await run('services/live-data/test/load_export.py', unpacked, schema)).toMatch(
      /valid: 8 tables, .* CC-BY-4.0\n$/,
    );
  },
  300_000,
);

test('a batch that its stopping rule ends says so in its standings, with intervals that hold at any time', async () => {
  const admin = await adminToken();
  const users = await registerNamed([
    'tight-aggressive',
    'house',
    'pot-odds',
    'tight-aggressive',
    'position-aware',
    'house',
  ]);
  const pair = users.slice(0, 2);
  const rule = { users: pair, margin: 1_000_000 };
  const body = { users_list: users, design: 'balanced', num_rounds: 50, hand_budget: 2000, stop_rule: rule };
  const { batch_id } = expectStatus(await post('/llm/batch-run', body, admin), 200);
  const read = async () => expectStatus(await get(`/llm/batch/${batch_id}`, admin), 200);
  await expect.poll(async () => (await read()).state, { timeout: 170_000, interval: 500 }).toBe('Stopped');
  const { batch_number, stop } = await read();
  expect(stop).toMatchObject({ outdated: false, pairs: [{ users: pair }] });
  expect(stop.pairs[0].course.at(-1).decision).toBe('equivalent');
  const { anytime, notes } = expectStatus(await get(`/live/standings?batch=${batch_number}`, admin), 200);
  expect(anytime).toEqual(stop.players);
  expect(anytime.map((one: { username: string }) => one.username)).toEqual(pair);
  expect(notes.at(-1)).toMatch(
    /^This batch ended by its stopping rule: .* optimistic\. The anytime intervals.* probability of 95 %: /,
  );
  expectStatus(await remove(`/llm/batch/${batch_id}`, admin), 200);
});

test('refuses invalid modes, designs and budgets with a sentence that names them', async () => {
  const admin = await adminToken();
  const users_list = await registerNamed(['house', 'house', 'house', 'house', 'house', 'house']);
  const cases: [object, number, RegExp][] = [
    [{ mode: 'triple' }, 422, /mode/],
    [{ stacks: 'kept' }, 422, /stacks/],
    [{ design: 'some' }, 422, /design/],
    [{ num_rounds: 0 }, 422, /num_rounds/],
    [{ hand_budget: -1 }, 422, /hand_budget/],
    [{ stop_rule: { alpha: 2 } }, 422, /alpha|stop_rule/],
    [{ stop_rule: { users: ['nobody-1', 'nobody-2'] } }, 400, /There is no user nobody-1/],
    [{ stop_rule: {} }, 400, /needs at least \d+ matches of every user, since fewer decide nothing; this batch has 1/],
    [{ stop_rule: {}, mode: 'duplicate' }, 422, /stop_rule: needs the stacks 'carry'/],
    [{ design: 'balanced' }, 400, /needs a budget of hands/],
    [{ hand_budget: 6000 }, 400, /needs the design 'balanced'/],
    [{ design: 'balanced', hand_budget: 5999, mode: 'duplicate' }, 400, /at least 6,000 hands/],
  ];
  for (const [options, status, sentence] of cases) {
    const response = await post('/llm/batch-run', { users_list, ...options }, admin);
    expect(response.status, JSON.stringify([options, response.body])).toBe(status);
    expect(response.body.detail).toMatch(sentence);
  }
  expect((await get('/llm/batch-plan?users=5', admin)).status).toBe(422);
});
