import { expect, test } from 'vitest';
import * as client from './client.ts';

const bots = ['random-legal', 'calling-station', 'tight-aggressive', 'position-aware', 'pressure', 'house'];

const sixPlayers = (names: readonly string[] = bots) => client.registerPlayers(names);

test('plays a six-player match to its end, stores every hand, publishes it and ranks its players', async () => {
  const admin = await client.adminToken();
  const players = await sixPlayers();
  const users_list = players.map((player) => player.username);
  const { job_id, status_code } = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, num_rounds: 120 }, admin),
    200,
  );
  expect(status_code).toBe(200);
  const early = await client.get(`/live/job/${job_id}/download`, admin);
  if (early.status !== 200) expect(early).toMatchObject({ status: 409, body: { reason: 'match-not-finished' } });
  const status = await client.ended(job_id, admin);
  expect(status.job_status, status.error).toBe('Finished');
  const deltas = Object.values(status.result_data as Record<string, number>);
  expect(deltas.reduce((sum, delta) => sum + delta, 0)).toBe(0);
  expect(Object.keys(status.result_data).sort()).toEqual([...users_list].sort());

  const series = client.expectStatus(await client.get(`/live/job/${job_id}/user-performance`, admin), 200);
  for (const [name, values] of Object.entries(series as Record<string, number[]>)) {
    expect(values.length).toBe(status.hands_played);
    expect(values.at(-1)).toBe(status.result_data[name]);
  }
  const page = client.expectStatus(
    await client.get(`/live/job/${job_id}/games/paginated?page=2&page_size=50`, admin),
    200,
  );
  expect(page).toMatchObject({ total_count: status.hands_played, has_previous: true, page: 2 });
  expect(page.games[0].game_uuid).toBe('51');
  expect(
    client.expectStatus(await client.get(`/live/job/${job_id}/games/paginated?page=999`, admin), 200).games,
  ).toEqual([]);

  expect((await client.get(`/live/job/${job_id}/games`)).status).toBe(403);
  client.expectStatus(await client.get(`/live/job/${job_id}/games`, players[0]?.token), 200);
  expect((await client.post(`/admin/toggle-job-public/${job_id}`, undefined, players[0]?.token)).status).toBe(403);
  const published = client.expectStatus(await client.post(`/admin/toggle-job-public/${job_id}`, undefined, admin), 200);
  expect(published).toEqual({ job_id, is_public: true, affected_logs: status.hands_played });
  client.expectStatus(await client.get(`/live/job/${job_id}/games`), 200);
  const listed = client.expectStatus(await client.get('/live/public-job-ids/paginated?page_size=100'), 200);
  expect(listed.jobs.map((job: { job_id: string }) => job.job_id)).toContain(job_id);
  const { seed, commitment } = client.expectStatus(await client.get(`/live/job/${job_id}/seed`), 200);
  const file = client.expectStatus(await client.get(`/live/job/${job_id}/download?format=jsonl`), 200) as string;
  const lines = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({ type: 'manifest', job_id, seed, commitment, hands: status.hands_played });
  expect(lines.at(-1)).toMatchObject({ type: 'end', complete: true, hands: status.hands_played });
  const { games } = client.expectStatus(await client.get(`/live/job/${job_id}/games`), 200);
  const last = client.expectStatus(await client.get(`/live/game/${games.at(-1).game_id}`), 200);
  expect(lines.at(-2)).toEqual({ type: 'hand', hand: games.length, game_data: last.game_data });
  expect([seed.length, commitment.length]).toEqual([64, 64]);

  const applied = client.expectStatus(
    await client.post(`/admin/process-tournament-2025-job/${job_id}`, undefined, admin),
    200,
  );
  expect(applied.created.length + applied.updated.length).toBe(6);
  expect((await client.post(`/admin/process-tournament-2025-job/${job_id}`, undefined, admin)).status).toBe(400);
  expect((await client.remove(`/sim/job/${job_id}`, admin)).status).toBe(409);
  const { top_entries } = client.expectStatus(await client.get('/leaderboard/top/100?tag=2025'), 200);
  for (const name of users_list) {
    const entry = top_entries.find((candidate: { username: string }) => candidate.username === name);
    expect(entry?.score).toBe(status.result_data[name]);
  }
  client.expectStatus(await client.post(`/admin/delete-tournament-2025-job/${job_id}`, undefined, admin), 200);
  expect(client.expectStatus(await client.get(`/admin/2025-job-status/${job_id}`, admin), 200)).toEqual({
    tournaments_2025_added: false,
  });
  client.expectStatus(await client.remove(`/sim/job/${job_id}`, admin), 200);
  expect((await client.get(`/live/job/${job_id}/games`, admin)).status).toBe(404);
});

test('plays a match with faulty bots without effect on the other bots', async () => {
  const admin = await client.adminToken();
  const players = await sixPlayers([
    'science',
    'overwrites-id',
    'type-error-postflop',
    'float-amounts',
    'garbage-answers',
    'exits-os',
  ]);
  const users_list = players.map((player) => player.username);
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, num_rounds: 40 }, admin),
    200,
  );
  const status = await client.ended(job_id, admin);
  expect(status.job_status, status.error).toBe('Finished');
  const deltas = Object.values(status.result_data as Record<string, number>);
  expect(deltas.reduce((sum, delta) => sum + delta, 0)).toBe(0);
  const log = client.expectStatus(await client.get(`/live/job/${job_id}/log/${users_list[2]}`, players[2]?.token), 200);
  expect(log.log).toContain('TypeError');
  const crashed = client.expectStatus(await client.get(`/live/job/${job_id}/log/${users_list[5]}`, admin), 200);
  expect(crashed.verdict).not.toBe('');
});

