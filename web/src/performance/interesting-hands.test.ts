import { describe, expect, it } from 'vitest';
import { findInterestingHands } from './interesting-hands.ts';
import { toSeries } from './series.ts';

const reasonsOf = (data: Record<string, number[]>) =>
  findInterestingHands(toSeries(data)).map((hand) => [
    hand.iteration,
    ...hand.reasons.map(({ reason }) => reason).sort(),
  ]);

describe('interesting hands', () => {
  it('are empty for fewer than two players or two hands', () => {
    expect(findInterestingHands([])).toEqual([]);
    expect(findInterestingHands(toSeries({ a: [1, 900] }))).toEqual([]);
    expect(findInterestingHands(toSeries({ a: [900], b: [-900] }))).toEqual([]);
  });

  it('include a breakthrough with its change of leadership, numbered from 1', () => {
    const [hand, ...others] = findInterestingHands(
      toSeries({ a: [100, 100, 100], b: [-40, -40, 600], c: [-60, -60, -700] }),
    );
    expect(others).toEqual([]);
    expect(hand?.iteration).toBe(3);
    expect(hand?.reasons.map(({ reason }) => reason)).toContain('Player Breakthrough');
  });

  it('rate a collapse by the larger of absolute and relative change', () => {
    const [hand] = findInterestingHands(toSeries({ a: [500, -2_500], b: [-250, 1_250], c: [-250, 1_250] }));
    const collapse = hand?.reasons.find(({ reason }) => reason === 'Player Collapse');
    expect(collapse?.significance).toBe(6);
    expect(collapse?.description).toBe('a lost $3,000');
  });

  it('use only the absolute change if the previous value was 0', () => {
    expect(reasonsOf({ a: [0, 401], b: [0, -401] })).toContainEqual([2, 'Player Breakthrough']);
    expect(reasonsOf({ a: [0, 399], b: [0, -399] })).toEqual([]);
  });

  it('include a hand only if the mean or the variance changes by 30 %', () => {
    expect(reasonsOf({ a: [10_000, 10_500], b: [-10_000, -10_500] })).toEqual([]);
    expect(reasonsOf({ a: [1_000, 1_500], b: [-1_000, -1_500] })).toEqual([[2, 'Player Breakthrough']]);
  });

  it('include the comeback of a player from the bottom 30 %, but only with a gain', () => {
    const data = { a: [900, 200], b: [-800, 100], c: [-100, -300] };
    const hands = findInterestingHands(toSeries(data));
    expect(
      hands[0]?.reasons.filter(({ reason }) => reason === 'Underdog Comeback').map(({ description }) => description),
    ).toEqual(['b came back with $900']);
    expect(reasonsOf({ a: [100, 400], b: [-100, -400] }).flat()).not.toContain('Underdog Comeback');
  });

  it('include a change of leadership if the former leader dropped by more than 30 % of the mean', () => {
    expect(reasonsOf({ a: [300, -500], b: [-300, 500] })[0]).toContain('Leadership Change');
    expect(reasonsOf({ a: [300, 290], b: [280, 500], c: [-580, -790] }).flat()).not.toContain('Leadership Change');
  });

  it('are at most ten, sorted, with positive significance at a zero-sum table', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed / 2_147_483_648 - 0.5;
    };
    const rows = Array.from({ length: 6 }, () => [] as number[]);
    for (let hand = 0; hand < 1_000; hand += 1) {
      const winner = Math.floor((random() + 0.5) * 6);
      for (const [player, row] of rows.entries()) row.push((row.at(-1) ?? 0) + (player === winner ? 500 : -100));
    }
    const hands = findInterestingHands(toSeries(Object.fromEntries(rows.map((row, player) => [`p${player}`, row]))));
    const scores = hands.map(({ totalSignificance }) => totalSignificance);
    expect(hands).toHaveLength(10);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(hands.every(({ reasons }) => reasons.every(({ significance }) => significance > 0))).toBe(true);
  });

  it('use the mean itself if the table is not zero-sum', () => {
    expect(reasonsOf({ a: [100, 160], b: [50, 60] })).toEqual([[2, 'Player Breakthrough']]);
    expect(reasonsOf({ a: [-500, -900], b: [-100, -120] })[0]).toEqual([2, 'Player Collapse']);
  });

  it.each([
    ['the gain relative to the own previous value', { anna: [100, 400], zoe: [1_000, 700] }, 'anna gained $300'],
    [
      'of equal shares the larger change',
      { anna: [500, -2_500], bob: [-250, 1_250], zoe: [-250, 1_250] },
      'anna lost $3,000',
    ],
    ['of equal changes the gain', { anna: [5_000, 4_000], zoe: [-5_000, -4_000] }, 'zoe gained $1,000'],
    ['all who share the largest change', { anna: [0, -900], bob: [0, 450], zoe: [0, 450] }, 'anna lost $900'],
    [
      'both winners of a split pot',
      { anna: [0, 0], bob: [0, 450], zoe: [0, 450], rake: [0, -300] },
      'bob and zoe gained $450 each',
    ],
    [
      'both who took a shared lead',
      { anna: [900, 100], bob: [0, 400], zoe: [0, 400] },
      'bob and zoe took the lead from anna',
    ],
    ['nobody who kept a shared lead', { anna: [500, 900], bob: [500, 100], zoe: [-1_000, -1_000] }, null],
  ])('name %s, in any order and under any names', (_what, data, expected) => {
    const players = Object.entries(data);
    const orders = players.map((_, at) => [...players.slice(at), ...players.slice(0, at)]);
    for (const order of [...orders, ...orders.map((one) => one.toReversed())]) {
      const described = findInterestingHands(order.map(([name, values]) => ({ name, values }))).flatMap(({ reasons }) =>
        reasons.map(({ description }) => description),
      );
      if (expected === null) expect(described.join()).not.toContain('took the lead');
      else expect(described).toContain(expected);
    }
  });

  it('are the same hands with the same events for any names and any order of the players', () => {
    let seed = 11;
    const below = (count: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * count);
    };
    const codes = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5'];
    const coded = (names: readonly string[], order: readonly number[], rows: readonly number[][]) =>
      findInterestingHands(order.map((player) => ({ name: names[player] ?? '', values: rows[player] ?? [] }))).map(
        ({ iteration, totalSignificance, reasons }) => ({
          iteration,
          totalSignificance,
          reasons: reasons
            .map(({ reason, significance, description }) => {
              const words = description.split(' ').map((word) => codes[names.indexOf(word)] ?? word);
              return { reason, significance, words: words.sort().join(' ') };
            })
            .sort((a, b) => (a.words < b.words ? -1 : 1)),
        }),
      );
    let found = 0;
    for (let round = 0; round < 300; round += 1) {
      const players = 2 + below(5);
      const rows = Array.from({ length: players }, () => [0]);
      for (let hand = 0; hand < 12; hand += 1) {
        // Pots of few sizes between two or three players, so that many changes are tied.
        const size = 300 * (1 + below(3));
        const [winner, loser, other] = [below(players), below(players), below(players)];
        for (const row of rows) row.push(row.at(-1) ?? 0);
        for (const [player, chips] of [
          [winner, 2 * size],
          [loser, -size],
          [other, -size],
        ] as const) {
          const row = rows[player];
          if (row) row.push((row.pop() ?? 0) + chips);
        }
      }
      const order = [...rows.keys()];
      const expected = coded(codes, order, rows);
      found += expected.length;
      const shuffled = order.map((player) => ({ player, key: below(1_000) })).sort((a, b) => a.key - b.key);
      const renamed = codes.map((_, player) => `${'zyxwvu'[below(6)]}${player}`);
      expect(
        coded(
          renamed,
          shuffled.map(({ player }) => player),
          rows,
        ),
      ).toEqual(expected);
    }
    expect(found).toBeGreaterThan(1_000);
  });
});
