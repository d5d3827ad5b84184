import type { AppliedAction } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import type { Fault } from './fault.ts';

/** Longest text kept of what a bot asked for, in characters. */
export const ASKED_LENGTH = 160;

/** What the engine cannot know about an action. */
export interface ActionNote {
  /** Milliseconds since the hand began. */
  readonly ms: number;
  readonly fault?: Fault;
  /** What the bot asked for, in words, where that is not what was done: 'RAISE 12', 'TypeError: ...'. */
  readonly asked?: string;
}

/** One entry of the engine's log with its note. */
export interface RecordedAction extends AppliedAction, ActionNote {}

/** All of a hand that seed, stacks and positions do not give. The first two actions are the blinds. */
export interface HandRecord {
  readonly startedAtMs: number;
  readonly actions: readonly RecordedAction[];
  /** Net chips by seat. */
  readonly deltas: readonly number[];
}

/**
 * The record of a finished hand. `notes[i]` belongs to the i-th decision, that is to `hand.log[i + 2]`. Times are made whole
 * and never run back; texts are cut to ASKED_LENGTH. Throws RangeError when notes and log do not fit each other.
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
    const asked = note.asked?.slice(0, ASKED_LENGTH).toWellFormed();
    return {
      ...action,
      ms,
      ...(note.fault === undefined ? {} : { fault: note.fault }),
      ...(asked === undefined || asked === '' ? {} : { asked }),
    };
  });
  return { startedAtMs: Math.floor(startedAtMs), actions, deltas: hand.deltas.slice() };
}