test('refuses invalid matches with the right status and a one-sentence reason', async () => {
  const admin = await client.adminToken();
  const [first] = await sixPlayers(['calling-station']);
  const without = await client.registerVerified();
  const name = first?.username ?? '';
  const list = (...names: string[]) => ({ users_list: names });
  const cases: [object, number][] = [
    [list(name), 422],
    [list(name, name, name, name, name, name), 400],
    [list(name, without.username, 'admin', 'house', 'x1x', 'y1y'), 400],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), num_rounds: 0 }, 422],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), num_rounds: 1e9 }, 422],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), blind: -5 }, 422],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), blind_multiplier: 0.01 }, 422],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), blind_multiplier: 1.005 }, 422],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), blind: 'ten' }, 422],
    [{ ...list('a', 'b', 'c', 'd', 'e', 'f'), stacks: 'kept' }, 422],
    [{}, 422],
  ];
  for (const [body, status] of cases) {
    const response = await client.post('/sim/async_run_user', body, admin);
    expect(response.status, JSON.stringify([body, response.body])).toBe(status);
    expect(response.body.detail).toBeTypeOf('string');
    expect(JSON.stringify(response.body)).not.toMatch(/ at .*\.ts/);
  }
  expect((await client.post('/sim/async_run_user', list(name), first?.token)).status).toBe(403);
  expect((await client.post('/sim/async_run_user', list(name))).status).toBe(401);
});

test('streams a running match hand by hand and ends the stream with the match', async () => {
  const admin = await client.adminToken();
  const players = await sixPlayers();
  const users_list = players.map((player) => player.username);
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, num_rounds: 200 }, admin),
    200,
  );
  const { origin } = (await import('vitest')).inject('platform');
  const headers = { authorization: `Bearer ${admin}` };
  const response = await fetch(`${origin}/live/job/${job_id}/events`, { headers, signal: AbortSignal.timeout(90_000) });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  let text = '';
  for await (const part of response.body ?? []) {
    text += new TextDecoder().decode(part as Uint8Array);
    if (text.includes('event: end')) break;
  }
  const ids = [...text.matchAll(/id: (\d+):(\d+)\nevent: hand/g)].map((match) => Number(match[2]));
  const status = await client.ended(job_id, admin);
  expect(ids).toEqual(Array.from({ length: status.hands_played }, (_, index) => index + 1));
});

test('lets everybody see a match that is public from the start', async () => {
  const users_list = (await sixPlayers()).map((player) => player.username);
  const match = { users_list, num_rounds: 6, public: true };
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', match, await client.adminToken()),
    200,
  );
  const seen = async () => (await client.get(`/sim/status/${job_id}`)).status;
  expect([200, 403]).toContain(await seen());
  await expect.poll(seen, { timeout: 30_000 }).toBe(200);
  client.expectStatus(await client.remove(`/sim/job/${job_id}`, await client.adminToken()), 200);
});

test('lets admins see the pool and scale it, but not below three runners', async () => {
  const admin = await client.adminToken();
  const { data } = client.expectStatus(await client.get('/docker/pool/status', admin), 200);
  expect(data.target_size).toBe(3);
  for (const [size, status] of [
    ['2', 400],
    ['0', 400],
    ['-3', 400],
    ['1.5', 422],
    ['x', 422],
    ['1000000', 400],
  ] as const) {
    const response = await client.post(`/docker/pool/scale?target_size=${size}`, undefined, admin);
    expect(response.status, size).toBe(status);
  }
  const { job_id } = client.expectStatus(await client.post('/docker/pool/scale?target_size=4', undefined, admin), 200);
  const sizes = async () => {
    const pool = client.expectStatus(await client.get('/docker/pool/status', admin), 200).data;
    const { pool_size, idle_containers, acquired_containers, active_containers } = pool;
    // Sums of states, because other test files play matches and kill runners meanwhile.
    return [pool_size, idle_containers + acquired_containers + active_containers];
  };
  const sized = (size: number) => expect.poll(sizes, { timeout: 30_000 }).toEqual([size, size]);
  await sized(4);
  const jobs = client.expectStatus(await client.get('/admin/scaling-jobs', admin), 200);
  expect(jobs.map((job: { id: string }) => job.id)).toContain(job_id);
  client.expectStatus(await client.post('/docker/pool/scale?target_size=3', undefined, admin), 200);
  await sized(3);
  // Two admins at once: the later size applies, and the earlier job reports that it was superseded.
  const both = await Promise.all(
    [5, 4].map((size) => client.post(`/docker/pool/scale?target_size=${size}`, undefined, admin)),
  );
  const ids = both.map((response) => client.expectStatus(response, 200).job_id);
  const changes = client.expectStatus(await client.get('/admin/scaling-jobs?page_size=2', admin), 200);
  expect(changes.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  expect(changes[1]).toMatchObject({
    status: 'Failed',
    error_message: `Superseded by a newer change to ${changes[0].target_size} runners.`,
  });
  await sized(changes[0].target_size);
  client.expectStatus(await client.post('/docker/pool/scale?target_size=3', undefined, admin), 200);
  await sized(3);
  const { idle_containers, active_containers } = client.expectStatus(
    await client.get('/docker/pool/detailed', admin),
    200,
  ).data;
  const [{ port, sandbox }] = [...idle_containers, ...active_containers];
  expect(sandbox).toEqual({
    means: expect.arrayContaining(['seccomp', 'landlock']),
    missing: [],
    lacking: expect.any(Array),
  });
  const log = client.expectStatus(await client.get(`/docker/game-log/${port}`, admin), 200);
  expect(log.log_content).toBeTypeOf('string');
  expect((await client.get('/docker/game-log/1', admin)).status).toBe(404);
});
