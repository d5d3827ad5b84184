import { expect, test } from 'vitest';
import * as client from './client.ts';

const { player } = client.botFiles('calling-station');

async function upload(token: string, form: FormData) {
  return client.call('POST', '/submission/upload', { form, token });
}

test('keeps at most five submissions, one of them final, and shows files to their owner only', async () => {
  const owner = await client.registerVerified();
  const other = await client.registerVerified();
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    const form = client.uploadForm(client.submissionFields, `${player}\n# ${index}\n`);
    const body = client.expectStatus(await upload(owner.token, form), 200);
    expect(body.status_code).toBe(200);
    ids.push(body.submission_id);
  }
  const sixth = await upload(owner.token, client.uploadForm(client.testRunFields, player));
  expect(sixth.status).toBe(400);
  expect(sixth.body).toMatchObject({ status_code: 400, error: sixth.body.detail });

  client.expectStatus(await client.post('/submission/mark_final', { submission_id: ids[0] }, owner.token), 200);
  client.expectStatus(await client.post('/submission/mark_final', { submission_id: ids[1] }, owner.token), 200);
  const listed = client.expectStatus(await client.get('/submission/list', owner.token), 200);
  // Only the owner and admins see the count on a profile.
  const submissions = { count: 5, last_created_at: listed.files[0].created_at };
  expect(client.expectStatus(await client.get('/profile', owner.token), 200).submissions).toEqual(submissions);
  const profile = `/profile/${owner.username.toUpperCase()}`;
  expect(client.expectStatus(await client.get(profile, await client.adminToken()), 200).submissions).toEqual(
    submissions,
  );
  expect(client.expectStatus(await client.get(profile, other.token), 200).submissions).toBeUndefined();
  expect(client.expectStatus(await client.get(profile), 200).submissions).toBeUndefined();
  const { files } = listed;
  expect(files.filter((file: { final: boolean }) => file.final).map((file: { id: string }) => file.id)).toEqual([
    ids[1],
  ]);
  client.expectStatus(await client.post('/submission/unmark_final', { submission_id: ids[1] }, owner.token), 200);

  const { player_file } = client.expectStatus(await client.get(`/submission/files/${ids[2]}`, owner.token), 200);
  const file = client.expectStatus(await client.get(`/submission/files/${player_file}`, owner.token), 200);
  expect(file).toMatchObject({ file_name: 'player.py', file_data: `${player}\n# 2\n` });
  const attachment = await client.call('GET', file.link);
  expect(attachment.headers.get('content-disposition')).toContain('player.py');
  expect(attachment.body).toBe(file.file_data);
  expect([403, 404]).toContain((await client.get(`/submission/files/${player_file}`, other.token)).status);
  expect((await client.get(`/submission/file/${player_file}`)).status).toBe(401);
  expect(
    (await client.post('/submission/mark_final', { submission_id: ids[2] }, other.token)).status,
  ).toBeGreaterThanOrEqual(403);
  client.expectStatus(await client.remove(`/submission/${ids[2]}`, owner.token), 200);
  expect((await client.get(`/submission/files/${ids[2]}`, owner.token)).status).toBe(404);
});

test('refuses invalid uploads with a reason that names the line or the file', async () => {
  const { token } = await client.registerVerified();
  const refused: [string, FormData, number, RegExp][] = [
    [
      'a wrong name',
      client.uploadForm(client.submissionFields, player, '', ['bot.py', 'requirements.txt']),
      400,
      /player\.py/,
    ],
    ['an empty player.py', client.uploadForm(client.submissionFields, ''), 400, /empty/i],
    ['a file that is too large', client.uploadForm(client.submissionFields, 'x'.repeat(1024 * 1024 + 1)), 413, /1 MiB/],
    [
      'a file that is not UTF-8',
      client.uploadForm(client.submissionFields, new Uint8Array([0xff, 0xfe, 0x80])),
      400,
      /UTF-8/,
    ],
    ['a syntax error', client.uploadForm(client.submissionFields, 'x = 1\ndef broken(:\n'), 400, /line 2/],
    ['no SimplePlayer', client.uploadForm(client.submissionFields, 'x = 1\n'), 400, /SimplePlayer/],
    [
      'a missing method',
      client.uploadForm(client.submissionFields, player.replace('def get_action', 'def decide')),
      400,
      /get_action/,
    ],
    [
      'a package that does not exist',
      client.uploadForm(client.submissionFields, player, 'no-such-package-of-husky==1.0\n'),
      400,
      /no-such-package-of-husky/,
    ],
    [
      'a URL',
      client.uploadForm(client.submissionFields, player, 'x @ https://example.invalid/x.whl\n'),
      400,
      /[Ll]ine 1/,
    ],
  ];
  for (const [what, form, status, text] of refused) {
    const response = await upload(token, form);
    expect(response.status, `${what}: ${JSON.stringify(response.body)}`).toBe(status);
    expect(response.body.detail, what).toMatch(text);
  }
  const missing = new FormData();
  missing.set('playerFile', new File([player], 'player.py'));
  expect((await upload(token, missing)).status).toBe(422);
  expect((await client.post('/submission/upload', {}, token)).status).toBe(415);
});

