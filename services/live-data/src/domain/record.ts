import { Table, type TableSetup } from '@husky/holdem/table';
import { CHUNK_HANDS, type ChunkContent, decodeChunk, encodeChunk } from '@husky/match/chunk';
import { digestNext, digestStart } from '@husky/match/digest';
import { describeFault } from '@husky/match/fault';
import type { HandRecord, RecordedAction } from '@husky/match/record';
import { RecordMismatch, redeal, tableAt } from '@husky/match/replay';
import type { PlayedHand, Verdict } from './game-json.ts';
import type { Match } from './match.ts';

export type { ChunkContent };

/** Where an attempt stands after its last stored hand. */
export interface AttemptState {
  readonly hands: number;
  readonly stacks: readonly number[];
  readonly bigBlindSeat: number | null;
  readonly digest: Uint8Array;
}

export interface PackedChunk {
  readonly firstHand: number;
  readonly hands: number;
  readonly bytes: Uint8Array;
}

// Times come from a runner: beyond the year 2100 they are none.
const latestMs = Date.UTC(2100, 0);

function setupOf(match: Match): TableSetup {
  return {
    players: match.playerIds.length,
    startingStack: match.startingStack,
    blinds: { bigBlind: match.bigBlind, multiplier: match.blindMultiplier, interval: match.blindInterval },
  };
}

export function startState(match: Match, attempt: number): AttemptState {
  const stacks = match.playerIds.map(() => match.startingStack);
  return { hands: 0, stacks, bigBlindSeat: null, digest: digestStart(match.jobId, attempt) };
}

export function isOver(state: AttemptState): boolean {
  return state.stacks.filter((chips) => chips > 0).length < 2;
}

/** Throws RangeError for bytes that are no chunk. */
export function readChunk(bytes: Uint8Array): ChunkContent {
  return decodeChunk(bytes);
}

/**
 * Deals a chunk again as the next hands of an attempt and answers where the attempt stands then. Throws RangeError in
 * words for the first thing that does not follow from the seed, the rules and the hands before.
 */
export function checkFit(match: Match, state: AttemptState, content: ChunkContent): AttemptState {
  const next = state.hands + 1;
  if (content.firstHand !== next) throw new RangeError(`hand ${next} comes next, not hand ${content.firstHand}`);
  if (state.hands + content.hands.length > match.numRounds) {
    throw new RangeError(`the match has ${match.numRounds} hands`);
  }
  if (content.rulesVersion !== match.rulesVersion) {
    throw new RangeError(`the match is played by rules ${match.rulesVersion}, not ${content.rulesVersion}`);
  }
  if (content.hands.some((hand) => hand.startedAtMs > latestMs))
    throw new RangeError('a hand begins after the year 2100');
  const { stacks, bigBlindSeat } = state;
  const table = new Table(setupOf(match), { stacks, handNumber: state.hands, bigBlindSeat });
  let digest = state.digest;
  try {
    for (const { number, record } of redeal(match.seed, table, content)) digest = digestNext(digest, number, record);
  } catch (error) {
    throw error instanceof RecordMismatch ? new RangeError(error.message, { cause: error }) : error;
  }
  return { hands: table.handNumber, stacks: table.stacks, bigBlindSeat: table.bigBlindSeat, digest };
}

export interface HandResult {
  readonly hand: number;
  readonly startedAtMs: number;
  readonly deltas: readonly number[];
  /** Since the start of the match, by seat. */
  readonly cumulative: readonly number[];
}

export function* handResults(match: Match, content: ChunkContent): Generator<HandResult> {
  let cumulative = content.startStacks.map((chips) => chips - match.startingStack);
  for (const [index, { startedAtMs, deltas }] of content.hands.entries()) {
    cumulative = cumulative.map((chips, seat) => chips + (deltas[seat] as number));
    yield { hand: content.firstHand + index, startedAtMs, deltas, cumulative };
  }
}

/**
 * One hand of a stored chunk, dealt again with everything its reader may see. `readsTextOf` says of which seats' bots this
 * reader gets the own words; of the others only the kind of fault. Throws RangeError when the hand is not in the chunk.
 */
export function playedHand(
  match: Match,
  content: ChunkContent,
  number: number,
  readsTextOf: (seat: number) => boolean,
): PlayedHand {
  for (const wanted of statesIn(content)) {
    if (wanted.firstHand !== number) continue;
    const [dealt] = redeal(match.seed, tableAt(wanted, setupOf(match)), wanted);
    if (dealt === undefined) break;
    const { hand, record } = dealt;
    return {
      startedAtMs: record.startedAtMs,
      startingStack: match.startingStack,
      startStacks: hand.startStacks,
      deltas: record.deltas,
      dealtIn: hand.dealtIn,
      holeCards: hand.startStacks.map((_, seat) => hand.holeCards(seat)),
      board: hand.board,
      blinds: { small: hand.smallBlind, big: hand.bigBlind },
      button: hand.button,
      actions: record.actions.map((action) => ({ ...action, atMs: action.ms })),
      verdicts: verdictsOf(record.actions, readsTextOf),
    };
  }
  throw new RangeError(`hand ${number} is not in this chunk`);
}

function verdictsOf(actions: readonly RecordedAction[], readsTextOf: (seat: number) => boolean): Verdict[] {
  const counts = new Map<number, number>();
  return actions.flatMap((action) => {
    const { street: round, seat, fault, adjusted, asked } = action;
    const index = counts.get(round) ?? 0;
    counts.set(round, index + 1);
    if (fault === undefined && !adjusted) return [];
    const what = fault === undefined ? 'the action was changed to the nearest legal one' : describeFault(fault);
    // The dealer words why it changed an action; what is noted with a fault can be the bot's own words.
    const shown = asked !== undefined && (fault === undefined || readsTextOf(seat));
    return [{ round, index, seat, code: fault ?? 'adjusted', text: shown ? `${what}: ${asked}` : what }];
  });
}

/**
 * The hands of a whole attempt in full chunks, or null when they are in such already. A dealer that plays slowly delivers
 * small chunks for its watchers' sake; those pack badly.
 */
export function repack(contents: readonly ChunkContent[]): PackedChunk[] | null {
  if (contents.slice(0, -1).every((content) => content.hands.length === CHUNK_HANDS)) return null;
  const packed: PackedChunk[] = [];
  let start: ChunkContent | undefined;
  let hands: HandRecord[] = [];
  const flush = () => {
    if (start === undefined) return;
    packed.push({ firstHand: start.firstHand, hands: hands.length, bytes: encodeChunk({ ...start, hands }) });
    start = undefined;
    hands = [];
  };
  for (const content of contents) {
    // A full chunk may begin in the middle of a small one: the state before each hand follows from the one before.
    for (const state of statesIn(content)) {
      start ??= state;
      hands.push(...state.hands);
      if (hands.length === CHUNK_HANDS) flush();
    }
  }
  flush();
  return packed;
}

/** A chunk of one hand for each hand of a chunk. */
function* statesIn(content: ChunkContent): Generator<ChunkContent> {
  let { startStacks, bigBlindSeat } = content;
  for (const [index, record] of content.hands.entries()) {
    yield { ...content, firstHand: content.firstHand + index, startStacks, bigBlindSeat, hands: [record] };
    startStacks = startStacks.map((chips, seat) => chips + (record.deltas[seat] as number));
    // The second action of every record is the big blind.
    bigBlindSeat = record.actions[1]?.seat ?? null;
  }
}
