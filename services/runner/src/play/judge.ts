import { Action, type ActionKind } from '@husky/holdem/action';
import { adjudicate, explain } from '@husky/holdem/adjudicate';
import type { Hand } from '@husky/holdem/hand';
import type { Fault } from '@husky/match/fault';
import { NO_ACTION } from './answer.ts';

/** What an answer comes to. `asked` says what the bot wanted where something else is played, and why that was not possible. */
export interface Judgement {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
  readonly fault: Fault | null;
  readonly asked: string | undefined;
}

const KIND_WORDS = ['?', 'FOLD', 'CHECK', 'CALL', 'RAISE', 'ALL_IN'] as const;

/**
 * Judges the actor's answer. A text as amount says why there is no action: the exception that the bot raised, or what is wrong
 * with what it returned. `minRaiseTold` is the min_raise that it was shown.
 */
export function judge(hand: Hand, kind: number, amount: number | string, minRaiseTold: number): Judgement {
  if (typeof amount === 'string') return faulty(kind === NO_ACTION ? 'illegal' : 'exception', amount);
  const { adjusted, fault, ...played } = adjudicate(hand, kind, amount, minRaiseTold);
  const reason = fault ?? adjusted;
  const asked = reason === null ? undefined : `${inWords(kind, amount)}: ${explain(reason)}`;
  if (fault !== null) return faulty('illegal', asked);
  return { ...played, adjusted: adjusted !== null, fault: null, asked };
}

/** A fault folds. */
export function faulty(fault: Fault, asked?: string): Judgement {
  return { kind: Action.FOLD, amount: 0, adjusted: false, fault, asked };
}

function inWords(kind: number, amount: number): string {
  const word = KIND_WORDS[kind] ?? `action ${kind}`;
  return amount === 0 ? word : `${word} ${amount}`;
}
