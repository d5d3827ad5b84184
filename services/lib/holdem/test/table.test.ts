import { describe, expect, it } from 'vitest';
import { Action } from '../src/action.ts';
import { blindLevel, blindsAt, checkSchedule, parseMultiplier } from '../src/blinds.ts';
import { Table } from '../src/table.ts';
import { deckOf, play, seeded, shuffle } from './play.ts';

const rulesVersion = 2;
const blinds = { bigBlind: 10, multiplier: '1', interval: 100 };

describe('table', () => {
  it('26. a busted player is dealt no further hand, and the match is over when one player holds every chip', () => {
    const table = new Table({ rulesVersion, players: 3, startingStack: 100, blinds });
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

  it('with reset stacks deals every hand from the starting stack and never ends; results add up', () => {
    const table = new Table({ rulesVersion, players: 3, startingStack: 100, blinds, stacks: 'reset' });
    const deck = deckOf(['AhAd', '7h2d', 'KhKd'], '3s8c9dJc4s');
    for (const hands of [1, 2, 3, 4, 5, 6]) {
      const hand = table.startHand(deck);
      expect(hand.startStacks).toEqual([100, 100, 100]);
      expect(hand.dealtIn).toEqual([true, true, true]);
      table.finishHand(play(hand, 'a a a'));
      expect(table.stacks).toEqual([100 + 200 * hands, 100 - 100 * hands, 100 - 100 * hands]);
      expect(table.over).toBe(false);
    }
    expect(table.state.bigBlindSeat).toBe(0);
  });

  it.each(['carry', 'reset'] as const)(
    'resumed from its state (%s) deals the same hands as without an interruption',
    (stacks) => {
      const random = seeded(5);
      const deck = Uint8Array.from({ length: 52 }, (_, card) => card);
      const setup = {
        rulesVersion,
        players: 4,
        startingStack: 500,
        stacks,
        blinds: { bigBlind: 10, multiplier: '1.5', interval: 3 },
      };
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
    },
  );

  it('refuses to book an unfinished hand, another hand, or to deal two at once', () => {
    const table = new Table({ rulesVersion, players: 2, startingStack: 100, blinds });
    const deck = deckOf([], '');
    const hand = table.startHand(deck);
    expect(() => table.startHand(deck)).toThrow('still in play');
    expect(() => table.finishHand(hand)).toThrow('only the finished hand');
    play(hand, 'f');
    expect(() => new Table({ rulesVersion, players: 2, startingStack: 100, blinds }).finishHand(hand)).toThrow(
      'only the finished hand',
    );
  });

  it('refuses a state of another number of players', () => {
    const state = { stacks: [100, 100, 100], handNumber: 4, bigBlindSeat: 2, nextButton: 1 };
    expect(() => new Table({ rulesVersion, players: 2, startingStack: 100, blinds }, state)).toThrow(
      'another number of players',
    );
  });

  it('refuses a bad blind schedule before the first hand', () => {
    const setup = { rulesVersion, players: 2, startingStack: 100, blinds: { ...blinds, interval: 0 } };
    expect(() => new Table(setup)).toThrow('interval');
  });

  it('raises the blinds between hands and keeps states apart from the stacks in play', () => {
    const table = new Table({
      rulesVersion,
      players: 2,
      startingStack: 100,
      blinds: { bigBlind: 10, multiplier: '2', interval: 1 },
    });
    const { state } = table;
    expect(table.blindsOf(1)).toEqual({ small: 5, big: 10 });
    expect(table.blindsOf(2)).toEqual({ small: 10, big: 20 });
    expect(table.blindsOf(1)).toEqual({ small: 5, big: 10 });
    const hand = play(table.startHand(deckOf([], '')), 'f');
    table.finishHand(hand);
    expect(state).toEqual({ stacks: [100, 100], handNumber: 0, bigBlindSeat: null, nextButton: null });
    expect(table.state).toEqual({ stacks: [95, 105], handNumber: 1, bigBlindSeat: 1, nextButton: 0 });
    expect(table.startHand(deckOf([], '')).bigBlind).toBe(20);
    expect(table.chipsInPlay).toBe(200);
  });
});

const at = (hand: number, multiplier: number | string, interval: number, chips = 60_000) =>
  blindsAt(hand, { bigBlind: 10, multiplier, interval }, chips);

it('27. doubles after every 30 hands', () => {
  expect([1, 30, 31, 60, 61].map((hand) => at(hand, 2, 30).big)).toEqual([10, 10, 20, 20, 40]);
  expect([1, 30, 31, 60, 61].map((hand) => blindLevel(hand, 30))).toEqual([0, 0, 1, 1, 2]);
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
  const interval = 'the blind interval must be a whole number of at least 1';
  for (const value of [0, -1, 1.5, Number.NaN]) expect(() => at(1, 2, value)).toThrow(interval);
  for (const multiplier of [
    -1,
    'x',
    '1e3',
    1e-7,
    Number.NaN,
    '',
    '1.',
    '.5',
    ' 1',
    '1 ',
    '1.5x',
    '1'.repeat(13),
    `1.${'1'.repeat(13)}`,
  ])
    expect(() => at(1, multiplier, 1)).toThrow(`must be a plain decimal, not '${multiplier}'`);
  for (const multiplier of [0, '0.00']) expect(() => at(1, multiplier, 1)).toThrow('must be above 0');
});

it('refuses a big blind or a hand that is not a whole number of at least 1', () => {
  for (const bigBlind of [0, -10, 2.5, Number.NaN, 2 ** 53]) {
    const schedule = { bigBlind, multiplier: '1', interval: 1 };
    expect(() => checkSchedule(schedule)).toThrow('the big blind must be a whole number of at least 1');
    expect(() => blindsAt(1, schedule, 100)).toThrow('the big blind');
  }
  checkSchedule({ bigBlind: 1, multiplier: '1', interval: 1 });
  expect(() => checkSchedule({ bigBlind: 1, multiplier: 'x', interval: 1 })).toThrow('multiplier');
  for (const hand of [0, -1, 1.5, Number.NaN]) expect(() => at(hand, 2, 1)).toThrow('hands count from 1');
});

it('parses a multiplier into an exact fraction', () => {
  expect(parseMultiplier('12.50')).toEqual({ numerator: 1250n, denominator: 100n });
  expect(parseMultiplier(2)).toEqual({ numerator: 2n, denominator: 1n });
  const digits = '123456789012';
  expect(parseMultiplier(`${digits}.${digits}`)).toEqual({
    numerator: BigInt(digits + digits),
    denominator: 10n ** 12n,
  });
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
  expect(at(1, 2, 1, 7)).toEqual({ small: 3, big: 7 });
  expect(at(1, 2, 1, 0)).toEqual({ small: 1, big: 1 });
});

it('computes the blinds of the highest hand number without computing every level before it', () => {
  const last = Number.MAX_SAFE_INTEGER;
  expect(at(last, 2, 1)).toEqual({ small: 30_000, big: 60_000 });
  expect(at(last, '0.9', 1)).toEqual({ small: 1, big: 1 });
  expect(at(last, '1.00', 1)).toEqual({ small: 5, big: 10 });
});
