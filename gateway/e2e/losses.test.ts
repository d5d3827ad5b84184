import { cardCode } from '@husky/holdem/card';
import { dealKey } from '@husky/match/commitment';
import { deckFor } from '@husky/match/deck';
import { parseGameId } from '@husky/match/game-id';
import { expect, test, vi } from 'vitest';
import * as client from './client.ts';
import { findRunner } from './processes.ts';

const hands = 3000;

async function startMatch(bots: readonly string[], rounds = hands): Promise<{ jobId: string; names: string[] }> {
  const users = await client.registerNamed(bots);
  const body = { users_list: users, num_rounds: rounds };
  const { job_id } = client.expectStatus(
    await client.post('/sim/async_run_user', body, await client.adminToken()),
    200,
  );
  return { jobId: job_id, names: users };
}

/** Waits until hands of a match are stored. Returns the runner that plays it; other matches may run too. */
async function waitForHands(jobId: string) {
  const token = await client.adminToken();
  return vi.waitFor(
    async () => {
      const { total_count } = (await client.get(`/live/job/${jobId}/games/paginated?page_size=1`, token)).body;
      expect(total_count).toBeGreaterThan(0);
      const { data } = client.expectStatus(await client.get('/docker/pool/detailed', token), 200);
      const plays = data.active_containers.find((container: client.Body) => container.job_id === jobId);
      return findRunner(plays?.container_name) ?? expect.fail('nobody is playing the match');
    },
    { timeout: 30_000, interval: 100 },
  );
}

async function expectComplete(jobId: string, played: number): Promise<client.Body> {
  const token = await client.adminToken();
  const status = await client.ended(jobId, token, 150_000);
  expect(status.job_status, status.error).toBe('Finished');
  expect(status.hands_played).toBe(played);
  const deltas = Object.values(status.result_data as Record<string, number>);
  expect(deltas.reduce((sum, delta) => sum + delta, 0)).toBe(0);
  const { games } = client.expectStatus(await client.get(`/live/job/${jobId}/games`, token), 200);
  expect(games.length).toBe(played);
  const series = client.expectStatus(await client.get(`/live/job/${jobId}/user-performance`, token), 200);
  for (const [name, delta] of Object.entries(status.result_data)) expect(series[name].at(-1)).toBe(delta);
  return games;
}

/** Expects the cards of a stored hand to be those of the match's seed, in any attempt. */
async function expectCardsOfSeed(jobId: string, game: { game_id: string; game_uuid: string }): Promise<void> {
  const token = await client.adminToken();
  const { seed, commitment_input } = client.expectStatus(await client.get(`/live/job/${jobId}/seed`, token), 200);
  const deck = deckFor(dealKey(Buffer.from(seed, 'hex'), JSON.parse(commitment_input)), Number(game.game_uuid));
  const { game_data } = client.expectStatus(await client.get(`/live/game/${game.game_id}`, token), 200);
  for (const [seat, cards] of Object.entries(game_data.playerHands as Record<string, string[]>)) {
    const index = 2 * Number(seat);
    expect(cards).toEqual([cardCode(deck[index] ?? -1), cardCode(deck[index + 1] ?? -1)]);
  }
}

const trivial = ['trivial', 'trivial', 'trivial', 'trivial', 'trivial', 'trivial'];

test.each(['dealer', 'runner'] as const)(
  'plays a match to its end in a new attempt with the same cards after a killed %s',
  async (what) => {
    const { jobId } = await startMatch(trivial);
    const runner = await waitForHands(jobId);
    process.kill(runner.dealer.pid, 'SIGKILL');
    if (what === 'runner') process.kill(runner.host.pid, 'SIGKILL');
    const games = await expectComplete(jobId, hands);
    expect(parseGameId(games[0].game_id)?.attempt).toBeGreaterThan(1);
    await expectCardsOfSeed(jobId, games[99]);
  },
);

test('counts a killed seat as a fault of its bot and continues the match in the same attempt', async () => {
  const { jobId, names } = await startMatch(trivial);
  const runner = await waitForHands(jobId);
  process.kill(runner.seats[0]?.pid ?? 0, 'SIGKILL');
  const games = await expectComplete(jobId, hands);
  expect(parseGameId(games[0].game_id)?.attempt).toBe(1);
  const token = await client.adminToken();
  const verdicts = await Promise.all(
    names.map(async (name) => (await client.get(`/live/job/${jobId}/log/${name}`, token)).body.verdict),
  );
  expect(verdicts.filter((verdict) => verdict !== '')).toHaveLength(1);
});

test('contains attacking bots without a new attempt', async () => {
  const { jobId } = await startMatch(['killer', 'memory-hog', 'output-flooder', 'trivial', 'trivial', 'trivial'], 60);
  const games = await expectComplete(jobId, 60);
  expect(parseGameId(games[0].game_id)?.attempt).toBe(1);
});
