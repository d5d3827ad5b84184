import { Action, type ActionKind } from '@husky/holdem/action';
import { Hand } from '@husky/holdem/hand';
import { deckFor } from '@husky/match/deck';
import { recordHand } from '@husky/match/record';
import { describe, expect, test } from 'vitest';
import { countHand, PlayCounters, POSITIONS, positionsOf } from '../src/play-counters.ts';
import { figuresOf, STATISTICS } from '../src/play-statistics.ts';

type Move = 'f' | 'k' | 'c' | 'a' | number;
const kinds: Readonly<Record<'f' | 'k' | 'c' | 'a', ActionKind>> = {
  f: Action.FOLD,
  k: Action.CHECK,
  c: Action.CALL,
  a: Action.ALL_IN,
};

/** Plays a hand of up to six seats with the button at seat 0 (small blind 1, big blind 2) and blinds of 5 and 10. A number is a RAISE of these chips. */
function hand(moves: readonly Move[], stacks: readonly number[] = [1000, 1000, 1000, 1000, 1000, 1000], dead = {}) {
  const dealt = [...stacks.keys()].filter((seat) => (stacks[seat] ?? 0) > 0);
  const [button = 0, second = 1, third = 2] = dealt;
  const blinds =
    dealt.length === 2
      ? { smallBlindSeat: button, bigBlindSeat: second }
      : { smallBlindSeat: second, bigBlindSeat: third };
  const played = new Hand({
    stacks,
    button,
    ...blinds,
    ...dead,
    smallBlind: 5,
    bigBlind: 10,
    deck: deckFor(new Uint8Array(32), 1),
  });
  for (const move of moves) {
    if (typeof move === 'number') played.act(Action.RAISE, move);
    else played.act(kinds[move]);
  }
  const record = recordHand(
    played,
    0,
    moves.map(() => ({ ms: 0 })),
  );
  return { record, startStacks: stacks, bigBlind: 10 };
}

/** Returns 'count/of' of a seat's statistic after these hands. */
function figure(
  hands: readonly ReturnType<typeof hand>[],
  seat: number,
  statistic: string,
  { position = '', street = '' } = {},
): string {
  const seats = (hands[0]?.startStacks ?? []).map(() => new PlayCounters());
  for (const one of hands) countHand(seats, one);
  const found = figuresOf(seats[seat] ?? new PlayCounters()).find(
    (one) => one.statistic === statistic && one.position === position && one.street === street,
  );
  return `${found?.count}/${found?.of}`;
}

const [BTN, SB, BB, UTG, HJ, CO] = [0, 1, 2, 3, 4, 5] as const;

test('names positions relative to the button for two to six players', () => {
  const places = (stacks: readonly number[], moves: Move[]) => positionsOf(hand(moves, stacks));
  expect(places([9, 9, 9, 9, 9, 9], ['f', 'f', 'f', 'f', 'f'])).toEqual([3, 4, 5, 0, 1, 2]);
  expect(places([99, 99, 99, 99, 0, 99], ['f', 'f', 'f', 'f'])).toEqual([3, 4, 5, 1, null, 2]);
  expect(places([99, 99, 99, 0, 99, 0], ['f', 'f', 'f'])).toEqual([3, 4, 5, null, 2, null]);
  expect(places([99, 0, 99, 0, 99, 0], ['f', 'f'])).toEqual([3, null, 4, null, 5, null]);
  expect(places([0, 99, 0, 99], ['f'])).toEqual([null, 3, null, 5]);
});

const indexOf = (name: string | null) => (name === null ? null : (POSITIONS as readonly string[]).indexOf(name));
const deadSmallBlind = { button: 0, smallBlindSeat: 1, bigBlindSeat: 2 };

