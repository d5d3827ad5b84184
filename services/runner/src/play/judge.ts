import { Action, type ActionKind } from '@husky/holdem/action';
import { type AdjustReason, adjudicate, type Hand, type IllegalReason } from '@husky/holdem/hand';
import type { Fault } from '@husky/match/fault';
import { NO_ACTION } from './seat-link.ts';

/** The ruling on a reply. If the action played differs from the requested one, `detail` has the request and the reason. */
export interface Judgement {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
  readonly fault: Fault | null;
  readonly detail: string | undefined;
}

const KIND_NAMES = ['?', 'FOLD', 'CHECK', 'CALL', 'RAISE', 'ALL_IN'] as const;

/** What bots' authors read about a fault or an adjustment. */
const REASONS: Readonly<Record<IllegalReason | AdjustReason, string>> = {
  'illegal-action': 'no such action',
  'illegal-amount': 'the amount must be a number that is not negative; it is the chips to add',
  'illegal-check': 'a check while there is a bet to call; return CALL or FOLD',
  'illegal-raise': 'a raise that does not exceed the current bet; add at least min_raise',
  'not-reopened': 'a short all-in did not reopen the betting',
  'below-minimum': 'less than the minimum raise',
  'minimum-of-zero': 'min_raise was 0',
};

/**
 * Judges the actor's reply. In a reply without an action `amount` is a text: the exception that the bot raised, or the problem of the
 * value that it returned. `shownMinRaise` is the min_raise that the bot was shown.
 */
export function judge(hand: Hand, kind: number, amount: number | string, shownMinRaise: number): Judgement {
  if (typeof amount === 'string') return foldFor(kind === NO_ACTION ? 'illegal' : 'exception', amount);
  const ruling = adjudicate(hand, kind, amount, shownMinRaise);
  const reason = ruling.fault ?? ruling.adjusted;
  const detail = reason === null ? undefined : `${describeRequest(kind, amount)}: ${REASONS[reason]}`;
  if (ruling.fault !== null) return foldFor('illegal', detail);
  return { kind: ruling.kind, amount: ruling.amount, adjusted: ruling.adjusted !== null, fault: null, detail };
}

/** Returns the fold that follows a fault. */
export function foldFor(fault: Fault, detail?: string): Judgement {
  return { kind: Action.FOLD, amount: 0, adjusted: false, fault, detail };
}

function describeRequest(kind: number, amount: number): string {
  const name = KIND_NAMES[kind] ?? `action ${kind}`;
  return amount === 0 ? name : `${name} ${amount}`;
}
