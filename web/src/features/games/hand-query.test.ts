import { describe, expect, it } from 'vitest';
import { barsOf } from './hand-minimap.tsx';
import { EMPTY_QUERY, type HandEntry, type HandQuery, netsOf, queryOf, selectHands, withQuery } from './hand-query.ts';

const facts = { pot: 15, street: 'preflop', showdown: false, allIn: false, winners: ['ann'], faults: [] } as const;
const hand = (number: number, part: Partial<NonNullable<HandEntry['facts']>> = {}): HandEntry => ({
  number,
  gameId: `g${number}`,
  facts: { ...facts, ...part },
});
const hands = [
  hand(1, { pot: 500, showdown: true, allIn: true }),
  hand(2, { faults: ['ben'] }),
  hand(3, { pot: 900, showdown: true, street: 'river' }),
  hand(4, { pot: 500, faults: ['ann'] }),
];
const series = [
  { name: 'ann', values: [-250, -260, 190, 190] },
  { name: 'ben', values: [250, 260, -190, -190] },
];
const select = (part: Partial<HandQuery>, player = '') =>
  selectHands(hands, { ...EMPTY_QUERY, player, ...part }, netsOf(series, player)).map(({ number }) => number);

describe('the query of the hand list', () => {
  it('keeps hands that pass every filter', () => {
    expect(select({})).toEqual([1, 2, 3, 4]);
    expect(select({ allIn: true })).toEqual([1]);
    expect(select({ showdown: true, minPot: 600 })).toEqual([3]);
    expect(select({ faults: true })).toEqual([2, 4]);
    expect(select({ faults: true }, 'ann')).toEqual([4]);
    expect(select({ net: 'loss' }, 'ann')).toEqual([1, 2]);
    expect(select({ net: 'win' }, 'ann')).toEqual([3]);
    expect(select({ street: 'river' })).toEqual([3]);
  });

  it('orders by number, pot, win and loss; equal hands by number', () => {
    expect(select({ order: 'descending' })).toEqual([4, 3, 2, 1]);
    expect(select({ order: 'pot' })).toEqual([3, 1, 4, 2]);
    expect(select({ order: 'win' }, 'ann')).toEqual([3, 4, 2, 1]);
    expect(select({ order: 'loss', net: 'loss' }, 'ann')).toEqual([1, 2]);
  });

  it('passes no hand whose facts are not loaded through a filter on facts', () => {
    const bare = [{ number: 1, gameId: 'g1', facts: null }];
    expect(selectHands(bare, { ...EMPTY_QUERY, allIn: true }, undefined)).toEqual([]);
    expect(selectHands(bare, EMPTY_QUERY, undefined)).toBe(bare);
  });

  it('is written into the address and read from it, beside other parameters', () => {
    const query: HandQuery = {
      ...EMPTY_QUERY,
      order: 'loss',
      player: 'ann',
      net: 'loss',
      allIn: true,
      minPot: 200,
      street: 'turn',
    };
    const params = withQuery(new URLSearchParams('gameNumber=7'), query);
    expect(params.toString()).toBe('gameNumber=7&order=loss&player=ann&net=loss&all_in=1&min_pot=200&street=turn');
    expect(queryOf(params, ['ann', 'ben'])).toEqual(query);
    expect(withQuery(params, EMPTY_QUERY).toString()).toBe('gameNumber=7');
  });

  it('ignores values that make no sense', () => {
    const params = new URLSearchParams('order=loss&player=zoe&net=loss&min_pot=-3');
    expect(queryOf(params, ['ann'])).toEqual(EMPTY_QUERY);
    expect(queryOf(new URLSearchParams('order=best&min_pot=1e99&street=sixth'), ['ann'])).toEqual(EMPTY_QUERY);
  });
});

describe('the map of pots', () => {
  it('draws a bar for each hand with a pot, on a scale of square roots', () => {
    expect(barsOf([0, 100, 400], 400, 3)).toBe('M250.0 48V24.0M416.7 48V0.0');
  });

  it('draws at most 500 bars, each with the largest pot of its hands', () => {
    const pots = Array.from({ length: 1000 }, (_, index) => (index === 3 ? 900 : 100));
    const bars = barsOf(pots, 900, 1000).split('M').slice(1);
    expect(bars).toHaveLength(500);
    expect(bars[1]).toContain('V0.0');
  });
});
