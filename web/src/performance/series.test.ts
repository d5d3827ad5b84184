import { describe, expect, it } from 'vitest';
import { performanceCsv } from './save-png.ts';
import {
  defaultSample,
  finalRankings,
  sampleLabel,
  sampleOfHand,
  sampleOptions,
  sampleSeries,
  toSeries,
} from './series.ts';
import { moveRange, parseHand, rangeLabel, scaleRange, selectRange } from './zoom-bar.tsx';

const upTo = (hands: number) => Array.from({ length: hands }, (_, hand) => hand + 1);

describe('samples', () => {
  it.each([
    [0, 1],
    [99, 1],
    [100, 10],
    [499, 10],
    [500, 25],
    [999, 25],
    [1_000, 50],
    [10_000, 50],
  ])('%i hands have a default sample of %i', (hands, sample) => {
    expect(defaultSample(hands)).toBe(sample);
  });

  it('offers five sample sizes, and the default if it is not one of them', () => {
    expect(sampleOptions(1_000)).toEqual([25, 50, 75, 100, 200]);
    expect(sampleOptions(40).map(sampleLabel)).toEqual(['Raw', 'Avg 25', 'Avg 50', 'Avg 75', 'Avg 100', 'Avg 200']);
    expect(sampleOptions(200).map(sampleLabel)[0]).toBe('Avg 10');
  });

  it('averages chunks, draws each at its last hand, and starts with a 0 point', () => {
    expect(sampleSeries({ name: 'a', values: upTo(60) }, 25)).toEqual({
      name: 'a',
      hands: [0, 25, 50, 60],
      values: [0, 13, 38, 55.5],
    });
  });

  it('rounds averages to cents and keeps raw values', () => {
    expect(sampleSeries({ name: 'a', values: [1, 1, 2] }, 3).values).toEqual([0, 1.33]);
    expect(sampleSeries({ name: 'a', values: [5, -3] }, 1)).toEqual({
      name: 'a',
      hands: [0, 1, 2],
      values: [0, 5, -3],
    });
    expect(sampleSeries({ name: 'a', values: [] }, 50)).toEqual({ name: 'a', hands: [0], values: [0] });
  });

  it('returns the sample of a hand', () => {
    expect([1, 25, 26, 60].map((hand) => sampleOfHand(hand, 25))).toEqual([1, 1, 2, 3]);
  });

  it('orders players by seat, whatever their names, and unknown seats last', () => {
    const data = { '123': [1], ann: [2], zoe: [3], bob: [4] };
    expect(toSeries(data, ['zoe', 'ann', '123']).map(({ name }) => name)).toEqual(['zoe', 'ann', '123', 'bob']);
  });

  it('repeats the last value for entries that are not numbers', () => {
    expect(toSeries(JSON.parse('{"b":[1,null,"x",3],"a":[],"c":5}'))).toEqual([
      { name: 'a', values: [] },
      { name: 'b', values: [1, 1, 1, 3] },
    ]);
  });
});

describe('rankings', () => {
  it('ranks by the last value with percent of the starting chips, ties sharing a rank', () => {
    const rankings = finalRankings(toSeries({ a: [0, -250], b: [0, 125], c: [3, 125] }));
    expect(rankings.map(({ rank, name, percent }) => [rank, name, percent])).toEqual([
      [1, 'b', 1.25],
      [1, 'c', 1.25],
      [3, 'a', -2.5],
    ]);
  });
});

describe('zoom', () => {
  it('swaps the ends of a backward range and ignores an empty one', () => {
    expect(selectRange(80.4, 20, 100)).toEqual({ from: 20, to: 80 });
    expect(selectRange(50.1, 50.3, 100)).toBeNull();
    expect(selectRange(Number.NaN, 3, 100)).toBeNull();
    expect(selectRange(-40, 500, 100)).toEqual({ from: 0, to: 100 });
  });

  it('accepts whole numbers only', () => {
    expect(['12', ' 7 ', '-3', '1.5', '1e3', '', 'abc', '٣'].map(parseHand)).toEqual([
      12,
      7,
      -3,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it('labels the range', () => {
    expect(rangeLabel(null)).toBe('FULL RANGE');
    expect(rangeLabel({ from: 5, to: 90 })).toBe('ZOOMED: 5 → 90');
  });

  it('scales around a hand and moves within the hands', () => {
    expect(scaleRange(null, 0.5, 500, 1_000)).toEqual({ from: 250, to: 750 });
    expect(scaleRange({ from: 250, to: 750 }, 2, 500, 1_000)).toBeNull();
    expect(scaleRange({ from: 0, to: 4 }, 0.5, 2, 1_000)).toEqual({ from: 0, to: 4 });
    expect(moveRange({ from: 900, to: 990 }, 0.5, 1_000)).toEqual({ from: 910, to: 1_000 });
    expect(moveRange(null, 0.5, 1_000)).toBeNull();
  });
});

describe('CSV', () => {
  it('has a row per hand and a column per player', () => {
    expect(performanceCsv(toSeries({ bob: [5, -5], ann: [1] }))).toBe('hand,ann,bob\n1,1,5\n2,,-5\n');
  });

  it('quotes names and defuses formulas, but keeps usernames', () => {
    expect(
      performanceCsv([
        { name: '=HYPERLINK("x"),y', values: [] },
        { name: '-x', values: [] },
      ]),
    ).toBe(`hand,"'=HYPERLINK(""x""),y",-x\n`);
  });
});
