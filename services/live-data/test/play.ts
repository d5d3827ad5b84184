import { Action } from '@husky/holdem/action';
import type { Hand } from '@husky/holdem/hand';
import { Table } from '@husky/holdem/table';
import { encodeChunk } from '@husky/match/chunk';
import { deckFor } from '@husky/match/deck';
import { digestNext, digestStart } from '@husky/match/digest';
import { type ActionNote, type HandRecord, recordHand } from '@husky/match/record';
import type { TestMatch } from './new-match.ts';

export interface PlayedMatch {
  readonly chunks: { readonly bytes: Buffer; readonly firstHand: number; readonly hands: number }[];
  readonly records: readonly HandRecord[];
  readonly digest: string;
  readonly stacks: readonly number[];
  readonly over: boolean;
}

/** A seat whose decisions all fail. */
interface Failing {
  readonly seat: number;
  readonly note: (hand: number) => Pick<ActionNote, 'fault' | 'detail'>;
}

/**
 * Plays a match like a dealer: random legal actions from the seed `bots`, in chunks of `chunkHands`. `wild` bots sometimes go
 * all in; others keep their chips for a few hundred hands. `raising` bots raise by the minimum until they are all in; `raising` is the
 * text of the adjustment, '' for none.
 */
export function playMatch(
  match: TestMatch,
  options: {
    attempt?: number;
    hands?: number;
    chunkHands?: number;
    bots?: number;
    wild?: boolean;
    failing?: Failing;
    raising?: (hand: number, decision: number) => string;
  } = {},
): PlayedMatch {
  const { attempt = 1, hands = match.numRounds, chunkHands = 64, bots = 1, wild = false, failing, raising } = options;
  const random = randomNumbers(bots);
  const { blinds, stacks } = match;
  const { rulesVersion } = match;
  const setup = { rulesVersion, players: match.playerIds.length, startingStack: 10_000, blinds, stacks };
  const table = new Table(setup);
  const chunks: PlayedMatch['chunks'] = [];
  const records: HandRecord[] = [];
  let digest = digestStart(match.jobId, attempt);
  let pending: HandRecord[] = [];
  let start = table.state;
  const flush = () => {
    if (pending.length === 0) return;
    const { handNumber, stacks: startStacks, ...last } = start;
    const firstHand = handNumber + 1;
    const reset = table.resetStack === null ? {} : { resetStack: table.resetStack };
    const content = { rulesVersion, firstHand, startStacks, ...last, ...reset };
    chunks.push({ bytes: encodeChunk({ ...content, hands: pending }), firstHand, hands: pending.length });
    pending = [];
    start = table.state;
  };
  while (table.handNumber < hands && !table.over) {
    const number = table.handNumber + 1;
    const hand = table.startHand(deckFor(match.seed, number));
    const notes: ActionNote[] = [];
    while (hand.actor !== null) {
      if (hand.actor === failing?.seat) {
        hand.act(Action.FOLD);
        notes.push({ ms: notes.length, ...failing.note(number) });
      } else if (raising !== undefined) {
        const detail = raising(number, notes.length);
        const { minRaise } = hand.options();
        hand.act(minRaise > 0 ? Action.RAISE : Action.CALL, minRaise, detail !== '');
        notes.push({ ms: notes.length, detail });
      } else {
        notes.push({ ms: notes.length, ...act(hand, random, wild) });
      }
    }
    table.finishHand(hand);
    const record = recordHand(hand, 1_760_000_000_000 + number * 100, notes);
    digest = digestNext(digest, number, record);
    records.push(record);
    pending.push(record);
    if (pending.length === chunkHands) flush();
  }
  flush();
  return { chunks, records, digest: digest.toString('hex'), stacks: table.stacks, over: table.over };
}

function act(hand: Hand, random: () => number, wild: boolean): Partial<ActionNote> {
  const { canCheck, minRaise, maxRaise } = hand.options();
  const roll = random();
  if (roll < 0.02) {
    hand.act(Action.FOLD);
    return { fault: 'illegal', detail: 'RAISE -1' };
  }
  if (wild && maxRaise > 0 && roll < 0.1) hand.act(Action.ALL_IN);
  else if (maxRaise > 0 && roll < 0.2) hand.act(Action.RAISE, minRaise);
  else if (canCheck) hand.act(Action.CHECK);
  else if (roll < 0.6) hand.act(Action.CALL);
  else hand.act(Action.FOLD);
  return {};
}

function randomNumbers(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
