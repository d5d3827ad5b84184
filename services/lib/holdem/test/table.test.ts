import { describe, expect, it } from 'vitest';
import { Action } from '../src/action.ts';
import { blindsAt } from '../src/blinds.ts';
import { positionsAfter, Table } from '../src/table.ts';
import { deckOf, play, seeded, shuffle } from './play.ts';

const blinds = { bigBlind: 10, multiplier: '1', interval: 100 };

describe('positions', () => {
  it('hand 1 has its small blind at seat 0 and its big blind at seat 1', () => {
    const full = [1, 1, 1, 1, 1, 1];
    expect(positionsAfter(full, null)).toEqual({ button: 5, smallBlindSeat: 0, bigBlindSeat: 1 });
    expect(positionsAfter(full, 1)).toEqual({ button: 0, smallBlindSeat: 1, bigBlindSeat: 2 });
    expect(positionsAfter(full, 5)).toEqual({ button: 4, smallBlindSeat: 5, bigBlindSeat: 0 });
  });

  it('heads-up the button is the small blind and alternates, from seat 0 on', () => {
    expect(positionsAfter([1, 1], null)).toEqual({ button: 0, smallBlindSeat: 0, bigBlindSeat: 1 });
    expect(positionsAfter([1, 1], 1)).toEqual({ button: 1, smallBlindSeat: 1, bigBlindSeat: 0 });
    expect(positionsAfter([0, 1, 0, 0, 1, 0], 4)).toEqual({ button: 4, smallBlindSeat: 4, bigBlindSeat: 1 });
  });

  it('26. button and blinds skip a busted player', () => {
    expect(positionsAfter([1, 0, 1, 0, 1, 1], 5)).toEqual({ button: 4, smallBlindSeat: 5, bigBlindSeat: 0 });
    expect(positionsAfter([1, 0, 1, 0, 1, 1], 0)).toEqual({ button: 5, smallBlindSeat: 0, bigBlindSeat: 2 });
    expect(positionsAfter([1, 0, 1, 0, 1, 1], 2)).toEqual({ button: 0, smallBlindSeat: 2, bigBlindSeat: 4 });
  });
});

describe('table', () => {
  it('26. a busted player is dealt no further hand, and the match is over when one player holds every chip', () => {
    const table = new Table({ players: 3, startingStack: 100, blinds });
    const deck = deckOf(['AhAd', '7h2d', 'KhKd'], '3s8c9dJc4s');
    table.finishHand(play(table.startHand(deck), 'f a a'));
    expect(table.stacks).toEqual([200, 0, 100]);
    expect(table.over).toBe(false);
    const second = table.startHand(deck);
    expect(second.dealtIn).toEqual([true, false, true]);
    expect([second.smallBlindSeat, second.bigBlindSeat]).toEqual([0, 2]);
    table.finishHand(play(second, 'a a'));
    expect(table.stacks).toEqual([300, 0, 0]);
    expect(table.over).toBe(true);
    expect(table.handNumber).toBe(2);
    expect(() => table.startHand(deck)).toThrow('one player holds every chip');
  });

  it('resumed from its state deals the same hands as without an interruption', () => {
    const random = seeded(5);
    const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
    const setup = { players: 4, startingStack: 500, blinds: { bigBlind: 10, multiplier: '1.5', interval: 3 } };
    const table = new Table(setup);
    let resumed = new Table(setup);
    for (let hand = 0; hand < 40 && !table.over; hand++) {
      shuffle(deck, random);
      const [one, two] = [table.startHand(deck), resumed.startHand(deck)];
      while (!one.over) {
        const kind = random() < 0.1 ? Action.ALL_IN : random() < 0.2 ? Action.FOLD : Action.CALL;
        if (kind === Action.ALL_IN && one.options().maxRaise === 0) one.act(Action.CALL);
        else one.act(kind);
        const played = one.log.at(-1);
        if (played !== undefined) two.act(played.kind);
      }
      table.finishHand(one);
      resumed.finishHand(two);
      expect(two.log).toEqual(one.log);
      resumed = new Table(setup, resumed.state);
      expect(resumed.state).toEqual(table.state);
    }
  });

  it('refuses to book an unfinished hand, another hand, or to deal two at once', () => {
    const table = new Table({ players: 2, startingStack: 100, blinds });
    const deck = deckOf([], '');
    const hand = table.startHand(deck);
    expect(() => table.startHand(deck)).toThrow('still in play');
    expect(() => table.finishHand(hand)).toThrow('only the finished hand');
    play(hand, 'f');
    expect(() => new Table({ players: 2, startingStack: 100, blinds }).finishHand(hand)).toThrow(
      'only the finished hand',
    );
  });
});

describe('blind schedule', () => {
  const at = (hand: number, multiplier: number | string, interval: number, chips = 60_000) =>
    blindsAt(hand, { bigBlind: 10, multiplier, interval }, chips);

  it('27. doubles after every 30 hands', () => {
    expect([1, 30, 31, 60, 61].map((hand) => at(hand, 2, 30).big)).toEqual([10, 10, 20, 20, 40]);
  });

  it('27. multiplies 10 by 1.5: 10, 15, 22, 33, and halves it for the small blind, rounded down', () => {
    expect([1, 2, 3, 4].map((hand) => at(hand, 1.5, 1))).toEqual([
      { small: 5, big: 10 },
      { small: 7, big: 15 },
      { small: 11, big: 22 },
      { small: 16, big: 33 },
    ]);
  });

  it('27. refuses an interval below 1 and a multiplier that is not a plain decimal above 0', () => {
    for (const interval of [0, -1, 1.5]) expect(() => at(1, 2, interval)).toThrow('interval');
    for (const multiplier of [0, '0.00', -1, 'x', '1e3', 1e-7, Number.NaN])
      expect(() => at(1, multiplier, 1)).toThrow('multiplier');
  });

  it('computes exactly where floats round', () => {
    // 1000 * 1.1^3 is 1331, but 1.1 * 1.1 * 1.1 * 1000 is 1331.0000000000002 and 100 * 1.1 ** 1 110.00000000000001.
    expect(blindsAt(4, { bigBlind: 1000, multiplier: '1.1', interval: 1 }, 60_000).big).toBe(1331);
    expect(blindsAt(2, { bigBlind: 100, multiplier: '1.15', interval: 1 }, 60_000).big).toBe(115);
    expect(Math.trunc(100 * 1.15)).toBe(114);
  });

  it('stays between 1 and all chips in play', () => {
    expect(at(1000, 2, 1)).toEqual({ small: 30_000, big: 60_000 });
    expect(at(1000, '0.5', 1)).toEqual({ small: 1, big: 1 });
    expect(at(100_000, '1.0', 1)).toEqual({ small: 5, big: 10 });
  });
});
