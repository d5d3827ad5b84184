import type { LastBlinds } from '@husky/holdem/positions';
import { Table, type TableSetup } from '@husky/holdem/table';
import {
  CHUNK_HANDS,
  type ChunkContent,
  ChunkSize,
  decodeChunk,
  encodeChunk,
  MAX_CHUNK_BYTES,
  MAX_DELIVERED_ACTIONS,
} from '@husky/match/chunk';
import { digestNext, digestStart } from '@husky/match/digest';
import type { PlayedHand } from '@husky/match/game-json';
import { playedHands as playedHandsOf } from '@husky/match/played-hands';
import { blindsAfterRecord, type HandRecord } from '@husky/match/record';
import { RecordMismatch, redeal, tableAt } from '@husky/match/replay';
import { parseStacks } from '@husky/match/stacks';
import { type HandFacts, handFacts } from './hand-index.ts';
import type { Match } from './match.ts';

export type { ChunkContent };

/** The state of an attempt after its last stored hand. */
export interface AttemptState extends LastBlinds {
  readonly hands: number;
  /** By seat: the starting stack plus all results so far; below 0 is possible if stacks are reset. */
  readonly stacks: readonly number[];
  readonly digest: Uint8Array;
}

export interface PackedChunk {
  readonly firstHand: number;
  readonly hands: number;
  readonly bytes: Uint8Array;
}

// Start times come from runners; later ones are invalid.
const maxStartMs = Date.UTC(2100, 0);

function setupOf(match: Match): TableSetup {
  return {
    rulesVersion: match.rulesVersion,
    players: match.playerIds.length,
    startingStack: match.startingStack,
    blinds: { bigBlind: match.bigBlind, multiplier: match.blindMultiplier, interval: match.blindInterval },
    stacks: parseStacks(match.stacks),
  };
}

/** Returns the state of an attempt before its first hand. */
export function startState(match: Match, attempt: number): AttemptState {
  const stacks = match.playerIds.map(() => match.startingStack);
  return { hands: 0, stacks, bigBlindSeat: null, nextButton: null, digest: digestStart(match.jobId, attempt) };
}

/** Returns whether one player holds every chip. Never true if stacks are reset. */
export function isOver(match: Match, state: AttemptState): boolean {
  return match.stacks !== 'reset' && state.stacks.filter((chips) => chips > 0).length < 2;
}

/** Decodes a stored chunk. Throws RangeError for invalid bytes. */
export function readChunk(bytes: Uint8Array): ChunkContent {
  return decodeChunk(bytes);
}

/** Decodes a chunk of a dealer. Throws RangeError for invalid bytes, and for more actions than a dealer delivers at a time. */
export function readDelivered(bytes: Uint8Array): ChunkContent {
  return decodeChunk(bytes, MAX_DELIVERED_ACTIONS);
}

/**
 * Re-deals a chunk as the next hands of an attempt and returns the state after it. Throws RangeError for the first deviation
 * from the seed, the rules or the state before it.
 */
export function applyChunk(match: Match, state: AttemptState, content: ChunkContent): AttemptState {
  const next = state.hands + 1;
  if (content.firstHand !== next) throw new RangeError(`hand ${next} comes next, not hand ${content.firstHand}`);
  if (state.hands + content.hands.length > match.numRounds) {
    throw new RangeError(`the match has ${match.numRounds} hands`);
  }
  if (content.hands.some((hand) => hand.startedAtMs > maxStartMs))
    throw new RangeError('a hand begins after the year 2100');
  const { stacks, bigBlindSeat, nextButton } = state;
  const table = new Table(setupOf(match), { stacks, handNumber: state.hands, bigBlindSeat, nextButton });
  let digest = state.digest;
  try {
    for (const { number, record } of redeal(match.seed, table, content)) digest = digestNext(digest, number, record);
  } catch (error) {
    throw error instanceof RecordMismatch ? new RangeError(error.message, { cause: error }) : error;
  }
  const { handNumber: hands, ...after } = table.state;
  return { hands, ...after, digest };
}

export interface HandResult {
  readonly hand: number;
  readonly record: HandRecord;
  /** Before the blinds, by seat. */
  readonly startStacks: readonly number[];
  /** The amount that the big blind had to post. */
  readonly bigBlind: number;
  readonly startedAtMs: number;
  readonly deltas: readonly number[];
  /** Since the start of the match, by seat. */
  readonly cumulative: readonly number[];
  readonly facts: HandFacts;
}

