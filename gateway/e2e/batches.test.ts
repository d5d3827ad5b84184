import { expect, test } from 'vitest';
import * as client from './client.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'pot-odds'];

const createUsers = (count: number) =>
  client.registerNamed(Array.from({ length: count }, (_, index) => bots[index % bots.length] ?? 'house'));

type Counts = Record<'PENDING' | 'RUNNING' | 'FINISHED' | 'FAILED' | 'DELETED', number>;

async function ended(batchId: string, admin: string, limitMs = 170_000): Promise<Counts> {
  const until = Date.now() + limitMs;
  for (;;) {
    const batch = client.expectStatus(await client.get(`/llm/batch/${batchId}`, admin), 200);
    const counts = batch.job_statuses as Counts;
    if (batch.generated_jobs === batch.total_jobs && counts.PENDING + counts.RUNNING === 0) return counts;
    if (Date.now() > until) throw new Error(`batch ${batchId} has not ended: ${JSON.stringify(counts)}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function standing(): Promise<Map<string, number>> {
  const { top_entries } = client.expectStatus(await client.get('/leaderboard/top/1000?tag=llm-batch'), 200);
  return new Map(top_entries.map((entry: { username: string; score: number }) => [entry.username, entry.score]));
}

async function readAuditActions(batchId: string, admin: string): Promise<string[]> {
  const { records } = client.expectStatus(
    await client.get(`/admin/audit?subject=${batchId}&page_size=100`, admin),
    200,
  );
  return records.map((record: { action: string }) => record.action);
}

test('plays a batch and publishes, removes and republishes it, once under two concurrent calls', async () => {
  const admin = await client.adminToken();
  const users = await createUsers(6);
  const { batch_id, total_jobs } = client.expectStatus(await client.post('/llm/batch-run', users, admin), 200);
  expect(total_jobs).toBe(1);
  const path = `/llm/batch/${batch_id}`;
  client.expectStatus(await client.post(`${path}/metadata`, { batch_number: 7007, note: 'of a test' }, admin), 200);
  const counts = await ended(batch_id, admin);
  expect(counts).toEqual({ PENDING: 0, RUNNING: 0, FINISHED: 1, FAILED: 0, DELETED: 0 });

  const listed = client
    .expectStatus(await client.get('/llm/batches', admin), 200)
    .batches.find((batch: { batch_id: string }) => batch.batch_id === batch_id);
  expect(listed).toMatchObject({
    total_jobs: 1,
    job_statuses: counts,
    is_public: false,
    on_leaderboard: false,
    batch_number: 7007,
  });
  const { jobs } = client.expectStatus(await client.get(`${path}/jobs?page_size=5`, admin), 200);
  expect(jobs[0].users_to_run.sort()).toEqual([...users].sort());
  expect(listed.jobs[0].job_id).toBe(jobs[0].job_id);
  const results = jobs[0].result_data as Record<string, number>;

  expect(client.expectStatus(await client.get(`${path}/arena-status`, admin), 200).all_added).toBe(false);
  const both = await Promise.all([
    client.post(`/llm/process-batch/${batch_id}`, undefined, admin),
    client.post(`/llm/process-batch/${batch_id}`, undefined, admin),
  ]);
  expect(both.map((response) => client.expectStatus(response, 200).jobs_added_now).sort()).toEqual([0, 1]);
  expect(client.expectStatus(await client.get(`${path}/arena-status`, admin), 200).all_added).toBe(true);
  let entries = await standing();
  for (const user of users) expect(entries.get(user)).toBe(results[user]);

  expect((await client.remove(path, admin)).status).toBe(409);
  expect((await client.remove(`/sim/job/${jobs[0].job_id}`, admin)).status).toBe(409);
  const removed = client.expectStatus(
    await client.post(`/llm/delete-batch-leaderboard/${batch_id}`, undefined, admin),
    200,
  );
  expect(removed).toMatchObject({ jobs_removed: 1, entries_removed: 6, skipped: [] });
  entries = await standing();
  for (const user of users) expect(entries.has(user)).toBe(false);
  client.expectStatus(await client.post(`/llm/process-batch/${batch_id}`, undefined, admin), 200);
  entries = await standing();
  for (const user of users) expect(entries.get(user)).toBe(results[user]);

  const publicGames = `/live/job/${jobs[0].job_id}/games`;
  const listed7007 = async () =>
    client
      .expectStatus(await client.get('/live/public-job-ids/paginated?batch=7007'), 200)
      .jobs.map((job: client.Body) => job.job_id);
  const shared = async () =>
    client.expectStatus(await client.get(`/players/${users[0]}/versus/${users[1]}`), 200).matches;
  expect([(await client.get('/batches/7007')).status, await listed7007(), await shared()]).toEqual([404, [], 0]);
  expect(client.expectStatus(await client.get('/batches/7007', admin), 200)).toMatchObject({
    batch_id,
    is_public: false,
    matches: 1,
  });
  expect((await client.get(publicGames)).status).toBe(403);
  expect((await client.get(`${path}/metadata`)).status).toBe(403);
  const published = client.expectStatus(await client.post(`${path}/public`, undefined, admin), 200);
  expect(published).toMatchObject({ is_public: true, affected_jobs: 1 });
  const { games } = client.expectStatus(await client.get(publicGames), 200);
  const shown7007 = client.expectStatus(await client.get('/batches/7007'), 200);
  expect(shown7007).toMatchObject({ batch_id, is_public: true, matches: 1, job_statuses: counts, points: [0, 1] });
  for (const { username, delta, curve, won_from: wonFrom } of shown7007.standings) {
    expect([delta, curve, wonFrom.reduce((sum: number, chips: number) => sum + chips, 0)], username).toEqual([
      results[username],
      [0, results[username]],
      results[username],
    ]);
  }
  expect([await listed7007(), await shared()]).toEqual([[jobs[0].job_id], 1]);
  const metadata = client.expectStatus(await client.get(`${path}/metadata`), 200);
  expect(metadata).toMatchObject({ batch_id, batch_metadata: { batch_number: 7007, note: 'of a test' } });
  const order = client.expectStatus(await client.get(`/llm/game-log/${games[0].game_id}/batch-order`), 200);
  expect(order).toMatchObject({ batch_order: 7007, batch_id, game_number: 1 });
  expect(order.total_batches).toBeGreaterThan(0);
  for (const list of ['/live/public-job-ids', '/live/public-job-ids/paginated?page_size=1000', '/live/job-ids']) {
    const shown = client
      .expectStatus(await client.get(list, admin), 200)
      .jobs.find((job: { batch_id: string }) => job.batch_id === batch_id);
    expect(shown, list).toMatchObject({ batch_number: 7007, game_number: 1 });
  }
  expect(client.expectStatus(await client.get(`/sim/status/${jobs[0].job_id}`), 200).batch_number).toBe(7007);
  client.expectStatus(await client.post(`${path}/metadata`, { batch_number: 7008 }, admin), 200);
  for (const accept of ['application/json', 'text/html']) {
    const moved = await client.call('GET', '/batches/7007', { headers: { accept } });
    expect([moved.status, moved.headers.get('location')], accept).toEqual([307, '/batches/7008']);
  }
  expect([(await client.get('/batches/7008')).status, await listed7007()]).toEqual([200, [jobs[0].job_id]]);
  client.expectStatus(await client.post(`${path}/public`, { public: false }, admin), 200);
  expect((await client.get(publicGames)).status).toBe(403);
  expect([(await client.get('/batches/7007')).status, await listed7007(), await shared()]).toEqual([404, [], 0]);
  const lost = await client.post(`${path}/metadata?expected_metadata_id=long-ago`, { a: 1 }, admin);
  expect(lost.status).toBe(409);

  client.expectStatus(await client.post(`/llm/delete-batch-leaderboard/${batch_id}`, undefined, admin), 200);
  expect(client.expectStatus(await client.remove(path, admin), 200)).toMatchObject({
    jobs_deleted: 1,
    jobs_finished: 1,
  });
  expect((await client.get(path, admin)).status).toBe(404);

  const expected = [
    'batch.deleted',
    'batch.removed_from_leaderboard',
    'batch.visibility_changed',
    'batch.visibility_changed',
    'batch.added_to_leaderboard',
    'batch.removed_from_leaderboard',
    'batch.added_to_leaderboard',
    'batch.metadata_saved',
    'batch.metadata_saved',
    'batch.created',
  ];
  const actions = async () => (await readAuditActions(batch_id, admin)).sort();
  await expect.poll(actions, { timeout: 10_000 }).toEqual(expected.sort());
});

test('pauses, resumes, cancels and retries a batch', async () => {
  const admin = await client.adminToken();
  const users = await createUsers(7);
  const { batch_id, total_jobs } = client.expectStatus(
    await client.post('/llm/batch-run', { users_list: users }, admin),
    200,
  );
  expect(total_jobs).toBe(7);
  const path = `/llm/batch/${batch_id}`;
  expect(client.expectStatus(await client.post(`${path}/pause`, undefined, admin), 200).paused).toBe(true);
  expect(client.expectStatus(await client.post(`${path}/resume`, undefined, admin), 200).paused).toBe(false);
  const cancelled = client.expectStatus(await client.post(`${path}/cancel`, undefined, admin), 200);
  expect(cancelled.state).toBe('Cancelled');
  expect(cancelled.job_statuses.PENDING + cancelled.job_statuses.RUNNING).toBe(0);
  const retried = client.expectStatus(await client.post(`${path}/retry`, undefined, admin), 200);
  expect(retried.job_statuses.FAILED).toBe(0);
  // Matches are created in the background. A batch that is cancelled before has no failed match.
  await expect.poll(async () => (await client.get(path, admin)).body.generated_jobs).toBe(7);
  client.expectStatus(await client.post(`${path}/cancel`, undefined, admin), 200);
  const failed = client.expectStatus(await client.get(`${path}/jobs?status=Failed`, admin), 200);
  expect(failed.total_count).toBeGreaterThan(0);
  expect(failed.jobs[0].error_message).toContain('cancelled');
  client.expectStatus(await client.remove(path, admin), 200);
});

test('refuses invalid batches with the right status and one sentence, and changes nothing', async () => {
  const admin = await client.adminToken();
  const someone = await client.registerVerified();
  const unknown = ['nobody-1', 'nobody-2', 'nobody-3', 'nobody-4', 'nobody-5', 'nobody-6'];
  const cases: [unknown, number][] = [
    [unknown.slice(0, 5), 422],
    [{ users_list: unknown.slice(0, 5) }, 422],
    [Array.from({ length: 21 }, (_, index) => `user-${index}`), 422],
    [{}, 422],
    ['nobody', 422],
    [[1, 2, 3, 4, 5, 6], 422],
    [unknown, 400],
    [Array.from({ length: 6 }, () => someone.username), 400],
    [[someone.username, 'admin', ...unknown.slice(0, 4)], 400],
  ];
  for (const [body, status] of cases) {
    const response = await client.post('/llm/batch-run', body, admin);
    expect(response.status, JSON.stringify([body, response.body])).toBe(status);
    expect(response.body.detail).toBeTypeOf('string');
  }
  const { batches } = client.expectStatus(await client.get('/llm/batches', admin), 200);
  expect(batches.filter(({ users }: { users: string[] }) => users.includes(someone.username))).toEqual([]);
  const missing = '/llm/batch/00000000-0000-8000-8000-00000000dead';
  for (const id of ['00000000-0000-8000-8000-00000000dead', 'no-id']) {
    for (const path of ['arena-status', 'jobs', 'metadata']) {
      expect((await client.get(`/llm/batch/${id}/${path}`, admin)).status, path).toBe(404);
    }
    for (const path of ['pause', 'resume', 'cancel', 'retry', 'public']) {
      expect((await client.post(`/llm/batch/${id}/${path}`, undefined, admin)).status, path).toBe(404);
    }
    expect((await client.post(`/llm/process-batch/${id}`, undefined, admin)).status).toBe(404);
    expect((await client.post(`/llm/delete-batch-leaderboard/${id}`, undefined, admin)).status).toBe(404);
    expect((await client.remove(`/llm/batch/${id}`, admin)).status).toBe(404);
  }
  for (const [body, status] of [
    [[1], 422],
    ['text', 422],
    [null, 422],
    [{ long: 'x'.repeat(70_000) }, 413],
  ] as const) {
    expect((await client.post(`${missing}/metadata`, body, admin)).status).toBe(status);
  }
});

test('refuses callers who are not admins on every admin call of the OpenAPI description', async () => {
  const { token } = await client.registerVerified();
  const { paths } = client.expectStatus(await client.get('/openapi.json'), 200) as {
    paths: Record<string, Record<string, { 'x-access': string }>>;
  };
  let checked = 0;
  for (const [template, operations] of Object.entries(paths)) {
    const path = template.replaceAll(/\{\w+\}/g, '7');
    for (const [method, operation] of Object.entries(operations)) {
      if (operation['x-access'] !== 'admin') continue;
      const send = (bearer?: string) => {
        if (method === 'get') return client.get(path, bearer);
        return method === 'post' ? client.post(path, {}, bearer) : client.remove(path, bearer);
      };
      expect((await send(token)).status, `${method} ${path}`).toBe(403);
      expect((await send()).status, `${method} ${path}`).toBe(401);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(30);
});

test('returns 404 for a batch that is no number, and for an unknown or deleted player', async () => {
  for (const number of ['0', '-1', 'x', '1e3', '9999999999', '987654321']) {
    expect((await client.get(`/batches/${number}`)).status, number).toBe(404);
  }
  const [first, second] = [
    await client.registerVerified(client.uniqueName('ann')),
    await client.registerVerified(client.uniqueName('ben')),
  ];
  const player = client.expectStatus(await client.get(`/players/${first.username.toUpperCase()}`), 200);
  expect(player).toMatchObject({ username: first.username, matches: 0, points: [0], standings: [{ delta: 0 }] });
  expect((await client.get(`/players/${first.username}/versus/${first.username}`)).status).toBe(400);
  expect((await client.get(`/players/${first.username}/versus/${client.uniqueName('nobody')}`)).status).toBe(404);
  client.expectStatus(await client.remove(`/admin/user/${second.username}`, await client.adminToken()), 200);
  expect((await client.get(`/players/${second.username}`)).status).toBe(404);
  expect((await client.get(`/players/${first.username}/versus/${second.username}`)).status).toBe(404);
  const versions = `/players/${first.username}/versions`;
  expect(client.expectStatus(await client.get(versions, first.token), 200).versions).toEqual([]);
  expect((await client.get(versions)).status).toBe(401);
  expect((await client.get(versions, (await client.registerVerified(client.uniqueName('eve'))).token)).status).toBe(
    403,
  );
  expect((await client.get('/live/public-job-ids/paginated?batch=seven')).status).toBe(422);
});
