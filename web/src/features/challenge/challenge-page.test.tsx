// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, expect, it, test, vi } from 'vitest';
import { ChallengeList } from '../../challenges/challenge-list.tsx';
import { refusal, renderInApp, stubApi } from '../../dev/render-in-app.tsx';
import { ChallengePage, problemOf } from './challenge-page.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [[], 'set', '50', 'Choose at least one opponent.'],
  [['bob'], 'set', '201', 'Choose 1 to 200 hands.'],
  [['bob'], 'classic', '1001', 'Choose 1 to 1,000 hands.'],
  [['bob'], 'classic', '', 'Choose 1 to 1,000 hands.'],
  [['bob'], 'classic', '1000', ''],
] as const)('opponents %j, format %s and %s hands: "%s"', (opponents, format, hands, problem) => {
  expect(problemOf(opponents, format, hands)).toBe(problem);
});

it('starts with the player of the link, adds neighbours, and shows why the server refuses', async () => {
  const entries = ['ann', 'bob', 'house-pressure', 'cem'].map((username, index) => ({
    username,
    rank: index + 1,
    house: username.startsWith('house'),
    paused: username === 'cem',
  }));
  const calls = stubApi((call) => {
    if (call.startsWith('POST')) return refusal(400, 'bob takes no challenges.');
    return Response.json(call.endsWith('/ladder/') ? { entry: null } : { entries });
  });
  renderInApp(<ChallengePage />, '/challenge?to=dan');
  const chosen = () =>
    within(screen.getByRole('region', { name: 'Chosen opponents' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  expect(chosen()).toEqual(['dan']);
  fireEvent.click(await screen.findByRole('button', { name: 'bob' }));
  expect(chosen()).toEqual(['dan', 'bob']);
  expect(['house-pressure', 'cem'].map((name) => screen.queryByRole('button', { name }))).toEqual([null, null]);
  fireEvent.click(screen.getByRole('button', { name: 'Remove dan' }));
  fireEvent.click(screen.getByRole('button', { name: 'Send challenge' }));
  expect(await screen.findByText('bob takes no challenges.')).toBeTruthy();
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual(['POST /challenges']);
});

it('offers each player the answers that are left', async () => {
  const player = (username: string, role: string, answer = 'accepted', publishes = false) => ({
    username,
    role,
    answer,
    publishes,
  });
  const base = { format: 'set', num_rounds: 50, fill: 'house', reason: null, published_at: null, job_ids: [] };
  const times = { created_at: '2026-07-01T00:00:00Z', expires_at: '2026-07-02T00:00:00Z' };
  const of = (id: string, state: string, players: ReturnType<typeof player>[], more: object = {}) => ({
    ...base,
    ...times,
    challenge_id: id,
    state,
    players,
    challenger: players[0]?.username,
    ...more,
  });
  const challenges = [
    of('1', 'waiting', [player('bob', 'challenger'), player('ann', 'opponent', 'waiting')]),
    of('2', 'waiting', [player('ann', 'challenger'), player('bob', 'opponent', 'waiting')]),
    of('3', 'finished', [player('ann', 'challenger'), player('bob', 'opponent')], { job_ids: ['j'] }),
    of('4', 'finished', [player('ann', 'challenger', 'accepted', true), player('bob', 'opponent')], { job_ids: ['k'] }),
    of('5', 'ended', [player('ann', 'challenger'), player('bob', 'opponent')], { reason: 'A player has gone.' }),
  ];
  const calls = stubApi((call) =>
    Response.json(call.startsWith('GET') ? { challenges, total_count: 5 } : challenges[0]),
  );
  renderInApp(<ChallengeList username="ann" />);
  await screen.findByRole('button', { name: 'Accept' });
  const labels = screen.getAllByRole('row').map((row) =>
    within(row)
      .queryAllByRole('button')
      .map(({ textContent }) => textContent),
  );
  expect(labels).toEqual([[], ['Accept', 'Decline'], ['Withdraw'], ['Make public'], [], []]);
  expect(screen.getByText('Public once bob agrees')).toBeTruthy();
  expect(screen.getByText('A player has gone.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await vi.waitFor(() => expect(calls).toContain('POST /challenges/1/accept'), 10_000);
});
