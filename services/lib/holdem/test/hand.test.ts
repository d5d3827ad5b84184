import { describe, expect, it } from 'vitest';
import { Action, type ActionKind } from '../src/action.ts';
import { adjudicate, type Hand } from '../src/hand.ts';
import { deal, play } from './play.ts';

describe('adjudicate', () => {
  const six = [1000, 1000, 1000, 1000, 1000, 1000];
  const fold = (fault: string) => ({ kind: Action.FOLD, amount: 0, adjusted: null, fault });

  it('rules an all-in as the whole stack, whatever the amount says', () => {
    for (const amount of [0, 5, 1000, Number.POSITIVE_INFINITY]) {
      const ruling = adjudicate(deal({ stacks: six }), Action.ALL_IN, amount);
      expect(ruling).toEqual({ kind: Action.ALL_IN, amount: 1000, adjusted: null, fault: null });
    }
  });

  it('accepts a fold even when a check is possible', () => {
    const ruling = adjudicate(play(deal({ stacks: six }), 'c c c c c'), Action.FOLD, 0);
    expect(ruling).toEqual({ kind: Action.FOLD, amount: 0, adjusted: null, fault: null });
  });

  it('reports a bad amount of a known kind as illegal-amount, and of an unknown kind as illegal-action', () => {
    const hand = deal({ stacks: six });
    for (const kind of Object.values(Action)) expect(adjudicate(hand, kind, 'ten')).toEqual(fold('illegal-amount'));
    for (const kind of [0, 6, -1, 1.5, '1', '5', Number.NaN, null, undefined, {}]) {
      expect(adjudicate(hand, kind, 'ten')).toEqual(fold('illegal-action'));
    }
  });
});

describe('hand', () => {
  const six = [1000, 1000, 1000, 1000, 1000, 1000];

  /** Applies an action that the hand must refuse, and checks that nothing has changed. */
  function refuses(hand: Hand, kind: number, amount: number, message: string): void {
    const before = structuredClone({ stacks: hand.stacks, bets: hand.bets, log: hand.log, actor: hand.actor });
    expect(() => hand.act(kind as ActionKind, amount)).toThrow(new RangeError(message));
    expect({ stacks: hand.stacks, bets: hand.bets, log: hand.log, actor: hand.actor }).toEqual(before);
  }

  it('refuses a raise outside the limits, which a dishonest dealer could deliver', () => {
    const hand = deal({ stacks: six });
    refuses(hand, Action.RAISE, 19, 'the minimum raise is 20 chips, not 19');
    refuses(hand, Action.RAISE, 1001, 'seat 2 has 1000 chips, not 1001');
    refuses(hand, Action.RAISE, 20.5, 'a raise must be a whole number of chips');
    refuses(hand, Action.RAISE, Number.NaN, 'a raise must be a whole number of chips');
    expect(play(deal({ stacks: six }), 'r1000').log.at(-1)).toMatchObject({ kind: Action.ALL_IN, amount: 1000 });
    expect(play(deal({ stacks: six }), 'r20').log.at(-1)).toMatchObject({ kind: Action.RAISE, amount: 20 });
  });

  it('refuses a check while there is a bet, and an unknown action', () => {
    const hand = deal({ stacks: six });
    refuses(hand, Action.CHECK, 0, 'seat 2 cannot check: 10 to call');
    for (const kind of [0, 6]) refuses(hand, kind, 0, `no action has the number ${kind}`);
  });

  it('refuses a raise and an all-in of a seat to which a short all-in did not reopen the betting', () => {
    // Seat 2 raises to 40, seat 3 goes all-in for 60: less than a full raise.
    const hand = play(deal({ stacks: [1000, 1000, 1000, 60, 1000, 1000] }), 'r40 a f f f f');
    expect(hand.actor).toBe(2);
    expect(hand.options()).toEqual({ toCall: 20, canCheck: false, minRaise: 0, maxRaise: 0 });
    refuses(hand, Action.RAISE, 40, 'betting is not reopened to seat 2');
    refuses(hand, Action.ALL_IN, 0, 'betting is not reopened to seat 2');
    play(hand, 'c');
    expect(hand.over).toBe(true);
  });

  it('refuses every action once the hand is over', () => {
    const hand = play(deal({ stacks: [100, 100] }), 'f');
    refuses(hand, Action.FOLD, 0, 'nobody is to act: the hand is over');
    expect(() => hand.options()).toThrow('nobody is to act: the hand is over');
    expect(hand.toAct).toEqual([]);
    expect(hand.actor).toBeNull();
  });

  it('reports the pots of a street with no bets as one empty pot of the hands in play', () => {
    const hand = play(deal({ stacks: six }), 'f f f f c k');
    expect(hand.street).toBe(1);
    expect(hand.streetPots()).toEqual([{ amount: 0, eligible: [0, 1] }]);
    expect(hand.pots()).toEqual([{ amount: 20, eligible: [0, 1] }]);
  });

  it('does not reopen the betting to a seat that checked before an all-in below the big blind', () => {
    // Three players see the flop; the last has 5 chips left and bets them.
    const hand = play(deal({ stacks: [1000, 1000, 15] }), 'c c k k k a');
    expect(hand.street).toBe(1);
    expect(hand.actor).toBe(0);
    expect(hand.options()).toEqual({ toCall: 5, canCheck: false, minRaise: 0, maxRaise: 0 });
  });

  it('logs blinds as raises, and one that takes the whole stack as an all-in', () => {
    const hand = deal({ stacks: [1000, 7, 1000] });
    expect(hand.log).toEqual([
      { street: 0, seat: 0, kind: Action.RAISE, amount: 5, adjusted: false },
      { street: 0, seat: 1, kind: Action.ALL_IN, amount: 7, adjusted: false },
    ]);
  });

  it('records the bets of the street on which all but one folded', () => {
    const hand = play(deal({ stacks: six }), 'r40 f f f f f');
    expect(hand.closed).toEqual({ street: 0, bets: [5, 10, 40, 0, 0, 0], currentBet: 40 });
    const later = play(deal({ stacks: [1000, 1000] }), 'c k k r30 f');
    expect(later.closed).toEqual({ street: 1, bets: [30, 0], currentBet: 30 });
  });

  it('keeps a copy of the stacks that it was given', () => {
    const stacks = [1000, 1000];
    const hand = deal({ stacks });
    stacks.fill(1);
    expect(play(hand, 'f').deltas).toEqual([-5, 5]);
  });
});
