// Responses that callers share: they contain nothing private, and changes are visible within two seconds.
import { expect, test, vi } from 'vitest';
import {
  adminToken,
  call,
  ended,
  expectStatus,
  get,
  post,
  registerPlayers,
  registerVerified,
  remove,
  submitFinal,
  uniqueName,
} from './client.ts';

/** Changes must be visible within this time, also without events. */
const polling = { timeout: 2000, interval: 50 };

/** Plays a private match of ten hands and returns its id, a game's id and its players. */
async function playMatch() {
  const admin = await adminToken();
  const bots = ['calling-station', 'random-legal', 'pot-odds', 'random-legal', 'pressure', 'tight-aggressive'];
  const players = await registerPlayers(bots);
  const users_list = players.map(({ username }) => username);
  const match = { users_list, num_rounds: 10, stacks: 'reset' };
  const { job_id: id } = expectStatus(await post('/sim/async_run_user', match, admin), 200);
  expect((await ended(id, admin)).job_status).toBe('Finished');
  const { games } = expectStatus(await get(`/live/job/${id}/games`, admin), 200);
  return { id: id as string, game: games[4].game_id as string, players, admin };
}

const pathsOf = (id: string, game: string) => [
  `/live/job/${id}/games`,
  `/live/job/${id}/games/paginated?page_size=5`,
  `/live/job/${id}/hands`,
  `/live/job/${id}/hands/columns`,
  `/live/job/${id}/user-performance`,
  `/live/job/${id}/highlights`,
  `/live/game/${game}`,
  `/sim/status/${id}`,
];

test('never returns a private match to callers who may not read it, in any order of callers and changes of visibility', async () => {
  const { id, game, players, admin } = await playMatch();
  const stranger = await registerVerified(uniqueName('stranger'));
  const allowed = [admin, players[0]?.token];
  const others = [undefined, stranger.token, 'not a token'];
  const paths = pathsOf(id, game);
  const bodies = new Map<string, unknown>();
  const setPublic = async (is_public: boolean) =>
    expectStatus(await post(`/admin/toggle-job-public/${id}`, { is_public }, admin), 200);
  const readAll = async (isPublic: boolean, callers: readonly (string | undefined)[]) => {
    for (const path of paths) {
      const responses = await Promise.all(callers.map((caller) => get(path, caller)));
      for (const [index, response] of responses.entries()) {
        const caller = callers[index];
        const may = isPublic || allowed.includes(caller);
        expect(response.status, `${path} of ${caller}: ${JSON.stringify(response.body)}`).toBe(may ? 200 : 403);
        if (!may) continue;
        // The responses are equal for all callers, because these bots write no texts.
        bodies.set(path, bodies.get(path) ?? response.body);
        expect(response.body).toEqual(bodies.get(path));
      }
    }
  };
  const everyone = [...allowed, ...others];
  for (let round = 0; round < 3; round++) {
    await readAll(false, everyone);
    await setPublic(true);
    await readAll(true, round % 2 === 0 ? everyone : [...everyone].reverse());
    await readAll(true, others);
    await setPublic(false);
  }
  await readAll(false, [...others, ...allowed, ...others]);
  expectStatus(await remove(`/sim/job/${id}`, admin), 200);
  await vi.waitFor(async () => expect((await get(paths[0] ?? '')).status).toBe(404), polling);
});

test('shows a publication and its withdrawal in the public lists at once', async () => {
  const { id, players, admin } = await playMatch();
  const listed = async () => {
    const { jobs } = expectStatus(await get('/live/public-job-ids/paginated?page_size=500'), 200);
    return jobs.some((job: { job_id: string }) => job.job_id === id);
  };
  const ranked = async () => {
    const { top_entries } = expectStatus(await get('/leaderboard/top/1000?tag=2025'), 200);
    return top_entries.some((entry: { username: string }) => entry.username === players[0]?.username);
  };
  for (const isPublic of [true, false, true]) {
    await listed();
    expectStatus(await post(`/admin/toggle-job-public/${id}`, { is_public: isPublic }, admin), 200);
    expect(await listed()).toBe(isPublic);
  }
  expect(await ranked()).toBe(false);
  expectStatus(await post(`/admin/process-tournament-2025-job/${id}`, undefined, admin), 200);
  expect(await ranked()).toBe(true);
  expectStatus(await post(`/admin/delete-tournament-2025-job/${id}`, undefined, admin), 200);
  expect(await ranked()).toBe(false);
});

test("does not share an admin's response about a profile with visitors", async () => {
  const user = await registerVerified(uniqueName('viewed'));
  await submitFinal(user.token, 'calling-station');
  const path = `/profile/${user.username}`;
  for (const token of [await adminToken(), undefined, user.token, undefined]) {
    const body = expectStatus(await get(path, token), 200);
    expect('submissions' in body).toBe(token !== undefined);
  }
});

test('revalidates shared responses with a strong ETag for each encoding', async () => {
  const list = '/live/public-job-ids';
  const plain = await call('GET', list, { headers: { 'accept-encoding': 'identity' } });
  const etag = plain.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  expect(plain.headers.get('cache-control')).toBe('public, no-cache');
  expect(plain.headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
  const headers = { 'accept-encoding': 'identity', 'if-none-match': etag, 'cache-control': 'max-age=0' };
  const again = await call('GET', list, { headers });
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
});
