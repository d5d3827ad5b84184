import { expect, it } from 'vitest';
import { blindLevel, blindsAt, checkSchedule, type HandSetup, parseMultiplier } from '../src/blinds.ts';
import { Hand } from '../src/hand.ts';

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

const setup: HandSetup = {
  stacks: [100, 100, 0],
  button: 0,
  smallBlindSeat: 0,
  bigBlindSeat: 1,
  smallBlind: 5,
  bigBlind: 10,
  deck: Array.from({ length: 17 }, (_, card) => card),
};

it.each<[string, Partial<HandSetup>, string]>([
  ['one seat', { stacks: [100] }, '2 to 6 seats'],
  ['seven seats', { stacks: new Array<number>(7).fill(100) }, '2 to 6 seats'],
  ['a negative stack', { stacks: [100, 100, -1] }, 'stacks are whole numbers'],
  ['a fraction of a chip in a stack', { stacks: [100, 100, 0.5] }, 'stacks are whole numbers'],
  ['no small blind', { smallBlind: 0 }, 'blinds are whole numbers'],
  ['a small blind of half a chip', { smallBlind: 2.5 }, 'blinds are whole numbers'],
  ['a big blind of half a chip', { bigBlind: 10.5 }, 'blinds are whole numbers'],
  ['a small blind above the big blind', { smallBlind: 11 }, 'the small one at most the big one'],
  ['a deck without a river', { deck: new Array<number>(16).fill(0) }, 'the deck is too short'],
  ['a single player', { stacks: [100, 0, 0] }, 'a hand has two players or more'],
  ['a button at a seat that does not exist', { button: 3 }, 'there is no seat 3'],
  ['a small blind at a seat that does not exist', { smallBlindSeat: -1 }, 'there is no seat -1'],
  ['a big blind at a seat that does not exist', { bigBlindSeat: 3 }, 'there is no seat 3'],
  ['a big blind without chips', { bigBlindSeat: 2 }, 'seat 2 has no chips for the big blind'],
  ['both blinds on one seat', { smallBlindSeat: 1 }, 'both blinds are on one seat'],
])('refuses to deal a hand with %s', (_, patch, problem) => {
  expect(() => new Hand({ ...setup, ...patch })).toThrow(problem);
});

it.each<[string, Partial<HandSetup>]>([
  ['the smallest deck, with a seat without chips', {}],
  ['two seats of one chip and equal blinds of 1', { stacks: [1, 1], smallBlind: 1, bigBlind: 1 }],
  ['six seats', { stacks: new Array<number>(6).fill(100) }],
])('deals a hand with %s', (_, patch) => {
  expect(new Hand({ ...setup, ...patch }).log).toHaveLength(2);
});
