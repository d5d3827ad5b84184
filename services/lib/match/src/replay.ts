import { Action, type AppliedAction, actionNames } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import { Table, type TableSetup } from '@husky/holdem/table';
import type { ChunkContent } from './chunk.ts';
import { deckFor } from './deck.ts';
import type { HandRecord, RecordedAction } from './record.ts';
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
  const { startStacks, firstHand, bigBlindSeat } = content;
  return new Table(setup, { stacks: startStacks, handNumber: firstHand - 1, bigBlindSeat });
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
  const { firstHand, startStacks, bigBlindSeat } = content;
  const expected = table.handNumber + 1;
  if (firstHand !== expected) throw new RecordMismatch(firstHand, `hand ${expected} was expected`);
  if ((content.resetStack ?? null) !== table.resetStack) {
    throw new RecordMismatch(firstHand, `${describeStacks(content)}, which is not what the match is committed to`);
  }
  if (!sameNumbers(startStacks, table.stacks)) {
    throw new RecordMismatch(
      firstHand,
      `starting stacks are ${startStacks.join(', ')}, not ${table.stacks.join(', ')}`,
    );
  }
  if (bigBlindSeat !== table.bigBlindSeat) {
    throw new RecordMismatch(firstHand, `the last big blind was seat ${table.bigBlindSeat}, not seat ${bigBlindSeat}`);
  }
}

const describeStacks = ({ resetStack }: ChunkContent) =>
  resetStack === undefined ? 'stacks are carried' : `stacks are reset to ${resetStack}`;

const FACTS = ['street', 'seat', 'kind', 'amount', 'adjusted'] as const;

function replayHand(number: number, hand: Hand, record: HandRecord): void {
  let ms = 0;
  for (const [index, action] of record.actions.entries()) {
    const fail = (difference: string): never => {
      throw new RecordMismatch(number, `action ${index + 1} (${describeAction(action)}): ${difference}`);
    };
    if (action.ms < ms) fail('its time runs back');
    ms = action.ms;
    if (action.fault !== undefined && action.kind !== Action.FOLD) fail('a fault folds');
    if (index >= hand.log.length) applyNext(hand, action, fail);
    const played = hand.log[index] as AppliedAction;
    if (FACTS.some((key) => played[key] !== action[key])) fail(`the rules say ${describeAction(played)}`);
  }
  if (record.actions.length < hand.log.length) throw new RecordMismatch(number, 'the record ends before the blinds');
  if (!hand.over) throw new RecordMismatch(number, `the record ends while seat ${hand.actor} is to act`);
  if (!sameNumbers(record.deltas, hand.deltas)) {
    throw new RecordMismatch(number, `results are ${record.deltas.join(', ')}, not ${hand.deltas.join(', ')}`);
  }
}

function applyNext(hand: Hand, action: RecordedAction, fail: (difference: string) => never): void {
  if (hand.over) fail('the hand is over');
  if (hand.actor !== action.seat) fail(`seat ${hand.actor} is to act`);
  try {
    hand.act(action.kind, action.amount, action.adjusted);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    fail(error.message);
  }
}

function describeAction(action: AppliedAction): string {
  return `street ${action.street} seat ${action.seat} ${actionNames[action.kind]} ${action.amount}${action.adjusted ? ' adjusted' : ''}`;
}

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);
