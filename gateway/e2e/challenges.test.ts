import { beforeAll, expect, test, vi } from 'vitest';
import * as client from './client.ts';

type Player = Awaited<ReturnType<typeof client.registerPlayers>>[number];
let ann: Player;
let bob: Player;
let cem: Player;

beforeAll(async () => {
  [ann, bob, cem] = (await client.registerPlayers(['calling-station', 'pressure', 'pot-odds'])) as [
    Player,
    Player,
    Player,
  ];
});

// A match takes seconds on a free machine, and minutes on a busy one.
const limitMs = 600_000;
const classic = { format: 'classic', num_rounds: 3 };
const send = (from: Player, opponents: readonly string[], more: object = classic) =>
  client.post('/challenges', { opponents, ...more }, from.token);
const sent = async (...given: Parameters<typeof send>) => client.expectStatus(await send(...given), 200);
const answer = (by: { readonly token: string }, id: string, word: string) =>
  client.post(`/challenges/${id}/${word}`, undefined, by.token);
const choose = async (by: Player, choice: string) =>
  client.expectStatus(await client.post('/submission/challenges', { choice }, by.token), 200);
const read = async (by: Player, id: string): Promise<client.Body> => {
  const { challenges } = client.expectStatus(await client.get('/challenges?page_size=100', by.token), 200);
  return challenges.find((one: client.Body) => one.challenge_id === id);
};
const becomes = (by: Player, id: string, expected: object) =>
  vi.waitFor(async () => expect(await read(by, id)).toMatchObject(expected), { timeout: limitMs, interval: 200 });

test('plays a challenge that all accept, for its players only, until all of them make it public', {
  timeout: 2 * limitMs,
}, async () => {
  expect(client.expectStatus(await client.get('/submission/challenges', bob.token), 200)).toEqual({ choice: 'accept' });
  const made = await sent(ann, [bob.username]);
  expect(made.state).toMatch(/^(queued|playing)$/);
  expect(made).toMatchObject({ reason: null, challenger: ann.username, fill: 'house', ...classic });
  expect(made.job_ids).toHaveLength(1);
  const [jobId] = made.job_ids;
  const status = await client.ended(jobId, bob.token, limitMs);
  expect(status).toMatchObject({ job_status: 'Finished', num_rounds: 3 });
  expect(status.players.slice(0, 2)).toEqual([ann.username, bob.username]);
  expect((await client.get(`/sim/status/${jobId}`, cem.token)).status).toBe(403);
  await becomes(bob, made.challenge_id, { state: 'finished', published_at: null });
  expect(await read(cem, made.challenge_id)).toBeUndefined();

  client.expectStatus(await answer(ann, made.challenge_id, 'publish'), 200);
  expect((await client.get(`/sim/status/${jobId}`, cem.token)).status).toBe(403);
  client.expectStatus(await answer(bob, made.challenge_id, 'publish'), 200);
  await becomes(ann, made.challenge_id, { published_at: expect.any(String) });
  client.expectStatus(await client.get(`/live/job/${jobId}/games`), 200);

  const admin = { token: await client.adminToken() };
  const refused = await client.post(`/admin/process-tournament-2025-job/${jobId}`, undefined, admin.token);
  expect([refused.status, refused.body.detail]).toEqual([
    400,
    'A match of a challenge cannot be added to the 2025 leaderboard',
  ]);
  const trail = client.expectStatus(
    await client.get(`/admin/audit?actor=${bob.username}&page_size=50`, admin.token),
    200,
  );
  expect(JSON.stringify(trail)).toContain('challenge.publication_agreed');
});

