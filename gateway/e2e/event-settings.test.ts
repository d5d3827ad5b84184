// The event's settings through the gateway: freeze, tournament window, banner, quotas, concurrent admins.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import * as client from './client.ts';
import { startPlatform } from './platform.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'house'];
const settings = async (): Promise<client.Body> =>
  client.expectStatus(await client.get('/admin/settings', await client.adminToken()), 200);
const change = async (body: object) => client.post('/admin/settings', body, await client.adminToken());
const appConfig = async (): Promise<client.Body> => client.expectStatus(await client.get('/app-config.json'), 200);
const eventually = (look: () => Promise<void>) => vi.waitFor(look, { timeout: 10_000, interval: 50 });

const upload = (token: string) =>
  client.call('POST', '/submission/upload', {
    form: client.uploadForm(client.submissionFields, client.botFiles('calling-station').player),
    token,
  });
const testRun = (token: string) =>
  client.call('POST', '/sim/async_run', {
    form: client.uploadForm(client.testRunFields, client.botFiles('calling-station').player),
    token,
  });

let stop: (() => Promise<void>) | undefined;
// Uses its own platform: a freeze would disturb the other test files.
beforeAll(async () => {
  const started = await startPlatform();
  stop = started.stop;
  client.usePlatform(started.platform);
});
afterAll(() => stop?.());

afterEach(async () => {
  const standard = { max_test_runs: 3, max_test_runs_a_day: 200, max_submissions: 5, max_uploads_a_day: 100 };
  client.expectStatus(await change({ frozen: false, banner: '', ...standard }), 200);
});

const sixPlayers = () => client.registerPlayers(bots);

test('shows the banner of the development phase until an admin changes it', async () => {
  const banner = 'This test phase is the development phase. The official start is in July 2025.';
  expect((await appConfig()).banner).toBe(banner);
  client.expectStatus(await change({ banner: '' }), 200);
  await eventually(async () => expect(await appConfig()).not.toHaveProperty('banner'));
});

test('records a change of the banner in the audit log and its export', async () => {
  const admin = await client.adminToken();
  const before = client.expectStatus(await client.get('/admin/settings', admin), 200);
  expect(before).toMatchObject({ tournament_start: '2025-07-12T07:00:00.000Z', max_test_runs: 3, frozen: false });
  const set = await client.post('/admin/settings', { banner: 'Back at noon.' }, admin);
  const saved = client.expectStatus(set, 200);
  const late = { banner: 'late', expected_version: before.version };
  expect((await client.post('/admin/settings', late, admin)).status).toBe(409);
  expect((await client.post('/admin/settings', { max_test_runs: 0 }, admin)).status).toBe(422);
  expect((await client.post('/admin/settings', { tournament_end: 'never' }, admin)).status).toBe(400);
  const shown = { banner: 'Back at noon.', tournament: { start: saved.tournament_start } };
  await eventually(async () => expect(await appConfig()).toMatchObject(shown));
  client.expectStatus(await client.post('/admin/settings', { banner: '' }, admin), 200);
  let records: { action: string; actor: string; request_id: string; after: { banner: string } }[] = [];
  const banners = async () => {
    records = client.expectStatus(
      await client.get('/admin/audit?action=settings.changed&actor=admin', admin),
      200,
    ).records;
    return records.map((record) => record.after.banner).slice(0, 2);
  };
  await expect.poll(banners, { timeout: 10_000 }).toEqual(['', 'Back at noon.']);
  expect(records[1]).toMatchObject({ actor: 'admin', request_id: set.headers.get('x-request-id') });
  const { origin } = client.platform();
  const headers = { authorization: `Bearer ${admin}` };
  const csv = await fetch(`${origin}/admin/audit/export?action=settings.changed`, { headers });
  expect(csv.headers.get('content-type')).toContain('text/csv');
  expect((await csv.text()).trim().split('\r\n').length).toBeGreaterThanOrEqual(3);
  const lines = await fetch(`${origin}/admin/audit/export?format=jsonl&q=settings`, { headers });
  for (const line of (await lines.text()).trim().split('\n')) {
    expect(JSON.parse(line)).toMatchObject({ action: 'settings.changed' });
  }
});

test('shows the rules of retention and what they removed, and refuses a mistyped number of days', async () => {
  const admin = await client.adminToken();
  const before = client.expectStatus(await client.get('/admin/settings', admin), 200);
  expect(before).toMatchObject({ keep_test_runs_days: 0, keep_logs_days: 0 });
  const refused = await client.post('/admin/settings', { keep_test_runs_days: 3 }, admin);
  expect(client.expectStatus(refused, 400).detail).toBe('Data is kept for 7 to 3,650 days, or for ever (0).');
  expect(
    client.expectStatus(await client.post('/admin/settings', { keep_logs_days: 365 }, admin), 200).keep_logs_days,
  ).toBe(365);
  client.expectStatus(await client.post('/admin/settings', { keep_logs_days: 0 }, admin), 200);
  const nothing = { test_runs: 0, log_matches: 0, hands: 0, bytes: 0 };
  expect(client.expectStatus(await client.get('/admin/retention', admin), 200)).toEqual({
    last_run: null,
    total: nothing,
  });
  expect((await client.get('/admin/retention')).status).toBe(401);
});

