import { expect, it } from 'vitest';
import { Action } from '../src/action.ts';
import { adjudicate } from '../src/hand.ts';
import { deal, play } from './play.ts';

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
