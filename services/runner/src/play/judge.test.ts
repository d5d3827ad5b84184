import { Action } from '@husky/holdem/action';
import { Hand } from '@husky/holdem/hand';
import { describe, expect, it } from 'vitest';
import { DecisionClock, judge, maxStepMs } from './judge.ts';
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

const start = {
  limitMs: 1000,
  nowMs: 120,
  elapsedMs: 120,
  times: { cpuMs: 500, waitMs: 50 },
  since: { cpuMs: 110, waitMs: 0 },
};
const asleep = { ...start, since: { cpuMs: 0, waitMs: 0 } };

describe('the clock of a decision', () => {
  it('counts processor time', () => {
    const clock = new DecisionClock(start);
    expect(clock.usedMs).toBe(110);
    clock.sample(160, { cpuMs: 540, waitMs: 50 });
    expect(clock.usedMs).toBe(150);
    clock.sample(2000, { cpuMs: 1390, waitMs: 50 });
    expect(clock.expired).toBe(true);
  });

  it('counts at most the elapsed time for processor time used before the first sample', () => {
    expect(new DecisionClock({ ...start, since: { cpuMs: 5000, waitMs: 0 } }).usedMs).toBe(120);
  });

  it('expires for a sleeping bot after three times the limit', () => {
    const clock = new DecisionClock(asleep);
    let now = 120;
    while (!clock.expired) {
      now += 50;
      clock.sample(now, start.times);
    }
    expect(now).toBeGreaterThanOrEqual(3000);
    expect(now).toBeLessThan(3060);
  });

  it('does not count time for which the machine stood still', () => {
    const clock = new DecisionClock(asleep);
    clock.sample(60_000, start.times);
    expect(clock.usedMs).toBeCloseTo((120 + maxStepMs) / 3);
  });

  it('does not count wall time for which the seat waited for a processor', () => {
    const clock = new DecisionClock(asleep);
    for (let step = 1; step <= 100; step++)
      clock.sample(120 + 50 * step, { cpuMs: 500 + step, waitMs: 50 + 49 * step });
    expect(clock.usedMs).toBe(100);
    expect(new DecisionClock({ ...asleep, since: { cpuMs: 0, waitMs: 90 } }).usedMs).toBeCloseTo(10);
  });
});
