import { expect, test } from 'vitest';
import { estimateOf, standingsFixture } from './fixture.ts';
import { describePair, formatPercent, pairOf } from './pair-matrix.tsx';
import { chooseEstimator, formatPoints, inUnit, rankPlayers, sortPlayers } from './points.ts';

const { players, pairs } = standingsFixture();

test('players are ranked by the chosen estimator, and tied ones share a range of ranks', () => {
  const ranks = rankPlayers(players, 'adjusted').map(({ username, rank, tiedWith }) => [username, rank, tiedWith]);
  expect(ranks).toEqual([
    ['ann', '1', []],
    ['ben', '2–3', ['cat']],
    ['cat', '2–3', ['ben']],
  ]);
  expect(rankPlayers(players, 'raw').map(({ rank }) => rank)).toEqual(['1–3', '1–3', '1–3']);
  expect(rankPlayers(players, 'duplicate').map(({ rank }) => rank)).toEqual([null, null, null]);
});

test('players with equal points share a rank, in the order of the response', () => {
  const equal = ['zoe', 'ann'].flatMap((username) =>
    players.slice(0, 1).map((one) => ({
      ...one,
      username,
      estimates: { ...one.estimates, adjusted: estimateOf(5, 9) },
      groups: { raw: null, adjusted: null, duplicate: null, duplicate_adjusted: null },
      ranks: { ...one.ranks, adjusted: { best: 1, worst: 2 } },
    })),
  );
  expect(rankPlayers(equal, 'adjusted').map(({ username, rank }) => [username, rank])).toEqual([
    ['zoe', '1–2'],
    ['ann', '1–2'],
  ]);
});

test('sorting by rating keeps the ranks', () => {
  const sorted = sortPlayers(rankPlayers(players, 'adjusted'), 'rating');
  expect(sorted.map(({ username, rank }) => [username, rank])).toEqual([
    ['ann', '1'],
    ['cat', '2–3'],
    ['ben', '2–3'],
  ]);
});

test('an estimator without estimates is replaced by that of the pairs', () => {
  expect(chooseEstimator(standingsFixture(), 'raw')).toBe('raw');
  expect(chooseEstimator(standingsFixture(), 'duplicate')).toBe('adjusted');
  expect(chooseEstimator(standingsFixture({ players: [] }), null)).toBe('raw');
});

test('points are chips or big blinds with their sign', () => {
  const { value } = inUnit(estimateOf(250.25, 10), 'bb');
  expect([formatPoints(value, 'bb'), formatPoints(1234.56, 'chips'), formatPoints(0, 'chips')]).toEqual([
    '+25.03',
    '+1,234.6',
    '0.0',
  ]);
});

test('a pair is described from the better player, with the hands that are still needed', () => {
  expect(describePair(pairOf(pairs, 'ben', 'ann'), 'ben', 'ann')).toBe(
    'The probability that ann is better than ben is more than 99.9\u00a0%. They are told apart.',
  );
  expect(describePair(pairOf(pairs, 'ben', 'cat'), 'ben', 'cat')).toBe(
    'The probability that ben is better than cat is 68.0\u00a0%. With all pairs compared at once, that does not tell them apart: each of them has to play about 52,000 more hands.',
  );
  expect(describePair(pairOf(pairs, 'ann', 'nobody'), 'ann', 'nobody')).toContain('cannot compare');
  expect(describePair({ better: 0.5, needed: null }, 'ann', 'ben')).toContain('equal results');
  expect(describePair({ better: 0.5, needed: 400_000 }, 'ann', 'ben')).toBe(
    'The data say nothing about who is better, ann or ben: each of them has to play about 400,000 more hands.',
  );
  expect(describePair({ better: 0.51, needed: null }, 'ann', 'ben')).toContain('too similar');
  expect([formatPercent(0.9996), formatPercent(0.0004), formatPercent(0.5)]).toEqual(['>99', '<1', '50']);
});