test('keeps the place of a dead small blind, and names the player before a dead button BTN', () => {
  const four = [99, 0, 99, 99];
  expect(positionsOf(hand(['f', 'f'], four, deadSmallBlind))).toEqual(['BTN', null, 'BB', 'CO'].map(indexOf));
  expect(positionsOf(hand(['f', 'f'], four, { button: 1, smallBlindSeat: 2, bigBlindSeat: 3 }))).toEqual(
    ['BTN', null, 'SB', 'BB'].map(indexOf),
  );
  const five = [99, 0, 99, 99, 99];
  expect(positionsOf(hand(['f', 'f', 'f'], five, deadSmallBlind))).toEqual(
    ['BTN', null, 'BB', 'HJ', 'CO'].map(indexOf),
  );
});

describe('before the flop', () => {
  test('counts the first decision after a dead small blind, and no big blind as one', () => {
    const played = hand([30, 'f', 'f'], [1000, 0, 1000, 1000], deadSmallBlind);
    expect([figure([played], 3, 'vpip'), figure([played], 3, 'pfr')]).toEqual(['1/1', '1/1']);
    expect([figure([played], 0, 'vpip'), figure([played], 2, 'vpip')]).toEqual(['0/1', '0/1']);
    expect(figure([hand(['f', 'f'], [1000, 0, 1000, 1000], deadSmallBlind)], 2, 'vpip')).toBe('0/0');
  });

  test('leaves walks out of VPIP and PFR, and counts a blind that is only checked as not voluntary', () => {
    const walk = hand(['f', 'f', 'f', 'f', 'f']);
    expect(figure([walk], BB, 'vpip')).toBe('0/0');
    expect(figure([walk], SB, 'vpip')).toBe('0/1');
    const limped = hand(['c', 'f', 'f', 'f', 'c', 'k', 'k', 'k', 'k', 'k', 'k', 'k', 'k', 'k', 'k']);
    expect(figure([limped], UTG, 'vpip')).toBe('1/1');
    expect(figure([limped], SB, 'vpip')).toBe('1/1');
    expect(figure([limped], BB, 'vpip')).toBe('0/1');
    expect(figure([limped], UTG, 'pfr')).toBe('0/1');
    expect(figure([walk, limped], UTG, 'vpip', { position: 'UTG' })).toBe('1/2');
  });

  test('counts no decision of a blind that is all-in; its short post does not lower the bet to call', () => {
    const short = hand(['a', 'f', 'f', 'f', 'f'], [1000, 1000, 4, 7, 1000, 1000]);
    expect(figure([short], BB, 'vpip')).toBe('0/0');
    expect([figure([short], UTG, 'vpip'), figure([short], UTG, 'pfr')]).toEqual(['1/1', '0/1']);
  });

  test('counts one hand for a player who raises twice', () => {
    const war = hand(['f', 'f', 'f', 30, 90, 'f', 200, 'f']);
    expect([figure([war], BTN, 'vpip'), figure([war], BTN, 'pfr')]).toEqual(['1/1', '1/1']);
    expect(figure([war], SB, 'three_bet')).toBe('1/1');
    expect(figure([war], BTN, 'three_bet')).toBe('0/0');
    expect(figure([war], BTN, 'fold_to_three_bet')).toBe('0/1');
    // The big blind faced two raises: no chance for the second one.
    expect(figure([war], BB, 'three_bet')).toBe('0/0');
  });

  test('counts a squeeze as a three-bet, and its fold for the first raiser only', () => {
    const squeeze = hand([30, 'c', 'f', 'f', 'f', 150, 'f', 'f']);
    expect(figure([squeeze], BB, 'three_bet')).toBe('1/1');
    expect(figure([squeeze], HJ, 'three_bet')).toBe('0/1');
    expect(figure([squeeze], UTG, 'fold_to_three_bet')).toBe('1/1');
    expect(figure([squeeze], HJ, 'fold_to_three_bet')).toBe('0/0');
  });

  test('gives no chance for a three-bet to a player who can only call an all-in', () => {
    const covered = hand(['f', 'f', 'f', 'a', 'f', 'f']);
    expect(figure([covered], SB, 'three_bet')).toBe('0/0');
    const short = hand(['f', 'f', 'f', 500, 'f', 'f'], [1000, 1000, 300, 1000, 1000, 1000]);
    expect(figure([short], SB, 'three_bet')).toBe('0/1');
    expect(figure([short], BB, 'three_bet')).toBe('0/0');
  });

  test('counts the all-in of a short stack below the bet as a call and above it as a raise', () => {
    const call = hand([300, 'f', 'f', 'f', 'f', 'a'], [1000, 1000, 200, 1000, 1000, 1000]);
    expect([figure([call], BB, 'pfr'), figure([call], BB, 'vpip')]).toEqual(['0/1', '1/1']);
    const raise = hand([100, 'f', 'f', 'f', 'f', 'a', 'f'], [1000, 1000, 250, 1000, 1000, 1000]);
    expect([figure([raise], BB, 'pfr'), figure([raise], BB, 'three_bet')]).toEqual(['1/1', '1/1']);
  });

  test('counts a steal only of the first one in, in late position, at a table of three or more', () => {
    const first = hand(['f', 'f', 'f', 25, 'f', 'f']);
    expect([figure([first], BTN, 'steal'), figure([first], CO, 'steal')]).toEqual(['1/1', '0/1']);
    expect(figure([first], SB, 'steal')).toBe('0/0');
    const limped = hand(['c', 'f', 'f', 25, 'f', 'f', 'f']);
    expect(figure([limped], BTN, 'steal')).toBe('0/0');
    expect(figure([hand([25, 'f', 'f', 'f', 'f', 'f'])], UTG, 'steal')).toBe('0/0');
    const headsUp = hand([15, 'f'], [1000, 1000]);
    expect([figure([headsUp], 0, 'steal'), figure([headsUp], 0, 'pfr', { position: 'BTN' })]).toEqual(['0/0', '1/1']);
  });
});

