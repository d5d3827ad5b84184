// The hand index: lists of hands, highlights, a player's hands and matches.
import { expect, test } from 'vitest';
import {
  adminToken,
  type Body,
  ended,
  expectStatus,
  get,
  post,
  registerVerified,
  remove,
  submitFinal,
  uniqueName,
} from './client.ts';

const bots = [
  'random-legal',
  'calling-station',
  'tight-aggressive',
  'position-aware',
  'pressure',
  'type-error-postflop',
];

test('lists hands, highlights and the best hands of players of a public match, and nothing of a private or deleted one', async () => {
  const admin = await adminToken();
  const players = await Promise.all(
    bots.map(async (bot) => {
      const user = await registerVerified(uniqueName(bot.slice(0, 12)));
      await submitFinal(user.token, bot);
      return user;
    }),
  );
  const [player] = players as [(typeof players)[number]];
  const name = player.username;
  const users_list = players.map(({ username }) => username);
  const { job_id } = expectStatus(await post('/sim/async_run_user', { users_list, num_rounds: 120 }, admin), 200);
  const status = await ended(job_id, admin);
  const hands = `/live/job/${job_id}/hands`;

  // Private.
  for (const path of [hands, `${hands}/columns`, `/live/job/${job_id}/highlights`]) {
    expect((await get(path)).status).toBe(403);
    expectStatus(await get(path, player.token), 200);
  }
  const matchesOf = async (token?: string) => expectStatus(await get(`/live/players/${name}/matches`, token), 200);
  expect(await matchesOf()).toMatchObject({ username: name, matches: [], total_count: 0 });
  expect((await matchesOf(players[1]?.token)).matches).toEqual([]);
  expect(await matchesOf(player.token)).toMatchObject({ matches: [{ job_id, is_public: false }], total_count: 1 });
  expect(expectStatus(await get(`/live/players/${name}/hands`), 200).hands).toEqual([]);
  const statistics = `/live/players/${name}/statistics`;
  const play = async (query = '', token?: string) => expectStatus(await get(`${statistics}${query}`, token), 200);
  expect(await play()).toMatchObject({ username: name, matches: 0, includes_private: false, versus: null });
  expect((await play('', players[1]?.token)).matches).toBe(0);
  const hidden = await play('', player.token);
  expect(hidden).toMatchObject({ matches: 1, pending_matches: 0, includes_private: true });

  // The index agrees with the logs and the graph.
  const series = expectStatus(await get(`/live/job/${job_id}/user-performance`, player.token), 200)[name] as number[];
  const nets = series.map((value, index) => value - (series[index - 1] ?? 0));
  const page = expectStatus(await get(`${hands}?size=200&player=${name}`, player.token), 200);
  expect(page).toMatchObject({ total_count: status.hands_played, match_hands: status.hands_played, has_next: false });
  expect(page.hands.map((hand: Body) => hand.net)).toEqual(nets);
  const shown = page.hands.find((hand: Body) => hand.showdown) ?? page.hands[0];
  const log = expectStatus(await get(`/live/game/${shown.game_id}`, player.token), 200).game_data;
  expect(shown.board).toEqual(log.finalBoard);
  const losses = expectStatus(await get(`${hands}?player=${name}&net=loss&sort=net&size=3`, player.token), 200);
  expect(losses.hands.map((hand: Body) => hand.net)).toEqual(
    nets
      .filter((net) => net < 0)
      .sort((a, b) => a - b)
      .slice(0, 3),
  );
  const faulty = expectStatus(await get(`${hands}?faults=true&size=200`, player.token), 200);
  expect(faulty.hands.every((hand: Body) => hand.faults.length > 0)).toBe(true);
  const columns = expectStatus(await get(`${hands}/columns`, player.token), 200);
  expect(columns.pots).toEqual(page.hands.map((hand: Body) => hand.pot));
  expect((await get(`${hands}?size=201`, player.token)).status).toBe(422);
  expect((await get(`${hands}?sort=net`, player.token)).body).toMatchObject({ reason: 'no-player' });
  expect(
    (await get(`${hands}?player=${(await registerVerified(uniqueName('guest'))).username}`, player.token)).status,
  ).toBe(400);

  // Public.
  expectStatus(await post(`/admin/toggle-job-public/${job_id}`, { is_public: true }, admin), 200);
  const { highlights } = expectStatus(await get(`/live/job/${job_id}/highlights`), 200);
  const scores = highlights.map((one: Body) => one.swing * one.pot);
  expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
  expect(highlights[0]).toMatchObject({ job_id, sentence: expect.stringContaining('$') });
  expectStatus(await get('/live/hand-of-the-day'), 200);
  const best = expectStatus(await get(`/live/players/${name}/hands?kind=worst&limit=2`), 200);
  expect(best.hands.map((hand: Body) => hand.net)).toEqual(losses.hands.slice(0, 2).map((hand: Body) => hand.net));
  const both = await play(`?versus=${users_list[1]}`);
  expect(both.players.map((one: Body) => one.username)).toEqual(users_list.slice(0, 2));
  expect(both.players[0]).toEqual(hidden.players[0]);
  for (const { value, count, of } of both.players[0].figures) expect(value).toBe(of === 0 ? null : count / of);
  const [header, first] = String((await get(`${statistics}.csv`)).body).split('\r\n');
  expect(header).toContain('"statistic","position","street"');
  expect(first).toContain(`"${name}","vpip","all","all"`);
  for (const [query, status] of [
    ['versus=nobody-of-this-name', 404],
    [`versus=${name}`, 400],
    ['batch=999999', 404],
  ]) {
    expect((await get(`${statistics}?${query}`)).status).toBe(status);
  }
  const [listed] = (await matchesOf()).matches;
  const deltas = Object.values(status.result_data as Record<string, number>);
  const delta = status.result_data[name];
  expect(listed).toMatchObject({ job_id, delta, rank: 1 + deltas.filter((other) => other > delta).length });
  const found = async (query: string) =>
    expectStatus(await get(`/live/public-job-ids/paginated?${query}`), 200).jobs.map((job: Body) => job.job_id);
  expect(await found(`player=${name}`)).toEqual([job_id]);
  expect(await found(`q=${name}`)).toEqual([job_id]);
  expect(await found(`q=${job_id.slice(0, 12)}`)).toEqual([job_id]);
  expect(await found('player=nobody-of-this-name')).toEqual([]);
  const [card] = expectStatus(await get(`/live/public-job-ids/paginated?player=${name}`), 200).jobs;
  expect(card.winner_delta).toBe(Math.max(...deltas));

  // Private again, then deleted.
  expectStatus(await post(`/admin/toggle-job-public/${job_id}`, { is_public: false }, admin), 200);
  expect((await get(`/live/job/${job_id}/highlights`)).status).toBe(403);
  const ofTheDay = await get('/live/hand-of-the-day');
  expect(ofTheDay.status === 404 || ofTheDay.body.job_id !== job_id).toBe(true);
  expect(expectStatus(await get(`/live/players/${name}/hands`), 200).hands).toEqual([]);
  expect((await matchesOf()).matches).toEqual([]);
  expect(await play()).toMatchObject({ matches: 0, players: [{ hands: 0 }] });
  expectStatus(await remove(`/sim/job/${job_id}`, admin), 200);
  expect((await get(hands, admin)).status).toBe(404);
  expect((await matchesOf(player.token)).matches).toEqual([]);
});
