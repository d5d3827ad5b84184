import { expect, test } from 'vitest';
import { splitLosses, sumResults } from './results.ts';

const match = (deltas: Record<string, number>, hands = 1000) => ({ hands, deltas: new Map(Object.entries(deltas)) });

test('splits every loss among the winners of a match in proportion to their wins', () => {
  expect(splitLosses(new Map(Object.entries({ ann: 300, ben: 100, cas: -200, dan: -200 })))).toEqual([
    { winner: 'ann', loser: 'cas', chips: 150 },
    { winner: 'ann', loser: 'dan', chips: 150 },
    { winner: 'ben', loser: 'cas', chips: 50 },
    { winner: 'ben', loser: 'dan', chips: 50 },
  ]);
  expect(splitLosses(new Map([['ann', 0]]))).toEqual([]);
});

test("keeps each player's sum exact where shares are not whole chips", async () => {
  const { players } = await sumResults([
    match({ a: 7, b: 5, c: -3, d: -4, e: -5 }),
    match({ a: -11, b: 4, c: 1, d: 1, e: 5 }),
  ]);
  for (const { delta, wonFrom } of players) expect(wonFrom.reduce((sum, chips) => sum + chips, 0)).toBe(delta);
  for (const [row, { wonFrom }] of players.entries()) {
    for (const [column, chips] of wonFrom.entries()) expect(chips + (players[column]?.wonFrom[row] ?? 0)).toBe(0);
  }
});

test('sums deltas, wins and curves in the order of the matches, best player first', async () => {
  const results = await sumResults([match({ a: -10, b: 10 }), match({ a: 30, b: -30 }, 5), match({ b: 0, c: 0 })]);
  expect(results).toMatchObject({ matches: 3, hands: 2005, points: [0, 1, 2, 3] });
  expect(results.players).toEqual([
    {
      userId: 'a',
      delta: 20,
      matches: 2,
      wins: 1,
      curve: [0, -10, 20, 20],
      wonFrom: [0, 0, 20],
      ahead: [0, 0, 1],
      shared: [0, 0, 2],
    },
    {
      userId: 'c',
      delta: 0,
      matches: 1,
      wins: 0,
      curve: [0, 0, 0, 0],
      wonFrom: [0, 0, 0],
      ahead: [0, 0, 0],
      shared: [0, 0, 1],
    },
    {
      userId: 'b',
      delta: -20,
      matches: 3,
      wins: 1,
      curve: [0, 10, -20, -20],
      wonFrom: [-20, 0, 0],
      ahead: [1, 0, 0],
      shared: [2, 1, 0],
    },
  ]);
});

test('bounds the points of a curve and keeps the first and the last', async () => {
  const { points, players } = await sumResults(Array.from({ length: 1716 }, () => match({ a: 1, b: -1 })));
  expect(points.length).toBeLessThanOrEqual(301);
  expect([points[0], points.at(-1)]).toEqual([0, 1716]);
  expect(players[0]?.curve).toEqual(points);
});

test('reports requested players only, also those without a match', async () => {
  expect((await sumResults([match({ a: 5, b: -5 })], ['b'])).players).toMatchObject([
    { userId: 'b', delta: -5, wonFrom: [0] },
  ]);
  expect(await sumResults([], ['a'])).toMatchObject({ matches: 0, points: [0], players: [{ delta: 0, curve: [0] }] });
});