/** Yields the results of a verified chunk's hands, without a re-deal. */
export function* handResults(match: Match, content: ChunkContent): Generator<HandResult> {
  const table = tableAt(content, setupOf(match));
  let cumulative = content.startStacks.map((chips) => chips - match.startingStack);
  for (const [index, record] of content.hands.entries()) {
    const { startedAtMs, deltas } = record;
    const startStacks = cumulative.map((chips) => table.resetStack ?? chips + match.startingStack);
    const facts = handFacts(record, startStacks);
    cumulative = cumulative.map((chips, seat) => chips + (deltas[seat] as number));
    const hand = content.firstHand + index;
    // With reset stacks, a player who lost all chips plays the next hand.
    const out = table.resetStack === null ? facts.out : 0;
    const played = { record, startStacks, bigBlind: table.blindsOf(hand).big };
    yield { hand, startedAtMs, deltas, cumulative, facts: { ...facts, out }, ...played };
  }
}

/** Returns every seat's cumulative result after each hand. */
export function seriesOf(match: Match, results: readonly Pick<HandResult, 'cumulative'>[]): number[][] {
  return match.playerIds.map((_, seat) => results.map(({ cumulative }) => cumulative[seat] ?? 0));
}

/**
 * Re-deals one hand of a stored chunk. `mayReadText`: by seat, whether the reader gets the texts of the bot or only the kind of
 * fault. Throws RangeError if the hand is not in the chunk.
 */
export function playedHand(
  match: Match,
  content: ChunkContent,
  number: number,
  mayReadText: (seat: number) => boolean,
): PlayedHand {
  for (const single of singleHandsOf(content)) {
    if (single.firstHand !== number) continue;
    for (const hand of playedHands(match, single, mayReadText)) return hand;
  }
  throw new RangeError(`hand ${number} is not in this chunk`);
}

/** Re-deals all hands of a stored chunk in order. */
export function playedHands(
  match: Match,
  content: ChunkContent,
  mayReadText: (seat: number) => boolean,
): Generator<PlayedHand> {
  return playedHandsOf(match.seed, setupOf(match), content, mayReadText);
}

/**
 * Packs the hands of a whole attempt into full chunks; returns null if all chunks are already full. A slow match is delivered
 * in small chunks for its watchers, which compress badly. Keeps the hands of one chunk. A hand that occurs again is left out: another
 * call has joined the chunks while they were read.
 */
export async function repack(
  contents: AsyncIterable<ChunkContent> | Iterable<ChunkContent>,
): Promise<PackedChunk[] | null> {
  const packed: PackedChunk[] = [];
  let start: ChunkContent | undefined;
  let hands: HandRecord[] = [];
  let size = new ChunkSize();
  let next = 1;
  let full = true;
  const flush = () => {
    if (start !== undefined) {
      packed.push({ firstHand: start.firstHand, hands: hands.length, bytes: encodeChunk({ ...start, hands }) });
    }
    start = undefined;
    hands = [];
    size = new ChunkSize();
  };
  for await (const content of contents) {
    if ((next - 1) % CHUNK_HANDS !== 0) full = false;
    // A full chunk may start inside a small one, so the state before every hand is needed.
    for (const state of singleHandsOf(content)) {
      if (state.firstHand < next) continue;
      const [record] = state.hands;
      // Long hands with long texts exceed the size of a chunk before it has all its hands.
      if (size.add(record) > MAX_CHUNK_BYTES) {
        flush();
        size.add(record);
      }
      start ??= state;
      hands.push(record);
      next = state.firstHand + 1;
      if (hands.length === CHUNK_HANDS) flush();
    }
  }
  if (full) return null;
  flush();
  return packed;
}

interface SingleHand extends ChunkContent {
  readonly hands: readonly [HandRecord];
}

/** Splits a chunk into chunks of one hand each. */
function* singleHandsOf(content: ChunkContent): Generator<SingleHand> {
  let { startStacks } = content;
  let last: LastBlinds = { bigBlindSeat: content.bigBlindSeat, nextButton: content.nextButton };
  for (const [index, record] of content.hands.entries()) {
    yield { ...content, firstHand: content.firstHand + index, startStacks, ...last, hands: [record] };
    startStacks = startStacks.map((chips, seat) => chips + (record.deltas[seat] as number));
    last = blindsAfterRecord(content.rulesVersion, record, last);
  }
}
