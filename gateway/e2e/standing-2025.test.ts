import { expect, test } from 'vitest';
import * as client from './client.ts';

test('neither offers nor accepts a test run against the house bot for the 2025 leaderboard', async () => {
  const admin = await client.adminToken();
  const user = await client.registerVerified(client.uniqueName('tester'));
  const form = client.uploadForm(client.testRunFields, client.botFiles('calling-station').player);
  const { job_id } = client.expectStatus(await client.call('POST', '/sim/async_run', { form, token: user.token }), 200);
  expect((await client.ended(job_id, admin)).job_status).toBe('Finished');

  const response = await client.post(`/admin/process-tournament-2025-job/${job_id}`, undefined, admin);
  expect([response.status, response.body.detail]).toEqual([
    400,
    'A test run against the house bot cannot be added to the 2025 leaderboard',
  ]);
  const entries = client.expectStatus(await client.get(`/leaderboard/user/${user.username}`, user.token), 200);
  expect(entries).toMatchObject({ entries: [], total_count: 0 });
  const [job] = client.expectStatus(await client.get(`/admin/jobs?q=${job_id}`, admin), 200);
  expect(job).toMatchObject({ job_id, kind: 'test', tournaments_2025_allowed: false, tournaments_2025_added: false });
  const { jobs } = client.expectStatus(await client.get(`/live/job-ids?q=${job_id}`, admin), 200);
  expect(jobs).toMatchObject([{ job_id, tournaments_2025_allowed: false }]);
});