describe('after the flop', () => {
  const opened: Move[] = ['f', 'f', 'f', 30, 'f', 'c'];

  test('counts the continuation bet of the last raiser, on each street while nobody raises it', () => {
    const three = hand([...opened, 'k', 30, 'c', 'k', 60, 'c', 'k', 'k']);
    const on = (street: string) => figure([three], BTN, 'c_bet', { street });
    expect([on('flop'), on('turn'), on('river')]).toEqual(['1/1', '1/1', '0/1']);
    expect(figure([three], BTN, 'c_bet')).toBe('1/1');
    expect(figure([three], BB, 'fold_to_c_bet')).toBe('0/1');
    expect(figure([three], BB, 'fold_to_c_bet', { street: 'turn' })).toBe('0/1');
    const raised = hand([...opened, 'k', 30, 90, 'c', 'k', 'k', 'k', 'k']);
    expect(figure([raised], BTN, 'c_bet', { street: 'turn' })).toBe('0/0');
  });

  test('gives no chance after a bet of an opponent, or in a limped pot', () => {
    expect(figure([hand([...opened, 20, 'f'])], BTN, 'c_bet')).toBe('0/0');
    const limped = hand(['f', 'f', 'f', 'c', 'f', 'k', 'k', 20, 'f']);
    expect([figure([limped], BTN, 'c_bet'), figure([limped], BB, 'fold_to_c_bet')]).toEqual(['0/0', '0/0']);
  });

  test('counts a fold to a continuation bet only while nobody has raised it', () => {
    const multiway = hand(['f', 'f', 'f', 30, 'c', 'c', 'k', 'k', 45, 135, 'f', 'f']);
    expect(figure([multiway], SB, 'fold_to_c_bet')).toBe('0/1');
    expect(figure([multiway], BB, 'fold_to_c_bet')).toBe('0/0');
    expect(figure([hand([...opened, 'k', 30, 'f'])], BB, 'fold_to_c_bet')).toBe('1/1');
  });

  test('counts aggression after the flop, by street also before it', () => {
    const one = hand([...opened, 'k', 30, 90, 'c', 'k', 'k', 40, 'f']);
    expect([figure([one], BB, 'aggression_factor'), figure([one], BB, 'aggression_frequency')]).toEqual(['2/0', '2/2']);
    expect([figure([one], BTN, 'aggression_factor'), figure([one], BTN, 'aggression_frequency')]).toEqual([
      '1/1',
      '1/3',
    ]);
    expect(figure([one], BTN, 'aggression_factor', { street: 'preflop' })).toBe('1/0');
    expect(figure([one], BB, 'aggression_frequency', { street: 'preflop' })).toBe('0/1');
  });

  test('counts showdowns of those who saw the flop, run-outs included, and any part of a pot as won', () => {
    const folded = hand([...opened, 'k', 30, 'f']);
    expect([figure([folded], BB, 'went_to_showdown'), figure([folded], SB, 'went_to_showdown')]).toEqual([
      '0/1',
      '0/0',
    ]);
    const runOut = hand(['f', 'f', 'f', 'a', 'f', 'c']);
    expect([figure([runOut], BTN, 'went_to_showdown'), figure([runOut], BB, 'went_to_showdown')]).toEqual([
      '1/1',
      '1/1',
    ]);
    const won = [BTN, BB].map((seat) => figure([runOut], seat, 'won_at_showdown'));
    expect(won.toSorted()).toEqual(['0/1', '1/1']);
    // Stacks of three sizes: whoever wins the main pot has won, even if it loses more in the side pot.
    const side = hand(['f', 'f', 'f', 'a', 'a', 'a'], [100, 400, 900, 1000, 1000, 1000]);
    const nets = side.record.deltas;
    for (const seat of [BTN, SB, BB]) {
      const expected = (nets[seat] ?? 0) > -([100, 400, 400][seat] ?? 0) ? '1/1' : '0/1';
      expect(figure([side], seat, 'won_at_showdown')).toBe(expected);
    }
  });

  test('measures bets by the pot after a call, without the chips that nobody can call', () => {
    // Flop: 30 into 65. Before the flop: 20 over a call of 10 into 15.
    const half = hand([...opened, 'k', 30, 'f']);
    expect(figure([half], BTN, 'bet_size')).toBe('0.462/1');
    expect(figure([half], BTN, 'bet_size', { street: 'preflop' })).toBe('0.8/1');
    const over = hand([...opened, 'k', 'a', 'f'], [1000, 1000, 160, 1000, 1000, 1000]);
    expect(figure([over], BTN, 'bet_size')).toBe('2/1');
    const alone = hand(['f', 'f', 'f', 'a', 'f', 'f']);
    expect(figure([alone], BTN, 'bet_size')).toBe('0/0');
  });
});

test('a bot that folds everything has only statistics for which it had opportunities', () => {
  const idle = hand(['f', 'f', 'f', 25, 'f', 'f']);
  const figures = STATISTICS.map((name) => `${name} ${figure([idle, idle], UTG, name)}`);
  expect(figures.filter((text) => !text.endsWith('0/0'))).toEqual(['vpip 0/2', 'pfr 0/2']);
});

test('adds packed counters and refuses bytes that are cut short', () => {
  const seats = Array.from({ length: 6 }, () => new PlayCounters());
  countHand(seats, hand(['f', 'f', 'f', 30, 'f', 'c', 'k', 30, 'f']));
  const sum = new PlayCounters();
  const packed = seats[BTN]?.pack() ?? Buffer.alloc(0);
  for (const _ of [1, 2, 3]) sum.addPacked(packed);
  expect(sum.ofHands('raised')).toBe(3);
  expect(sum.ofStreet('sizes', 1, 3)).toBe(3 * 462);
  expect(() => sum.addPacked(packed.subarray(1))).toThrow(RangeError);
});
