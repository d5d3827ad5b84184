import { Action, type ActionKind } from '@husky/holdem/action';
import { adjudicate, explainIllegal } from '@husky/holdem/adjudicate';
import type { Hand } from '@husky/holdem/hand';
import type { Fault } from '@husky/match/fault';

/** What an answer comes to. `asked` says what the bot wanted where something else is played. */
export interface Judgement {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: boolean;
  readonly fault: Fault | null;
  readonly asked: string | undefined;
}

const KIND_WORDS = ['?', 'FOLD', 'CHECK', 'CALL', 'RAISE', 'ALL_IN'] as const;

/** Judges the actor's answer; a text as amount is the exception that the bot raised instead of answering. */
export function judge(hand: Hand, kind: number, amount: number | string): Judgement {
  if (typeof amount === 'string') return faulty('exception', amount);
  const ruling = adjudicate(hand, kind, amount);
  if (ruling.fault !== null) return faulty('illegal', `${inWords(kind, amount)}: ${explainIllegal(ruling.fault)}`);
  const asked = ruling.adjusted ? inWords(kind, amount) : undefined;
  return { kind: ruling.kind, amount: ruling.amount, adjusted: ruling.adjusted, fault: null, asked };
}

/** A fault folds. */
export function faulty(fault: Fault, asked?: string): Judgement {
  return { kind: Action.FOLD, amount: 0, adjusted: false, fault, asked };
}

function inWords(kind: number, amount: number): string {
  const word = KIND_WORDS[kind] ?? `action ${kind}`;
  return amount === 0 ? word : `${word} ${amount}`;
}
