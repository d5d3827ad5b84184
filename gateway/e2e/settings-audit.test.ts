import { expect, inject, test } from 'vitest';
import { adminToken, expectStatus, get, post } from './client.ts';

// event-settings.test.ts tests the freeze on its own platform, because here it would disturb the other test files.
test('records a change of the banner in the audit log and its export', async () => {
  const admin = await adminToken();
  const before = expectStatus(await get('/admin/settings', admin), 200);
  expect(before).toMatchObject({ tournament_start: '2025-07-12T07:00:00.000Z', max_test_runs: 3, frozen: false });
  const set = await post('/admin/settings', { banner: 'Back at noon.' }, admin);
  const saved = expectStatus(set, 200);
  const late = { banner: 'late', expected_version: before.version };
  expect((await post('/admin/settings', late, admin)).status).toBe(409);
  expect((await post('/admin/settings', { max_test_runs: 0 }, admin)).status).toBe(422);
  expect((await post('/admin/settings', { tournament_end: 'never' }, admin)).status).toBe(400);
  const config = expectStatus(await get('/app-config.json'), 200);
  expect(config).toMatchObject({ banner: 'Back at noon.', tournament: { start: saved.tournament_start } });
  expectStatus(await post('/admin/settings', { banner: '' }, admin), 200);
  let records: { action: string; actor: string; request_id: string; after: { banner: string } }[] = [];
  const banners = async () => {
    records = expectStatus(await get('/admin/audit?action=settings.changed&actor=admin', admin), 200).records;
    return records.map((record) => record.after.banner).slice(0, 2);
  };
  await expect.poll(banners, { timeout: 10_000 }).toEqual(['', 'Back at noon.']);
  expect(records[1]).toMatchObject({ actor: 'admin', request_id: set.headers.get('x-request-id') });
  const { origin } = inject('platform');
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
  const admin = await adminToken();
  const before = expectStatus(await get('/admin/settings', admin), 200);
  expect(before).toMatchObject({ keep_test_runs_days: 0, keep_logs_days: 0 });
  const refused = await post('/admin/settings', { keep_test_runs_days: 3 }, admin);
  expect(expectStatus(refused, 400).detail).toBe('Data is kept for 7 to 3,650 days, or for ever (0).');
  expect(expectStatus(await post('/admin/settings', { keep_logs_days: 365 }, admin), 200).keep_logs_days).toBe(365);
  expectStatus(await post('/admin/settings', { keep_logs_days: 0 }, admin), 200);
  const nothing = { test_runs: 0, log_matches: 0, hands: 0, bytes: 0 };
  expect(expectStatus(await get('/admin/retention', admin), 200)).toEqual({ last_run: null, total: nothing });
  expect((await get('/admin/retention')).status).toBe(401);
});

test('accepts one of two concurrent changes of the settings and refuses the other with a reason', async () => {
  const admin = await adminToken();
  const { version } = expectStatus(await get('/admin/settings', admin), 200);
  const save = (banner: string) => post('/admin/settings', { banner, expected_version: version }, admin);
  const responses = await Promise.all([save('Back at one.'), save('Back at two.')]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [won, lost] = responses[0].status === 200 ? responses : [responses[1], responses[0]];
  expect(lost.body.detail).toBe('Somebody else has changed the settings since you opened them. Reload them first.');
  const saved = expectStatus(await get('/admin/settings', admin), 200);
  expect(saved).toMatchObject({ banner: won.body.banner, version: version + 1, updated_by: 'admin' });
  expectStatus(await post('/admin/settings', { banner: '' }, admin), 200);
});
