import { Action } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import { STREETS } from './game-data.ts';
import { actionNamed } from './published-hand.ts';
import { VerificationFailure } from './verify-match.ts';

/** Facts of an action that the rules do not determine. */
export interface Note {
  /** Since the start of the hand. */
  readonly ms: number;
  /** A fault, or 'adjusted'. */
  readonly code?: string | undefined;
  readonly text?: string | undefined;
}

/** The notes of a hand's log, and whether the format has determined every action and note. */
export interface Played {
  readonly notes: readonly Note[];
  readonly exact: boolean;
}

/** Plays the actions of a PHH table, given by its lines, on a dealt hand. Throws VerificationFailure for an illegal one. */
export function playPhh(hand: Hand, number: number, lines: readonly string[]): Played {
  const notes: Note[] = hand.log.map(() => ({ ms: 0 }));
  let exact = true;
  for (const line of lines) {
    const [, action, code] = /^ {2}"p\d+ (f|cc|cbr \d+)(?: # (\w+))?",$/.exec(line) ?? [];
    if (action === undefined) continue;
    act(hand, number, 'actions', (seat) => {
      if (action === 'f') return hand.act(Action.FOLD);
      if (action !== 'cc') return hand.act(Action.RAISE, Number(action.slice(4)) - (hand.bets[seat] ?? 0));
      exact &&= !mayHideRaise(hand, seat);
      return hand.act(Action.CALL);
    });
    notes.push({ ms: 0, code });
  }
  return { notes, exact };
}

/** Plays the actions of a hand's CSV rows, by seat, on a dealt hand. Throws VerificationFailure for an illegal one. */
export function playCsv(
  hand: Hand,
  number: number,
  rows: ReadonlyMap<number, Readonly<Record<string, string>>>,
): Played {
  const cell = (seat: number, column: string) => (rows.get(seat)?.[column] ?? '').split('; ').filter(Boolean);
  const seats = [...rows.keys()];
  const codes = new Map(seats.map((seat) => [seat, cell(seat, 'faults')]));
  const waiting = STREETS.map((street) => new Map(seats.map((seat) => [seat, cell(seat, street)])));
  for (const { seat } of hand.log) waiting[0]?.get(seat)?.shift();
  const notes: Note[] = hand.log.map(() => ({ ms: 0 }));
  let exact = true;
  while (hand.actor !== null) {
    const next = waiting[hand.street]?.get(hand.actor)?.shift() ?? '';
    const [, name = '', amount = '0'] = /^(.*?)(?: (\d+))?$/.exec(next) ?? [];
    const open = codes.get(hand.actor) ?? [];
    act(hand, number, STREETS[hand.street], () => hand.act(actionNamed(name), Number(amount)));
    // Which of a player's actions was adjusted is not in the file.
    exact &&= !open.includes('adjusted');
    const fits = open[0] !== undefined && (open[0] === 'adjusted') === (name !== 'FOLD');
    notes.push({ ms: 0, code: fits ? open.shift() : undefined });
  }
  return { notes, exact };
}

function act(hand: Hand, number: number, field: string, apply: (seat: number) => void): void {
  try {
    if (hand.actor === null) throw new RangeError('the hand was over');
    apply(hand.actor);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new VerificationFailure(number, `${field}, action ${hand.log.length + 1}: ${error.message}.`);
  }
}

/** Whether a call may have been a raise that nobody can call, which PHH does not have. */
function mayHideRaise(hand: Hand, actor: number): boolean {
  const { toCall, maxRaise } = hand.options();
  const callable = hand.startStacks.some(
    (_, seat) =>
      seat !== actor && hand.isLive(seat) && (hand.stacks[seat] ?? 0) + (hand.bets[seat] ?? 0) > hand.currentBet,
  );
  return !callable && maxRaise > toCall;
}
