import { describe, expect, it } from 'vitest';
import { type Card, parseCards } from '../src/card.ts';
import { equity } from '../src/equity.ts';
import { seeded } from './play.ts';

const hole = (codes: string): [Card, Card] => parseCards(codes) as [Card, Card];

describe('equity', () => {
  it('is exactly 0, 1 or a share of a tie on the river', () => {
    const board = parseCards('AhKhQhJhTh');
    const tied = equity({ hands: [hole('2h2d'), null, hole('3h3d')], board });
    expect(tied).toEqual({ win: [0, 0, 0], tie: [1, 0, 1], share: [0.5, 0, 0.5], boards: 1, exact: true });
    const won = equity({ hands: [hole('AsAd'), hole('KsKd')], board: parseCards('2h3d9c8s7h') });
    expect(won.win).toEqual([1, 0]);
  });

  it('counts outs exactly: a flush draw on the turn against a set has 7 of 44', () => {
    const turn = equity({ hands: [hole('AhKh'), hole('QsQd')], board: parseCards('2h7h9cQc') });
    // Nine hearts are left, but 9h gives the queens a full house and Qh quads.
    expect(turn.win[0]).toBeCloseTo(7 / 44, 10);
    expect(turn.boards).toBe(44);
    expect(turn.exact).toBe(true);
  });

  it('enumerates every turn and river after the flop', () => {
    const flop = equity({ hands: [hole('AhKh'), hole('QsQd')], board: parseCards('2h7h9c') });
    expect(flop.boards).toBe((45 * 44) / 2);
    expect((flop.share[0] as number) + (flop.share[1] as number)).toBeCloseTo(1, 10);
  });

  it('does not deal dead cards', () => {
    const request = { hands: [hole('AhKh'), hole('QsQd')], board: parseCards('2h7h9cQc') };
    const fewer = equity({ ...request, dead: parseCards('3h4h') });
    expect(fewer.boards).toBe(42);
    expect(fewer.win[0]).toBeCloseTo(5 / 42, 10);
  });

  it('estimates preflop equity from the given random source', () => {
    const request = { hands: [hole('AhAd'), hole('KhKd')], board: [], trials: 20_000 };
    const first = equity({ ...request, random: seeded(3) });
    expect(first.exact).toBe(false);
    // Aces against kings of the same suits win 82.6 % (published tables).
    expect(Math.abs((first.share[0] as number) - 0.826)).toBeLessThan(0.012);
    expect(equity({ ...request, random: seeded(3) })).toEqual(first);
    expect(() => equity(request)).toThrow('a random source is required');
    expect(equity({ ...request, trials: 50, random: seeded(3) }).boards).toBe(50);
  });

  it('refuses a repeated card and a board of another size', () => {
    expect(() => equity({ hands: [hole('AhAd'), hole('AhKd')], board: parseCards('2h3h4h') })).toThrow(
      'a card occurs twice',
    );
    expect(() => equity({ hands: [hole('AhAd')], board: parseCards('2h') })).toThrow('0, 3, 4 or 5 cards');
    for (const card of [52, -1, 1.5])
      expect(() => equity({ hands: [[0, card]], board: parseCards('3h4h5h') })).toThrow(
        new RangeError(`${card} is no card`),
      );
  });
});
