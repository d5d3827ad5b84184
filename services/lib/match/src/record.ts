import type { AppliedAction } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import type { Fault } from './fault.ts';

/** Maximum length of `detail`, in UTF-16 code units. */
export const MAX_DETAIL_LENGTH = 160;

/** The facts of an action that the engine does not know. */
export interface ActionNote {
  /** Milliseconds since the hand began. */
  readonly ms: number;
  readonly fault?: Fault;
  /** Why another action was played: the bot's request or error, such as 'RAISE 12' or 'TypeError: ...'. */
  readonly detail?: string;
}

/** One entry of the engine's log with its note. */
export interface RecordedAction extends AppliedAction, ActionNote {}

/** The facts of a hand that cannot be derived from seed, stacks and positions. The first two actions are the blinds. */
export interface HandRecord {
  readonly startedAtMs: number;
  readonly actions: readonly RecordedAction[];
  /** Net chips by seat. */
  readonly deltas: readonly number[];
}

/**
 * Builds the record of a finished hand. `notes[i]` belongs to the i-th decision, `hand.log[i + 2]`. Times are rounded down and made
 * monotonic; texts are cut to MAX_DETAIL_LENGTH. Throws RangeError unless there is a note for every decision.
 */
export function recordHand(hand: Hand, startedAtMs: number, notes: readonly ActionNote[]): HandRecord {
  if (!hand.over) throw new RangeError('only a finished hand can be recorded');
  if (notes.length !== hand.log.length - 2) {
    throw new RangeError(`the hand has ${hand.log.length - 2} decisions, not ${notes.length}`);
  }
  let ms = 0;
  const actions = hand.log.map((action, index): RecordedAction => {
    const note = notes[index - 2];
    if (note === undefined) return { ...action, ms };
    ms = Math.max(ms, Math.floor(note.ms));
    const { street, seat, kind, amount, adjusted } = action;
    const recorded = { street, seat, kind, amount, adjusted, ms };
    if (note.fault === undefined && note.detail === undefined) return recorded;
    const detail = note.detail?.slice(0, MAX_DETAIL_LENGTH).toWellFormed();
    return {
      ...recorded,
      ...(note.fault === undefined ? {} : { fault: note.fault }),
      ...(detail === undefined || detail === '' ? {} : { detail }),
    };
  });
  return { startedAtMs: Math.floor(startedAtMs), actions, deltas: hand.deltas.slice() };
}
