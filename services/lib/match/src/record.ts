import type { AppliedAction } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import { blindsAfter, type LastBlinds } from '@husky/holdem/positions';
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

/** The facts of a hand that cannot be derived from seed, stacks and positions. The first actions are the posted blinds. */
export interface HandRecord {
  readonly startedAtMs: number;
  /** Nobody posted the small blind, so the first action is the big blind. */
  readonly deadSmallBlind?: true;
  readonly actions: readonly RecordedAction[];
  /** Net chips by seat. */
  readonly deltas: readonly number[];
}

/** Returns the number of blinds at the start of a record's actions. */
export const postsOf = (record: Pick<HandRecord, 'deadSmallBlind'>): 1 | 2 => (record.deadSmallBlind ? 1 : 2);

/** Returns the state of the positions after a recorded hand from the state before it. */
export function blindsAfterRecord(rulesVersion: number, record: HandRecord, last: LastBlinds): LastBlinds {
  const { actions, deadSmallBlind } = record;
  const bigBlindSeat = actions[postsOf(record) - 1]?.seat ?? 0;
  // A dead small blind is where the last big blind was.
  const smallBlindSeat = (deadSmallBlind ? last.bigBlindSeat : actions[0]?.seat) ?? 0;
  return blindsAfter(rulesVersion, { bigBlindSeat, smallBlindSeat });
}

/**
 * Builds the record of a finished hand. `notes[i]` belongs to the i-th decision, `hand.log[hand.posts + i]`. Times are rounded down and made
 * monotonic; texts are cut to MAX_DETAIL_LENGTH. Throws RangeError unless there is a note for every decision.
 */
export function recordHand(hand: Hand, startedAtMs: number, notes: readonly ActionNote[]): HandRecord {
  if (!hand.over) throw new RangeError('only a finished hand can be recorded');
  const decisions = hand.log.length - hand.posts;
  if (notes.length !== decisions) throw new RangeError(`the hand has ${decisions} decisions, not ${notes.length}`);
  let ms = 0;
  const actions = hand.log.map((action, index): RecordedAction => {
    const note = notes[index - hand.posts];
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
  const deadSmallBlind = hand.posts === 1 ? { deadSmallBlind: true as const } : {};
  return { startedAtMs: Math.floor(startedAtMs), ...deadSmallBlind, actions, deltas: hand.deltas.slice() };
}
