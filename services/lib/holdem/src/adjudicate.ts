import { Action, type ActionKind } from './action.ts';
import type { Hand } from './hand.ts';

/** Why an action was refused. */
export type IllegalReason = 'illegal-action' | 'illegal-amount' | 'illegal-check' | 'illegal-raise';

/** Why the action played differs from the requested one. */
export type AdjustReason = 'not-reopened' | 'below-minimum' | 'minimum-of-zero';

/** The ruling on a bot's action: a legal action to apply, why it was changed, and the fault if it was illegal. */
export interface Ruling {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: AdjustReason | null;
  readonly fault: IllegalReason | null;
}

const REASONS: Readonly<Record<IllegalReason | AdjustReason, string>> = {
  'illegal-action': 'no such action',
  'illegal-amount': 'the amount must be a number that is not negative',
  'illegal-check': 'a check while there is a bet to call',
  'illegal-raise': 'a raise that does not exceed the current bet',
  'not-reopened': 'a short all-in did not reopen the betting',
  'below-minimum': 'less than the minimum raise',
  'minimum-of-zero': 'min_raise was 0',
};

/** Describes the reason of a fault or an adjustment to the bot's author. */
export function explain(reason: IllegalReason | AdjustReason): string {
  return REASONS[reason];
}

const legal = (kind: ActionKind, amount = 0, adjusted: AdjustReason | null = null): Ruling => ({
  kind,
  amount,
  adjusted,
  fault: null,
});
const illegal = (fault: IllegalReason): Ruling => ({ kind: Action.FOLD, amount: 0, adjusted: null, fault });

/**
 * Rules on the actor's raw reply without applying it. The ruling's kind and amount (chips added) are what `Hand.act` will log. An
 * illegal reply becomes a FOLD with its fault. The amount must be a number of at least 0 for every kind, as the original client
 * required, but only RAISE uses it; infinity exceeds every stack, fractions are truncated. `shownMinRaise` is the min_raise that
 * the bot was shown, if that is not the smallest legal raise.
 */
export function adjudicate(hand: Hand, kind: unknown, amount: unknown, shownMinRaise?: number): Ruling {
  if (typeof amount !== 'number' || Number.isNaN(amount) || amount < 0) {
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
      return call(toCall, stack);
    case Action.ALL_IN:
      return allIn(toCall, stack, maxRaise);
    case Action.RAISE: {
      const chips = Math.floor(amount);
      if (chips >= stack) return allIn(toCall, stack, maxRaise);
      if (maxRaise === 0) return call(toCall, stack, 'not-reopened');
      if (chips === 0 && shownMinRaise === 0) return call(toCall, stack, 'minimum-of-zero');
      if (chips <= toCall) return illegal('illegal-raise');
      if (chips >= minRaise) return legal(Action.RAISE, chips);
      return legal(minRaise === stack ? Action.ALL_IN : Action.RAISE, minRaise, 'below-minimum');
    }
    default:
      return illegal('illegal-action');
  }
}

function isKind(kind: unknown): boolean {
  return (Object.values(Action) as readonly unknown[]).includes(kind);
}

function call(toCall: number, stack: number, adjusted: AdjustReason | null = null): Ruling {
  if (toCall === 0) return legal(Action.CHECK, 0, adjusted);
  return toCall === stack ? legal(Action.ALL_IN, stack, adjusted) : legal(Action.CALL, toCall, adjusted);
}

function allIn(toCall: number, stack: number, maxRaise: number): Ruling {
  return stack > toCall && maxRaise === 0 ? call(toCall, stack, 'not-reopened') : legal(Action.ALL_IN, stack);
}