test('plays a test run of an upload against the house bot, with a log and replays visible to its owner only', async () => {
  const { username, token } = await client.registerVerified();
  const stranger = await client.registerVerified();
  const form = client.uploadForm(client.testRunFields, player);
  const created = client.expectStatus(await client.call('POST', '/sim/async_run', { form, token }), 200);
  expect(created).toMatchObject({ job_status: 'Pending', status_code: 200 });
  const status = await client.ended(created.job_id, token);
  expect(status.job_status, status.error).toBe('Finished');
  expect(Object.keys(status.result_data).sort()).toEqual(['house', username].sort());
  const { games } = client.expectStatus(await client.get(`/live/job/${created.job_id}/games`, token), 200);
  expect(games.map((game: { game_uuid: string }) => game.game_uuid)).toEqual(
    Array.from({ length: status.hands_played }, (_, index) => String(index + 1)),
  );
  const game = client.expectStatus(await client.get(`/live/game/${games[0].game_id}`, token), 200);
  expect(game.game_data).toMatchObject({ gameId: created.job_id, playerNames: { 0: username, 1: 'house' } });
  expect((await client.get(`/live/game/${games[0].game_id}`, stranger.token)).body.detail).toBe(
    'This game is private and cannot be accessed.',
  );
  expect((await client.get(`/sim/status/${created.job_id}`, stranger.token)).status).toBe(403);
  client.expectStatus(await client.get(`/live/job/${created.job_id}/log/${username}`, token), 200);
  expect((await client.get(`/live/job/${created.job_id}/log/${username}`, stranger.token)).status).toBe(403);
  const mine = client.expectStatus(await client.get('/sim/status/all', token), 200);
  expect(mine.map((job: { job_id: string }) => job.job_id)).toContain(created.job_id);
  client.expectStatus(await client.remove(`/sim/job/${created.job_id}`, token), 200);
  expect((await client.get(`/sim/status/${created.job_id}`, token)).status).toBe(404);
  expect((await client.get(`/live/job/${created.job_id}/games`, token)).status).toBe(404);
});

test('fails a test run whose packages cannot be resolved, with the reason', async () => {
  const { token } = await client.registerVerified();
  const form = client.uploadForm(client.testRunFields, player, 'no-such-package-of-husky==1.0\n');
  const { job_id } = client.expectStatus(await client.call('POST', '/sim/async_run', { form, token }), 200);
  const status = await client.ended(job_id, token);
  expect(status.job_status).toBe('Failed');
  expect(status.error).toMatch(/no-such-package-of-husky/);
});

test('uses the final submission in matches and shows it to admins', async () => {
  const { token } = await client.registerVerified();
  const id = await client.submitFinal(token, 'calling-station');
  const { files } = client.expectStatus(await client.get('/submission/list', token), 200);
  expect(files).toMatchObject([{ id, final: true }]);
});

const start = (token: string, query: string) => {
  const form = client.uploadForm(client.testRunFields, player);
  return client.call('POST', `/sim/async_run${query}`, { form, token });
};

test('plays test runs against a style and a mix, runs them again alike, and leaves the default as it is', async () => {
  const { token, username } = await client.registerVerified();
  for (const [query, against, hands, seats] of [
    ['', 'house', 10, 2],
    ['?against=pressure&num_rounds=20', 'pressure', 20, 2],
    ['?against=mix&num_rounds=12', 'mix', 12, 6],
  ] as const) {
    const { job_id } = client.expectStatus(await start(token, query), 200);
    const status = await client.ended(job_id, token);
    expect(status, query).toMatchObject({ job_status: 'Finished', against, num_rounds: hands, kind: 'test' });
    expect(new Set(status.players).size, query).toBe(seats);
    expect(status.players.slice(0, 2)).toEqual([username, 'house']);
    expect(Object.keys(status.result_data).sort()).toEqual([...status.players].sort());
    if (against === 'house') continue;
    const again = client.expectStatus(await client.post('/sim/run_again', { job_id }, token), 200);
    expect(await client.ended(again.job_id, token)).toMatchObject({ against, num_rounds: hands });
  }
  for (const query of ['?against=nobody', '?num_rounds=9', '?num_rounds=201', '?num_rounds=ten']) {
    const { status, body } = await start(token, query);
    expect([status, body.detail], query).toEqual([422, expect.stringMatching(/^(against|num_rounds): \w/)]);
  }
});

test('neither offers nor accepts a test run against the house bot for the 2025 leaderboard', async () => {
  const admin = await client.adminToken();
  const user = await client.registerVerified(client.uniqueName('tester'));
  const form = client.uploadForm(client.testRunFields, player);
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
