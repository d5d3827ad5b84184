import { Action, type AppliedAction, actionNames } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import { Table, type TableSetup } from '@husky/holdem/table';
import type { ChunkContent } from './chunk.ts';
import { deckFor } from './deck.ts';
import { type HandRecord, postsOf, type RecordedAction } from './record.ts';
import { checkRulesVersion } from './rules-version.ts';

/** A record that does not follow from its seed and the rules; the message has the hand and the first difference. */
export class RecordMismatch extends Error {
  override readonly name = 'RecordMismatch';
  readonly hand: number;

  constructor(hand: number, difference: string) {
    super(`hand ${hand}: ${difference}`);
    this.hand = hand;
  }
}

export interface ReplayedHand {
  readonly number: number;
  /** Finished, with board, log and results; hand.log[i] belongs to record.actions[i]. */
  readonly hand: Hand;
  readonly record: HandRecord;
}

/** Returns the table before a chunk's first hand, from the chunk's own state. Throws RangeError. */
export function tableAt(content: ChunkContent, setup: TableSetup): Table {
  const { startStacks, firstHand, bigBlindSeat, nextButton } = content;
  return new Table(setup, { stacks: startStacks, handNumber: firstHand - 1, bigBlindSeat, nextButton });
}

/**
 * Re-deals a chunk hand by hand and compares every blind, action and result with the record. `table` must be in the state before the
 * chunk's first hand; it is in the state after the last one when all hands are consumed. Passing the same table through all chunks of
 * a match verifies that they follow each other. Throws RecordMismatch at the first difference, RangeError for unknown rules.
 */
export function* redeal(seed: Uint8Array, table: Table, content: ChunkContent): Generator<ReplayedHand> {
  checkRulesVersion(content.rulesVersion);
  checkStart(table, content);
  for (const record of content.hands) {
    const number = table.handNumber + 1;
    if (table.over) throw new RecordMismatch(number, 'the match was over: one player held every chip');
    const hand = table.startHand(deckFor(seed, number));
    replayHand(number, hand, record);
    table.finishHand(hand);
    yield { number, hand, record };
  }
}

function checkStart(table: Table, content: ChunkContent): void {
  const { firstHand, startStacks, bigBlindSeat, nextButton, rulesVersion } = content;
  const before = table.state;
  const expected = before.handNumber + 1;
  if (firstHand !== expected) throw new RecordMismatch(firstHand, `hand ${expected} was expected`);
  if (rulesVersion !== table.rulesVersion) {
    throw new RecordMismatch(firstHand, `the match is played by rules ${table.rulesVersion}, not ${rulesVersion}`);
  }
  if ((content.resetStack ?? null) !== table.resetStack) {
    throw new RecordMismatch(firstHand, `${describeStacks(content)}, which is not what the match is committed to`);
  }
  if (!sameNumbers(startStacks, before.stacks)) {
    throw new RecordMismatch(
      firstHand,
      `starting stacks are ${startStacks.join(', ')}, not ${before.stacks.join(', ')}`,
    );
  }
  if (bigBlindSeat !== before.bigBlindSeat) {
    throw new RecordMismatch(firstHand, `the last big blind was seat ${before.bigBlindSeat}, not seat ${bigBlindSeat}`);
  }
  if (nextButton !== before.nextButton) {
    throw new RecordMismatch(firstHand, `the next button is seat ${before.nextButton}, not seat ${nextButton}`);
  }
}

const describeStacks = ({ resetStack }: ChunkContent) =>
  resetStack === undefined ? 'stacks are carried' : `stacks are reset to ${resetStack}`;

function replayHand(number: number, hand: Hand, record: HandRecord): void {
  if (postsOf(record) !== hand.posts) {
    throw new RecordMismatch(number, `the small blind is ${hand.posts === 1 ? 'dead' : 'posted'}`);
  }
  let ms = 0;
  for (let index = 0; index < record.actions.length; index++) {
    const action = record.actions[index] as RecordedAction;
    const difference = differenceAt(hand, index, action, ms);
    if (difference !== null) {
      throw new RecordMismatch(number, `action ${index + 1} (${describeAction(action)}): ${difference}`);
    }
    ms = action.ms;
  }
  if (record.actions.length < hand.log.length) throw new RecordMismatch(number, 'the record ends before the blinds');
  if (!hand.over) throw new RecordMismatch(number, `the record ends while seat ${hand.actor} is to act`);
  if (!sameNumbers(record.deltas, hand.deltas)) {
    throw new RecordMismatch(number, `results are ${record.deltas.join(', ')}, not ${hand.deltas.join(', ')}`);
  }
}

/**
 * Applies a recorded action; the blinds are applied already. Returns its difference from the rules or from the order of times, or
 * null.
 */
function differenceAt(hand: Hand, index: number, action: RecordedAction, msBefore: number): string | null {
  if (action.ms < msBefore) return 'its time runs back';
  if (action.fault !== undefined && action.kind !== Action.FOLD) return 'a fault folds';
  if (index >= hand.log.length) {
    if (hand.over) return 'the hand is over';
    if (hand.actor !== action.seat) return `seat ${hand.actor} is to act`;
    try {
      hand.act(action.kind, action.amount, action.adjusted);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return error.message;
    }
  }
  const played = hand.log[index] as AppliedAction;
  return isSameAction(played, action) ? null : `the rules say ${describeAction(played)}`;
}

const isSameAction = (a: AppliedAction, b: AppliedAction): boolean =>
  a.street === b.street && a.seat === b.seat && a.kind === b.kind && a.amount === b.amount && a.adjusted === b.adjusted;

function describeAction(action: AppliedAction): string {
  return `street ${action.street} seat ${action.seat} ${actionNames[action.kind]} ${action.amount}${action.adjusted ? ' adjusted' : ''}`;
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
