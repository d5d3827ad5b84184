// The hand index: lists of hands, highlights, a player's hands and matches.
import { expect, test, vi } from 'vitest';
import * as client from './client.ts';

const bots = [
  'random-legal',
  'calling-station',
  'tight-aggressive',
  'position-aware',
  'pressure',
  'type-error-postflop',
];

test('lists hands, highlights and best hands of players of a public match, and none of a private or deleted one', async () => {
  const admin = await client.adminToken();
  const players = await client.registerPlayers(bots);
  const [player] = players as [(typeof players)[number]];
  // A test run is one of the user's private matches.
  for (const { token } of players)
    client.expectStatus(await client.remove(`/sim/job/${await client.tested(token)}`, token), 200);
  const name = player.username;
  const users_list = players.map(({ username }) => username);
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', { users_list, num_rounds: 120 }, admin),
    200,
  );
  const status = await client.ended(job_id, admin);
  const hands = `/live/job/${job_id}/hands`;

  // Private.
  for (const path of [hands, `${hands}/columns`, `/live/job/${job_id}/highlights`]) {
    expect((await client.get(path)).status).toBe(403);
    client.expectStatus(await client.get(path, player.token), 200);
  }
  const matchesOf = async (token?: string) =>
    client.expectStatus(await client.get(`/live/players/${name}/matches`, token), 200);
  expect(await matchesOf()).toMatchObject({ username: name, matches: [], total_count: 0 });
  expect((await matchesOf(players[1]?.token)).matches).toEqual([]);
  expect(await matchesOf(player.token)).toMatchObject({ matches: [{ job_id, is_public: false }], total_count: 1 });
  expect(client.expectStatus(await client.get(`/live/players/${name}/hands`), 200).hands).toEqual([]);
  const statistics = `/live/players/${name}/statistics`;
  const play = async (query = '', token?: string) =>
    client.expectStatus(await client.get(`${statistics}${query}`, token), 200);
  expect(await play()).toMatchObject({ username: name, matches: 0, includes_private: false, versus: null });
  expect((await play('', players[1]?.token)).matches).toBe(0);
  // The adjusted nets of a finished match are computed in the background.
  const hidden = await vi.waitFor(
    async () => {
      const own = await play('', player.token);
      expect(own.players[0].luck.pending_matches).toBe(0);
      return own;
    },
    { timeout: 30_000, interval: 200 },
  );
  expect(hidden).toMatchObject({ matches: 1, pending_matches: 0, includes_private: true });

  // The index agrees with the logs and the graph.
  const series = client.expectStatus(await client.get(`/live/job/${job_id}/user-performance`, player.token), 200)[
    name
  ] as number[];
  const nets = series.map((value, index) => value - (series[index - 1] ?? 0));
  const page = client.expectStatus(await client.get(`${hands}?size=200&player=${name}`, player.token), 200);
  expect(page).toMatchObject({ total_count: status.hands_played, match_hands: status.hands_played, has_next: false });
  expect(page.hands.map((hand: client.Body) => hand.net)).toEqual(nets);
  const shown = page.hands.find((hand: client.Body) => hand.showdown) ?? page.hands[0];
  const log = client.expectStatus(await client.get(`/live/game/${shown.game_id}`, player.token), 200).game_data;
  expect(shown.board).toEqual(log.finalBoard);
  const losses = client.expectStatus(
    await client.get(`${hands}?player=${name}&net=loss&sort=net&size=3`, player.token),
    200,
  );
  expect(losses.hands.map((hand: client.Body) => hand.net)).toEqual(
    nets
      .filter((net) => net < 0)
      .sort((a, b) => a - b)
      .slice(0, 3),
  );
  const faulty = client.expectStatus(await client.get(`${hands}?faults=true&size=200`, player.token), 200);
  expect(faulty.hands.every((hand: client.Body) => hand.faults.length > 0)).toBe(true);
  const columns = client.expectStatus(await client.get(`${hands}/columns`, player.token), 200);
  expect(columns.pots).toEqual(page.hands.map((hand: client.Body) => hand.pot));
  expect((await client.get(`${hands}?size=201`, player.token)).status).toBe(422);
  expect((await client.get(`${hands}?sort=net`, player.token)).body).toMatchObject({ reason: 'no-player' });
  expect(
    (
      await client.get(
        `${hands}?player=${(await client.registerVerified(client.uniqueName('guest'))).username}`,
        player.token,
      )
    ).status,
  ).toBe(400);

  // Public.
  client.expectStatus(await client.post(`/admin/toggle-job-public/${job_id}`, { is_public: true }, admin), 200);
  const { highlights } = client.expectStatus(await client.get(`/live/job/${job_id}/highlights`), 200);
  const scores = highlights.map((one: client.Body) => one.swing * one.pot);
  expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
  expect(highlights[0]).toMatchObject({ job_id, sentence: expect.stringContaining('$') });
  client.expectStatus(await client.get('/live/hand-of-the-day'), 200);
  const best = client.expectStatus(await client.get(`/live/players/${name}/hands?kind=worst&limit=2`), 200);
  expect(best.hands.map((hand: client.Body) => hand.net)).toEqual(
    losses.hands.slice(0, 2).map((hand: client.Body) => hand.net),
  );
  const both = await play(`?versus=${users_list[1]}`);
  expect(both.players.map((one: client.Body) => one.username)).toEqual(users_list.slice(0, 2));
  expect(both.players[0]).toEqual(hidden.players[0]);
  for (const { value, count, of } of both.players[0].figures) expect(value).toBe(of === 0 ? null : count / of);
  const [header, first] = String((await client.get(`${statistics}.csv`)).body).split('\r\n');
  expect(header).toContain('"statistic","position","street"');
  expect(first).toContain(`"${name}","vpip","all","all"`);
  for (const [query, status] of [
    ['versus=nobody-of-this-name', 404],
    [`versus=${name}`, 400],
    ['batch=999999', 404],
  ]) {
    expect((await client.get(`${statistics}?${query}`)).status).toBe(status);
  }
  const [listed] = (await matchesOf()).matches;
  const deltas = Object.values(status.result_data as Record<string, number>);
  const delta = status.result_data[name];
  expect(listed).toMatchObject({ job_id, delta, rank: 1 + deltas.filter((other) => other > delta).length });
  const found = async (query: string) =>
    client
      .expectStatus(await client.get(`/live/public-job-ids/paginated?${query}`), 200)
      .jobs.map((job: client.Body) => job.job_id);
  expect(await found(`player=${name}`)).toEqual([job_id]);
  expect(await found(`q=${name}`)).toEqual([job_id]);
  expect(await found(`q=${job_id.slice(0, 12)}`)).toEqual([job_id]);
  expect(await found('player=nobody-of-this-name')).toEqual([]);
  const [card] = client.expectStatus(await client.get(`/live/public-job-ids/paginated?player=${name}`), 200).jobs;
  expect(card.winner_delta).toBe(Math.max(...deltas));

  // Private again, then deleted.
  client.expectStatus(await client.post(`/admin/toggle-job-public/${job_id}`, { is_public: false }, admin), 200);
  expect((await client.get(`/live/job/${job_id}/highlights`)).status).toBe(403);
  const ofTheDay = await client.get('/live/hand-of-the-day');
  expect(ofTheDay.status === 404 || ofTheDay.body.job_id !== job_id).toBe(true);
  expect(client.expectStatus(await client.get(`/live/players/${name}/hands`), 200).hands).toEqual([]);
  expect((await matchesOf()).matches).toEqual([]);
  expect(await play()).toMatchObject({ matches: 0, players: [{ hands: 0 }] });
  client.expectStatus(await client.remove(`/sim/job/${job_id}`, admin), 200);
  expect((await client.get(hands, admin)).status).toBe(404);
  expect((await matchesOf(player.token)).matches).toEqual([]);
});