test('asks who wants to be asked; two who accept at once get one set', { timeout: 2 * limitMs }, async () => {
  await Promise.all([choose(bob, 'ask'), choose(cem, 'ask')]);
  const { challenge_id: id, ...waiting } = await sent(ann, [bob.username, cem.username], {
    format: 'set',
    num_rounds: 1,
  });
  expect(waiting).toMatchObject({ state: 'waiting', job_ids: [] });
  expect(Date.parse(waiting.expires_at) - Date.parse(waiting.created_at)).toBe(24 * 3_600_000);
  await Promise.all([bob, cem].map(async (one) => client.expectStatus(await answer(one, id, 'accept'), 200)));
  await vi.waitFor(async () => expect((await read(ann, id)).job_ids).toHaveLength(6), { timeout: 60_000 });
  const again = await answer(bob, id, 'accept');
  expect([again.status, again.body.detail]).toEqual([409, 'You have accepted this challenge already.']);
  const { job_ids } = await read(bob, id);
  for (const jobId of job_ids) expect((await client.ended(jobId, cem.token, limitMs)).players).toContain(cem.username);

  const other = await sent(ann, [bob.username]);
  const declined = client.expectStatus(await answer(bob, other.challenge_id, 'decline'), 200);
  expect(declined).toMatchObject({ state: 'declined', reason: 'A player has declined.', job_ids: [] });
  const over = await answer(bob, other.challenge_id, 'accept');
  expect(over.status).toBe(409);
});

test('ends when a player takes the final mark away, and shows nothing to strangers', async () => {
  await choose(bob, 'ask');
  const { challenge_id: id } = await sent(ann, [bob.username]);
  const unknown = await answer(cem, '00000000-0000-4000-8000-000000000000', 'accept');
  for (const word of ['accept', 'decline', 'publish']) {
    const refused = await answer(cem, id, word);
    expect([refused.status, refused.body]).toEqual([404, unknown.body]);
  }
  const mark = (word: string) => client.post(`/submission/${word}`, { submission_id: bob.submission }, bob.token);
  client.expectStatus(await mark('unmark_final'), 200);
  await becomes(ann, id, { state: 'ended', reason: 'A player has no final submission any more.' });
  client.expectStatus(await mark('mark_final'), 200);
});

test('refuses bad challenges with a sentence', async () => {
  await choose(cem, 'never');
  const newcomer = await client.registerVerified();
  const unverified = await client.register();
  const admin = await client.adminToken();
  client.expectStatus(await client.post(`/admin/quota/${ann.username}`, { max_challenges_a_day: 0 }, admin), 200);
  const [dan] = (await client.registerPlayers(['random-legal'])) as [Player];
  const from = (token: string) => ({ ...dan, token });
  for (const [call, status, detail] of [
    [send(dan, [dan.username]), 400, 'You cannot challenge yourself.'],
    [send(dan, [bob.username, bob.username.toUpperCase()]), 400, 'A player can be challenged only once at a table.'],
    [send(dan, ['house-pressure']), 400, /^House bots cannot be challenged/],
    [send(dan, ['nobody-at-all']), 404, 'There is no player nobody-at-all.'],
    [send(dan, [cem.username]), 400, `${cem.username} takes no challenges.`],
    [send(dan, [newcomer.username]), 400, `${newcomer.username} has no final submission.`],
    [send(dan, [unverified.username]), 400, `${unverified.username} has no final submission.`],
    [send(from(newcomer.token), [bob.username]), 400, 'You have no final submission.'],
    [send(from(unverified.token), [bob.username]), 403, 'Please verify your account first'],
    [send(ann, [bob.username]), 400, 'The organisers allow you no challenges at present.'],
    [send(dan, [bob.username], { format: 'set', num_rounds: 201 }), 400, 'A rotation has 1 to 200 hands.'],
    [send(dan, [bob.username], { format: 'classic', num_rounds: 1001 }), 422, /^num_rounds: /],
    [send(dan, [bob.username], { format: 'duel', num_rounds: 1 }), 422, /^format: /],
    [send(dan, []), 422, /^opponents: /],
    [client.post('/submission/challenges', { choice: 'maybe' }, dan.token), 422, /^choice: /],
  ] as const) {
    const response = await call;
    const expected = typeof detail === 'string' ? detail : expect.stringMatching(detail);
    expect([response.status, response.body.detail]).toEqual([status, expected]);
  }
});
