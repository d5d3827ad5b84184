import { describe, expect, it } from 'vitest';
import { Action, type ActionKind } from '../src/action.ts';
import { adjudicate } from '../src/hand.ts';
import { Table } from '../src/table.ts';
import { deal, deckOf, play } from './play.ts';

const six = [1000, 1000, 1000, 1000, 1000, 1000];

describe('scenarios of play (SB 5, BB 10, seats clockwise from the small blind)', () => {
  it('1. everybody folds to the big blind: it wins 5 and no card is dealt', () => {
    const hand = play(deal({ stacks: six }), 'f f f f f');
    expect(hand.over).toBe(true);
    expect(hand.deltas).toEqual([-5, 5, 0, 0, 0, 0]);
    expect(hand.returned).toEqual([0, 5, 0, 0, 0, 0]);
    expect(hand.board).toEqual([]);
    expect(hand.shownHands).toEqual([1]);
  });

  it('2. after five limps the big blind may check', () => {
    const hand = play(deal({ stacks: six }), 'c c c c c');
    expect(hand.actor).toBe(1);
    expect(hand.pot).toBe(60);
    expect(hand.options()).toEqual({ toCall: 0, canCheck: true, minRaise: 10, maxRaise: 990 });
    play(hand, 'k');
    expect(hand.street).toBe(1);
    expect(hand.actor).toBe(0);
  });

  it('2. after five limps and a raise by the big blind all others act again', () => {
    const hand = play(deal({ stacks: six }), 'c c c c c r30');
    expect(hand.currentBet).toBe(40);
    expect(hand.toAct).toEqual([2, 3, 4, 5, 0]);
    play(hand, 'c c c c c');
    expect(hand.street).toBe(1);
    expect(hand.pot).toBe(240);
  });

  it('3. when all call the small blind’s raise the street closes without another action of a blind', () => {
    const hand = play(deal({ stacks: six }), 'c c c c r40 c c c c');
    expect(hand.toAct).toEqual([5]);
    play(hand, 'c');
    expect(hand.street).toBe(1);
    expect(hand.pot).toBe(270);
    expect(hand.log.filter(({ seat }) => seat < 2)).toHaveLength(4);
  });

  it('4. heads-up the button posts the small blind, acts first before the flop and last after it', () => {
    const hand = deal({ stacks: [1000, 1000] });
    expect(hand.log.map(({ seat, amount }) => [seat, amount])).toEqual([
      [0, 5],
      [1, 10],
    ]);
    expect(hand.actor).toBe(0);
    play(hand, 'c');
    expect(hand.actor).toBe(1);
    expect(hand.options()).toEqual({ toCall: 0, canCheck: true, minRaise: 10, maxRaise: 990 });
    play(hand, 'k');
    expect(hand.street).toBe(1);
    expect(hand.toAct).toEqual([1, 0]);
  });

  it.each([
    { busted: 0, bigBlind: 2, small: 1 },
    { busted: 1, bigBlind: 2, small: 0 },
    { busted: 2, bigBlind: 0, small: 1 },
  ])(
    '5. three-handed to heads-up after seat $busted busts: blinds, order and button follow the rules',
    ({ busted, bigBlind, small }) => {
      // In hand 1 seat 1 has the big blind.
      const holes = ['2h3d', '2d3h', '2c3s'];
      holes[busted === 0 ? 1 : 0] = 'AhAd';
      const table = new Table({
        rulesVersion: 2,
        players: 3,
        startingStack: 100,
        blinds: { bigBlind: 10, multiplier: 1, interval: 50 },
      });
      const deck = deckOf(holes, 'AcKs9h8d4s');
      const first = table.startHand(deck);
      const winner = holes.indexOf('AhAd');
      while (!first.over) {
        const actor = first.actor as number;
        first.act(actor === winner || actor === busted ? Action.ALL_IN : Action.FOLD);
      }
      table.finishHand(first);
      expect(table.stacks[busted]).toBe(0);
      const second = table.startHand(deck);
      expect([second.bigBlindSeat, second.smallBlindSeat, second.button]).toEqual([bigBlind, small, small]);
      expect(second.actor).toBe(small);
      play(second, 'c k');
      expect(second.actor).toBe(bigBlind);
    },
  );

  it('6. the smallest raise adds the last full raise: first to 20; after a raise to 30, to 50', () => {
    const hand = deal({ stacks: six });
    expect(hand.options().minRaise).toBe(20);
    play(hand, 'r30');
    expect(hand.options().minRaise).toBe(50);
    expect(() => hand.act(Action.RAISE, 49)).toThrow('the minimum raise is 50 chips');
  });

  it('6. after the flop: bet 10, raise to 30, next to 50', () => {
    const hand = play(deal({ stacks: six }), 'f f f c c k');
    expect(hand.options().minRaise).toBe(10);
    play(hand, 'r10');
    expect(hand.options().minRaise).toBe(20);
    play(hand, 'r30');
    expect(hand.options().minRaise).toBe(50);
  });

  it('6. refuses a raise above the stack, by a fraction of a chip, or by NaN or infinity', () => {
    const hand = deal({ stacks: [1000, 1000, 300] });
    expect(() => hand.act(Action.RAISE, 301)).toThrow('seat 2 has 300 chips, not 301');
    for (const amount of [20.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => hand.act(Action.RAISE, amount)).toThrow('a whole number of chips');
    }
    expect(hand.stacks).toEqual([995, 990, 300]);
    hand.act(Action.RAISE, 300);
    expect(hand.log.at(-1)).toEqual({ street: 0, seat: 2, kind: Action.ALL_IN, amount: 300, adjusted: false });
  });

  it('refuses an action of an unknown kind and a check when there is a bet to call, naming the rule', () => {
    const hand = deal({ stacks: six });
    expect(() => hand.act(6 as ActionKind)).toThrow('no action has the number 6');
    expect(() => hand.act(Action.CHECK)).toThrow('seat 2 cannot check: 10 to call');
    expect(hand.log).toHaveLength(2);
  });

  it('7. a short all-in does not reopen the betting to players who have acted; the others may raise', () => {
    const hand = play(deal({ stacks: [130, 1000, 1000] }), 'r100 a');
    expect(hand.actor).toBe(1);
    expect(hand.options().minRaise).toBe(210);
    play(hand, 'c');
    expect(hand.actor).toBe(2);
    expect(hand.options()).toEqual({ toCall: 30, canCheck: false, minRaise: 0, maxRaise: 0 });
    expect(() => hand.act(Action.RAISE, 200)).toThrow('not reopened');
    expect(() => hand.act(Action.ALL_IN)).toThrow('not reopened');
    const called = { kind: Action.CALL, amount: 30, adjusted: 'not-reopened', fault: null };
    expect(adjudicate(hand, Action.ALL_IN, 0)).toEqual(called);
    // A raise of min_raise, of less than the call, of the call, of more, and of the whole stack.
    for (const amount of [0, 10, 30, 31, 200, 5000, Number.POSITIVE_INFINITY]) {
      expect(adjudicate(hand, Action.RAISE, amount)).toEqual(called);
    }
    expect(adjudicate(hand, Action.RAISE, -1)).toMatchObject({ kind: Action.FOLD, fault: 'illegal-amount' });
  });

  it('7. where betting is not reopened a raise becomes all-in when the stack does not exceed the call', () => {
    const hand = play(deal({ stacks: [130, 1000, 130] }), 'r100 a c');
    expect(hand.options()).toMatchObject({ toCall: 30, maxRaise: 0 });
    expect(adjudicate(hand, Action.RAISE, 0)).toEqual({
      kind: Action.ALL_IN,
      amount: 30,
      adjusted: 'not-reopened',
      fault: null,
    });
  });

  it('a raise of 0 is a check when the bot was shown 0 as minimum, as in the classic profile', () => {
    const hand = play(deal({ stacks: six }), 'f f f c c k');
    expect(hand.options().canCheck).toBe(true);
    expect(adjudicate(hand, Action.RAISE, 0, 0)).toEqual({
      kind: Action.CHECK,
      amount: 0,
      adjusted: 'minimum-of-zero',
      fault: null,
    });
    expect(adjudicate(hand, Action.RAISE, 0)).toMatchObject({ kind: Action.FOLD, fault: 'illegal-raise' });
    expect(adjudicate(hand, Action.RAISE, 10, 0)).toMatchObject({ kind: Action.RAISE, amount: 10, adjusted: null });
  });

  it.each([
    { shove: 220, minimum: 310, why: 'a full raise' },
    { shove: 200, minimum: 290, why: 'two short all-ins that add up to one' },
  ])('8. open 100, call, all-ins 130 and $shove: $why lets the opener raise to $minimum', ({ shove, minimum }) => {
    const hand = play(deal({ stacks: [1000, 1000, 1000, 1000, 130, shove] }), 'r100 c a a f f');
    expect(hand.actor).toBe(2);
    expect(hand.options()).toMatchObject({ toCall: shove - 100, minRaise: minimum - 100, maxRaise: 900 });
  });

  it('21. a fold-out on any street ends the hand without another card or decision', () => {
    const lines = ['f f f f f', 'f f f c c k r10 f f', 'f f f c c k k k k r10 f f', 'f f f c c k k k k k k k r10 f f'];
    for (const [street, line] of lines.entries()) {
      const hand = play(deal({ stacks: six }), line);
      expect(hand.over).toBe(true);
      expect(hand.actor).toBeNull();
      expect(hand.toAct).toEqual([]);
      expect(hand.street).toBe(street);
      expect(hand.board).toHaveLength(street === 0 ? 0 : street + 2);
      expect(() => hand.act(Action.FOLD)).toThrow('nobody is to act');
      expect(hand.shownHands).toHaveLength(1);
    }
  });

  it('22. when at most one player has chips behind, nobody acts and the board is completed', () => {
    const hand = play(deal({ stacks: [100, 1000, 100] }), 'a a c');
    expect(hand.over).toBe(true);
    expect(hand.board).toHaveLength(5);
    expect(hand.street).toBe(3);
    expect(hand.closed).toEqual({ street: 0, bets: [100, 100, 100], currentBet: 100 });
  });

  it('22. two players with chips behind continue betting when a third is all-in', () => {
    const hand = play(deal({ stacks: [1000, 1000, 100] }), 'a c c');
    expect(hand.over).toBe(false);
    expect(hand.toAct).toEqual([0, 1]);
  });

  it('23. a call above the stack is all-in for less, a raise of the stack or more is all-in', () => {
    const short = deal({ stacks: [1000, 1000, 8] });
    expect(adjudicate(short, Action.CALL, 0)).toEqual({ kind: Action.ALL_IN, amount: 8, adjusted: null, fault: null });
    const hand = deal({ stacks: [1000, 1000, 300] });
    for (const amount of [300, 301, 1e300, Number.POSITIVE_INFINITY]) {
      expect(adjudicate(hand, Action.RAISE, amount)).toEqual({
        kind: Action.ALL_IN,
        amount: 300,
        adjusted: null,
        fault: null,
      });
    }
  });

  it('23. a raise below the minimum is lifted to the minimum, or to all-in when the stack is smaller', () => {
    const lifted = adjudicate(deal({ stacks: six }), Action.RAISE, 11.9);
    expect(lifted).toEqual({ kind: Action.RAISE, amount: 20, adjusted: 'below-minimum', fault: null });
    const short = adjudicate(deal({ stacks: [1000, 1000, 15] }), Action.RAISE, 12);
    expect(short).toEqual({ kind: Action.ALL_IN, amount: 15, adjusted: 'below-minimum', fault: null });
  });

  it('23. an action that cannot be adjusted to a legal one folds with its fault', () => {
    const hand = deal({ stacks: six });
    const fold = (fault: string) => ({ kind: Action.FOLD, amount: 0, adjusted: null, fault });
    for (const amount of [-1, -0.5, Number.NaN, Number.NEGATIVE_INFINITY, null, undefined, '20', true, [20]]) {
      expect(adjudicate(hand, Action.RAISE, amount)).toEqual(fold('illegal-amount'));
      expect(adjudicate(hand, Action.CALL, amount)).toEqual(fold('illegal-amount'));
    }
    for (const kind of [0, 6, 1.5, '3', null, undefined, true]) {
      expect(adjudicate(hand, kind, 0)).toEqual(fold('illegal-action'));
    }
    expect(adjudicate(hand, Action.CHECK, 0)).toEqual(fold('illegal-check'));
    for (const amount of [0, 9, 10, 10.9])
      expect(adjudicate(hand, Action.RAISE, amount)).toEqual(fold('illegal-raise'));
  });

  it('24. with nothing to call a check is always legal and a call becomes a check', () => {
    const hand = play(deal({ stacks: six }), 'f f f f c');
    expect(hand.actor).toBe(1);
    for (const kind of [Action.CHECK, Action.CALL]) {
      expect(adjudicate(hand, kind, 0)).toEqual({ kind: Action.CHECK, amount: 0, adjusted: null, fault: null });
    }
    play(hand, 'c');
    expect(hand.log.at(-1)).toEqual({ street: 0, seat: 1, kind: Action.CHECK, amount: 0, adjusted: false });
    expect(hand.street).toBe(1);
  });

  it('25. (the engine’s part) a failed reply folds even when a check is possible, and the hand continues', () => {
    const hand = play(deal({ stacks: six }), 'f f f c c');
    expect(hand.options().canCheck).toBe(true);
    const ruling = adjudicate(hand, 0, 'TypeError: no action');
    expect(ruling).toEqual({ kind: Action.FOLD, amount: 0, adjusted: null, fault: 'illegal-action' });
    hand.act(ruling.kind, ruling.amount);
    expect(hand.over).toBe(false);
    expect(hand.actor).toBe(0);
  });
});