test('shows the board of the settings on the home page if it has entries, otherwise the newest board', async () => {
  const admin = await client.adminToken();
  const user = await client.registerVerified(client.uniqueName('board'));
  const board = async () => client.expectStatus(await client.get('/leaderboard/board'), 200);
  expect(await board()).toMatchObject({ tag: '2025', from_matches: true, rows: [], total_count: 0, boards: [] });
  const add = (tag: string) => client.post('/leaderboard/add', { username: user.username, score: 1, tag }, admin);
  for (const tag of ['first', 'second']) client.expectStatus(await add(tag), 201);
  expect(await board()).toMatchObject({ tag: 'second', boards: ['second', 'first'] });
  client.expectStatus(await change({ home_board: 'first' }), 200);
  await eventually(async () => expect(await board()).toMatchObject({ tag: 'first', total_count: 1 }));
  client.expectStatus(await change({ home_board: ' ' }), 200);
  await eventually(async () => expect(await board()).toMatchObject({ tag: 'second' }));
});

test('refuses uploads, final marks, test runs, matches and batches during a freeze, finishes running matches, and lifts it', async () => {
  const admin = await client.adminToken();
  const players = await sixPlayers();
  const [first] = players;
  if (!first) throw new Error('no players');
  const users_list = players.map(({ username }) => username);
  const match = () => client.post('/sim/async_run_user', { users_list, num_rounds: 150 }, admin);
  const { job_id } = client.expectStatus(await match(), 200);
  client.expectStatus(await change({ frozen: true }), 200);

  const submissionsFrozen = 'Submissions are frozen by the organisers.';
  await eventually(async () => {
    expect((await upload(first.token)).body).toMatchObject({ detail: submissionsFrozen, reason: 'frozen' });
  });
  const matchesFrozen = 'New matches are frozen by the organisers.';
  const calls: readonly [() => ReturnType<typeof client.post>, string][] = [
    [() => upload(first.token), submissionsFrozen],
    [() => upload(admin), submissionsFrozen],
    [() => client.post('/submission/mark_final', { submission_id: first.submission }, first.token), submissionsFrozen],
    [() => testRun(first.token), matchesFrozen],
    [() => testRun(admin), matchesFrozen],
    [match, matchesFrozen],
    [() => client.post('/llm/batch-run', { users_list }, admin), matchesFrozen],
  ];
  const before = client.expectStatus(await client.get('/admin/jobs?page_size=1000', admin), 200).length;
  for (const [attempt, detail] of calls) {
    const response = await attempt();
    expect(response.status, JSON.stringify(response.body)).toBe(400);
    expect(response.body).toMatchObject({ detail, reason: 'frozen' });
  }
  expect(client.expectStatus(await client.get('/admin/jobs?page_size=1000', admin), 200)).toHaveLength(before);
  await eventually(async () => expect((await appConfig()).frozen).toBe(true));

  const status = await client.ended(job_id, admin);
  expect(status.job_status, status.error).toBe('Finished');

  client.expectStatus(await change({ frozen: false }), 200);
  await eventually(async () => void client.expectStatus(await upload(first.token), 200));
  const { job_id: second } = client.expectStatus(await testRun(first.token), 200);
  expect((await client.ended(second, first.token)).job_status).toBe('Finished');
  await eventually(async () => expect((await appConfig()).frozen).toBe(false));
});

test('publishes the banner and the tournament window in app-config.json, and refuses invalid settings', async () => {
  const banner = 'Maintenance at noon: <b>matches</b> wait.';
  const window = { tournament_start: '2026-12-01T00:00:00-08:00', tournament_end: '2026-12-10T23:59:59-08:00' };
  const saved = client.expectStatus(await change({ banner, ...window }), 200);
  expect(saved.banner).toBe(banner);
  await eventually(async () => {
    expect(await appConfig()).toMatchObject({
      banner,
      frozen: false,
      tournament: { start: '2026-12-01T08:00:00.000Z', end: '2026-12-11T07:59:59.000Z' },
    });
  });
  for (const [body, status] of [
    [{ tournament_start: 'tomorrow' }, 400],
    [{ tournament_start: '2027-01-01T00:00:00Z' }, 400],
    [{ tournament_end: '2026-12-01T00:00:00' }, 400],
    [{ banner: 'x'.repeat(501) }, 422],
    [{ frozen: 'yes' }, 422],
    [{ max_submissions: 0 }, 422],
    [{ max_uploads_a_day: 1.5 }, 422],
    [{ max_test_runs_a_day: -1 }, 422],
  ] as const) {
    expect((await change(body)).status, JSON.stringify(body)).toBe(status);
  }
  expect(await settings()).toEqual(saved);
});

