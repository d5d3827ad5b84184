import { Action } from '@husky/holdem/action';
import { Hand } from '@husky/holdem/hand';
import { expect, it } from 'vitest';
import { judge } from './judge.ts';
import { NO_ACTION } from './seat-link.ts';

/** A hand in which seat 2 has opened to 100, seat 0 is all-in for 130 and seat 1 has called: seat 2 may call 30 or fold. */
function notReopened(): Hand {
  const hand = openingHand();
  hand.act(Action.RAISE, 100);
  hand.act(Action.ALL_IN);
  hand.act(Action.CALL);
  return hand;
}

/** A hand in which seat 2 is the first to act. */
const openingHand = () =>
  new Hand({
    stacks: [130, 1000, 1000],
    button: 2,
    smallBlindSeat: 0,
    bigBlindSeat: 1,
    smallBlind: 5,
    bigBlind: 10,
    deck: Uint8Array.from({ length: 52 }, (_, card) => card),
  });

it.each([0, 12, 60, 200])(
  'adjusts a raise by %i to a call, with the reason, where betting is not reopened',
  (amount) => {
    const detail = `RAISE${amount === 0 ? '' : ` ${amount}`}: a short all-in did not reopen the betting`;
    expect(judge(notReopened(), Action.RAISE, amount, 0)).toEqual({
      kind: Action.CALL,
      amount: 30,
      adjusted: true,
      fault: null,
      detail,
    });
  },
);

it('names a raise that is too small, and one where the bot was shown no raise', () => {
  const { kind, amount, detail } = judge(openingHand(), Action.RAISE, 11, 20);
  expect([kind, amount, detail]).toEqual([Action.RAISE, 20, 'RAISE 11: less than the minimum raise']);
  const equal = judge(openingHand(), Action.RAISE, 10, 20);
  expect(equal).toMatchObject({
    fault: 'illegal',
    detail: 'RAISE 10: a raise that does not exceed the current bet; add at least min_raise',
  });
  expect(judge(openingHand(), Action.RAISE, 0, 0)).toMatchObject({
    kind: Action.CALL,
    detail: 'RAISE: min_raise was 0',
  });
});

it('adjusts an all-in to a call where betting is not reopened', () => {
  const detail = 'ALL_IN: a short all-in did not reopen the betting';
  expect(judge(notReopened(), Action.ALL_IN, 0, 0)).toMatchObject({ kind: Action.CALL, amount: 30, detail });
});

it('plays a legal action as it was requested, without a note', () => {
  const unchanged = { adjusted: false, fault: null, detail: undefined };
  expect(judge(notReopened(), Action.CALL, 0, 0)).toEqual({ kind: Action.CALL, amount: 30, ...unchanged });
  expect(judge(notReopened(), Action.FOLD, 7, 0)).toEqual({ kind: Action.FOLD, amount: 0, ...unchanged });
});

it.each<[number, number, string]>([
  [Action.CHECK, 0, 'CHECK: a check while there is a bet to call; return CALL or FOLD'],
  [Action.RAISE, -5, 'RAISE -5: the amount must be a number that is not negative; it is the chips to add'],
  [9, 0, 'action 9: no such action'],
])('folds for an illegal action and names it (%i, %i)', (kind, amount, detail) => {
  const fold = { kind: Action.FOLD, amount: 0, adjusted: false };
  expect(judge(notReopened(), kind, amount, 0)).toEqual({ ...fold, fault: 'illegal', detail });
});

it('keeps the text of an illegal return value and of an exception', () => {
  const none = judge(notReopened(), NO_ACTION, 'get_action must return a tuple', 0);
  expect(none).toMatchObject({ kind: Action.FOLD, fault: 'illegal', detail: 'get_action must return a tuple' });
  expect(judge(notReopened(), 0, 'KeyError: 3', 0)).toMatchObject({ fault: 'exception', detail: 'KeyError: 3' });
});
