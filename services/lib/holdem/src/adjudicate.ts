import { Action, type ActionKind } from './action.ts';
import type { Hand } from './hand.ts';

/** Why an answer was illegal. */
export type IllegalReason =
  | 'illegal-action'
  | 'illegal-amount'
  | 'illegal-check'
  | 'illegal-raise'
  | 'illegal-not-reopened';

/** What a bot's answer comes to: a legal action to apply, whether it was changed, and the fault if it was illegal. */
export interface Ruling {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
  readonly fault: IllegalReason | null;
}

const REASONS: Readonly<Record<IllegalReason, string>> = {
  'illegal-action': 'no such action',
  'illegal-amount': 'the amount must be a finite number that is not negative',
  'illegal-check': 'a check while there is a bet to call',
  'illegal-raise': 'a raise that does not exceed the current bet',
  'illegal-not-reopened': 'a raise although a short all-in did not reopen the betting',
};

/** An illegal answer in words, for the bot's author. */
export function explainIllegal(reason: IllegalReason): string {
  return REASONS[reason];
}

const legal = (kind: ActionKind, amount = 0, adjusted = false): Ruling => ({ kind, amount, adjusted, fault: null });
const illegal = (fault: IllegalReason): Ruling => ({ kind: Action.FOLD, amount: 0, adjusted: false, fault });

/**
 * Decision 4 as a pure function: what the actor's raw answer means now. The ruling's kind and amount (chips added) are what
 * `Hand.act` will log. Anything illegal is a FOLD with its fault. The amount must be a number from 0 for every kind, as the
 * original client demanded, although it counts for RAISE only; fractions are cut off.
 */
export function adjudicate(hand: Hand, kind: unknown, amount: unknown): Ruling {
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount < 0) {
    return isKind(kind) ? illegal('illegal-amount') : illegal('illegal-action');
  }
  const { toCall, canCheck, minRaise, maxRaise } = hand.options();
  const stack = hand.stacks[hand.actor as number] as number;
  switch (kind) {
    case Action.FOLD:
      return legal(Action.FOLD);
    case Action.CHECK:
      return canCheck ? legal(Action.CHECK) : illegal('illegal-check');
    case Action.CALL:
      return call(toCall, stack, false);
    case Action.ALL_IN:
      return allIn(toCall, stack, maxRaise);
    case Action.RAISE: {
      const chips = Math.floor(amount);
      if (chips >= stack) return allIn(toCall, stack, maxRaise);
      if (chips <= toCall) return illegal('illegal-raise');
      if (maxRaise === 0) return illegal('illegal-not-reopened');
      if (chips >= minRaise) return legal(Action.RAISE, chips);
      return minRaise === stack ? legal(Action.ALL_IN, stack, true) : legal(Action.RAISE, minRaise, true);
    }
    default:
      return illegal('illegal-action');
  }
}

function isKind(kind: unknown): boolean {
  return typeof kind === 'number' && Number.isInteger(kind) && kind >= Action.FOLD && kind <= Action.ALL_IN;
}

function call(toCall: number, stack: number, adjusted: boolean): Ruling {
  if (toCall === 0) return legal(Action.CHECK, 0, adjusted);
  return toCall === stack ? legal(Action.ALL_IN, stack, adjusted) : legal(Action.CALL, toCall, adjusted);
}

function allIn(toCall: number, stack: number, maxRaise: number): Ruling {
  return stack > toCall && maxRaise === 0 ? call(toCall, stack, true) : legal(Action.ALL_IN, stack);
}