test('refuses one of two concurrent changes of the settings', async () => {
  const { version } = await settings();
  const responses = await Promise.all(['one', 'two'].map((banner) => change({ banner, expected_version: version })));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const winner = responses.find(({ status }) => status === 200)?.body;
  expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
    reason: 'settings-changed',
    detail: 'Somebody else has changed the settings since you opened them. Reload them first.',
  });
  expect(await settings()).toMatchObject({ version: version + 1, banner: winner.banner, updated_by: 'admin' });
});

test('enforces quotas of the event and of one user, and reports when a refused user can try again', async () => {
  const admin = await client.adminToken();
  const user = await client.registerVerified(client.uniqueName('limited'));
  client.expectStatus(await change({ max_submissions: 2 }), 200);
  for (let time = 0; time < 2; time++) client.expectStatus(await upload(user.token), 200);
  await eventually(async () => {
    const third = await upload(user.token);
    // The setting has not arrived yet.
    if (third.status === 200)
      client.expectStatus(await client.remove(`/submission/${third.body.submission_id}`, user.token), 200);
    expect(third.status).toBe(400);
  });
  const refused = await upload(user.token);
  expect(refused.body).toMatchObject({ detail: 'You can keep at most 2 submissions. Delete one first.' });

  const path = `/admin/quota/${user.username}`;
  const quota = client.expectStatus(await client.get(path, admin), 200);
  expect(quota).toMatchObject({
    username: user.username,
    version: 0,
    updated_by: null,
    own: { max_test_runs: null, max_submissions: null, max_trial_hands_a_day: null },
    effective: { max_test_runs: 3, max_submissions: 2, max_uploads_a_day: 100, max_trial_hands_a_day: 300_000 },
  });
  const set = (body: object) => client.post(path, body, admin);
  const both = await Promise.all([
    set({ max_submissions: 3, max_test_runs_a_day: 1, expected_version: 0 }),
    set({ max_submissions: 3, max_test_runs_a_day: 1, expected_version: 0 }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  await eventually(async () => void client.expectStatus(await upload(user.token), 200));
  expect((await upload(user.token)).body.detail).toBe('You can keep at most 3 submissions. Delete one first.');

  const { job_id } = client.expectStatus(await testRun(user.token), 200);
  client.expectStatus(await client.remove(`/sim/job/${job_id}`, user.token), 200);
  const late = await testRun(user.token);
  expect(late.status).toBe(429);
  expect(late.body.detail).toMatch(
    /^You have used your one test run of 24 hours\. The next one can start at \d\d:\d\d UTC on \d{4}-\d\d-\d\d\.$/,
  );
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(86_000);

  for (const [body, status] of [
    [{ max_submissions: -1 }, 422],
    [{ max_submissions: 101 }, 422],
    [{ max_test_runs: 'many' }, 422],
  ] as const) {
    expect((await set(body)).status, JSON.stringify(body)).toBe(status);
  }
  expect((await client.get(`/admin/quota/${client.uniqueName('nobody')}`, admin)).status).toBe(404);
  expect((await client.post(path, { max_submissions: 100 }, user.token)).status).toBe(403);

  const { records } = client.expectStatus(
    await client.get(`/admin/audit?subject=${user.username}&action=user.quota_changed`, admin),
    200,
  );
  expect(records).toHaveLength(1);
  expect(records[0]).toMatchObject({ actor: 'admin', subject: user.username, after: { max_submissions: 3 } });
});

test('names users beside their ids in the audit log and its exports, deleted users by their tombstone', async () => {
  const admin = await client.adminToken();
  const players = await sixPlayers();
  const users_list = players.map(({ username }) => username);
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, num_rounds: 6 }, admin),
    200,
  );
  await client.ended(job_id, admin);
  const leaver = players[0]?.username ?? '';
  client.expectStatus(await client.remove(`/admin/user/${leaver}`, admin), 200);
  const names = async (): Promise<string[]> => {
    const { records } = client.expectStatus(
      await client.get(`/admin/audit?subject=${job_id}&action=job.created`, admin),
      200,
    );
    expect(records[0]).toMatchObject({ actor: 'admin', subject_id: job_id });
    expect(records[0]?.actor_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(Object.keys(records[0]?.names ?? {}).sort()).toEqual([...records[0].after.user_ids].sort());
    return Object.values(records[0]?.names ?? {});
  };
  await eventually(async () => {
    const shown = await names();
    expect(shown).not.toContain(leaver);
    for (const name of users_list.slice(1)) expect(shown).toContain(name);
    expect(shown.filter((name) => name.startsWith('deleted-'))).toHaveLength(1);
  });
  const { body: csv } = await client.get(`/admin/audit/export?subject=${job_id}`, admin);
  expect(csv.split('\r\n')[0]).toContain('actor,actor_id');
  expect(csv).toContain(users_list[1]);
  expect(csv).toContain('deleted-');
  const { body: lines } = await client.get(`/admin/audit/export?subject=${job_id}&format=jsonl`, admin);
  const exported = typeof lines === 'string' ? lines : JSON.stringify(lines);
  expect(exported).toContain(users_list[1]);
});
