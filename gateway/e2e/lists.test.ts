// Totals and pagination of lists.
import { expect, test } from 'vitest';
import * as client from './client.ts';

const add = async (username: string, score: number, tag: string) =>
  client.expectStatus(await client.post('/leaderboard/add', { username, score, tag }, await client.adminToken()), 201);

test('returns the total of a user search and every page up to the last user', async () => {
  const stem = client.uniqueName('found');
  const users = await Promise.all(Array.from({ length: 5 }, (_, n) => client.registerVerified(`${stem}_${n}`)));
  const [first] = users;
  const search = async (query: string) => {
    const response = await fetch(`${client.platform().origin}/user/search?q=${stem}${query}`, {
      headers: { Accept: 'application/json', Authorization: `Bearer ${first?.token}` },
    });
    const found = (await response.json()) as { username: string }[];
    return { total: response.headers.get('X-Total-Count'), names: found.map(({ username }) => username) };
  };
  const names = users.map(({ username }) => username).sort();
  expect(await search('')).toEqual({ total: '5', names });
  expect(await search('&page_size=3')).toEqual({ total: '5', names: names.slice(0, 3) });
  expect(await search('&page_size=3&page=2')).toEqual({ total: '5', names: names.slice(3) });
  expect(await search('&page_size=3&page=3')).toEqual({ total: '5', names: [] });
  expect((await client.get(`/user/search?q=x&page_size=1001`, first?.token)).status).toBe(422);
});

test('returns totals of entries, boards and profiles, and pages of entries', async () => {
  const user = await client.registerVerified(client.uniqueName('scorer'));
  const tag = client.uniqueName('tag');
  for (const score of [3, 2, 1]) await add(user.username, score, tag);
  const scores = (entries: client.Body[]) => entries.map((entry) => entry.score);
  const top = client.expectStatus(await client.get(`/leaderboard/top/2?tag=${tag}`), 200);
  expect([scores(top.top_entries), top.total_count, top.has_next]).toEqual([[3, 2], 3, true]);
  const next = client.expectStatus(await client.get(`/leaderboard/top/2?tag=${tag}&page=2`), 200);
  expect([scores(next.top_entries), next.total_count, next.has_next]).toEqual([[1], 3, false]);
  const own = client.expectStatus(
    await client.get(`/leaderboard/user/${user.username}?page_size=2&page=2`, user.token),
    200,
  );
  expect([scores(own.entries), own.total_count]).toEqual([[1], 3]);
  const profile = client.expectStatus(await client.get(`/profile/${user.username}`), 200);
  expect(profile).toMatchObject({ leaderboard_entries_count: 3, leaderboard_entries: { length: 3 } });
});

test('shows one row per user on a board, with the sum of the entries with its tag', async () => {
  const [ann, ben] = [
    await client.registerVerified(client.uniqueName('ann')),
    await client.registerVerified(client.uniqueName('ben')),
  ];
  const tag = client.uniqueName('board');
  await add(ann.username, 10, tag);
  await add(ben.username, 12.5, tag);
  await add(ann.username, 5, tag);
  await add(ann.username, 1000, client.uniqueName('other'));
  const board = client.expectStatus(await client.get(`/leaderboard/board?tag=${tag}`), 200);
  expect(board).toMatchObject({ tag, from_matches: false, matches: 0, total_count: 2, has_next: false });
  expect(board.rows).toEqual([
    { username: ann.username, rank: 1, score: 15, entries: 2, matches: 0 },
    { username: ben.username, rank: 2, score: 12.5, entries: 1, matches: 0 },
  ]);
  expect(board.boards).toContain(tag);
  const second = client.expectStatus(await client.get(`/leaderboard/board?tag=${tag}&page=2&page_size=1`), 200);
  expect(second).toMatchObject({ rows: [{ username: ben.username }], total_count: 2, has_previous: true });
  expect((await client.get('/leaderboard/board?page_size=0')).status).toBe(422);
});

test('returns the first page of public matches with the total', async () => {
  const list = client.expectStatus(await client.call('GET', '/live/public-job-ids?page_size=1'), 200);
  expect(list.jobs.length).toBeLessThanOrEqual(1);
  expect(list).toMatchObject({ page: 1, has_previous: false });
  expect(list.total_count).toBeTypeOf('number');
  expect(list.recent_count).toBeLessThanOrEqual(list.total_count);
});

test('reads every list with the page sizes that OpenAPI describes', async () => {
  const admin = await client.adminToken();
  type Parameter = { name: string; schema: { default?: number; minimum: number; maximum: number } };
  const { paths } = client.expectStatus(await client.get('/openapi.json'), 200) as {
    paths: Record<string, { get?: { parameters: Parameter[] } }>;
  };
  let checked = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    const size = get?.parameters.find(({ name }) => name === 'page_size')?.schema;
    if (size === undefined || path.includes('{')) continue;
    const read = async (value: number | string) => (await client.get(`${path}?q=x&page_size=${value}`, admin)).status;
    expect(size.default, path).toBeGreaterThanOrEqual(size.minimum);
    const statuses = await Promise.all(
      [size.minimum - 1, size.minimum, size.maximum, size.maximum + 1, '1.5'].map(read),
    );
    expect(statuses, path).toEqual([422, 200, 200, 422, 422]);
    checked += 1;
  }
  expect(checked).toBeGreaterThan(12);
});

test.each([
  ['/docker/pool/scale', undefined, 'target_size: is missing: name the number of runners, at least 3'],
  ['/docker/pool/scale?target_size=', undefined, 'target_size: must be an integer'],
  ['/docker/pool/scale?target_size=2', undefined, 'Target size must be at least 3'],
  ['/leaderboard/add', { tag: 'x' }, 'score: is missing'],
  ['/leaderboard/add', {}, 'score: is missing (and 1 more)'],
])('says what POST %s with %o lacks', async (path, body, detail) => {
  const response = await client.post(path, body, await client.adminToken());
  expect(response.body.detail).toBe(detail);
  expect(response.status).toBe(path.endsWith('=2') ? 400 : 422);
});
