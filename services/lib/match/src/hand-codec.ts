import type { ActionKind } from '@husky/holdem/action';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { FAULTS } from './fault.ts';
import { Prediction } from './prediction.ts';
import { type HandRecord, MAX_DETAIL_LENGTH, type RecordedAction } from './record.ts';

// A token encodes one action: kind, whether a street opens, whether the amount is stored, whether it was adjusted, and the distance
// from the predicted seat.
const OPENS = 5;
const STORED = 10;
const ADJUSTED = 20;
const SEAT_STEP = 40;
const END_OF_HAND = 255;
/** First token of a hand without a small blind. */
const DEAD_SMALL_BLIND = 254;

/** The columns of a chunk; similar values next to each other compress well. */
export const COLUMNS = ['tokens', 'amounts', 'times', 'starts', 'results', 'faults'] as const;
export type Columns<T> = Record<(typeof COLUMNS)[number], T>;

type Notes = ReadonlyMap<number, Pick<RecordedAction, 'fault' | 'detail'>>;

/** The state carried from hand to hand, which predictions start from. */
export class CodecState {
  stacks: number[];
  smallBlindSeat: number;
  blinds: [number, number] = [0, 0];
  startedAtMs = 0;
  /** Number of actions that may still be read. */
  actionsLeft: number;

  readonly #resetStack: number | undefined;

  /** `resetStack`: the stack with which every hand starts; undefined: stacks are carried. */
  constructor(stacks: readonly number[], resetStack: number | undefined, maxActions = Number.POSITIVE_INFINITY) {
    this.#resetStack = resetStack;
    this.actionsLeft = maxActions;
    this.stacks = stacks.map((chips) => resetStack ?? chips);
    this.smallBlindSeat = stacks.length - 1;
  }

  predict(): Prediction {
    return new Prediction(this.stacks, this.smallBlindSeat, this.blinds);
  }

  advance(prediction: Prediction, { deadSmallBlind, actions, deltas }: Omit<HandRecord, 'startedAtMs'>): void {
    this.smallBlindSeat = prediction.smallBlindSeat;
    if (!deadSmallBlind) this.blinds = [actions[0]?.amount ?? 0, actions[1]?.amount ?? 0];
    if (this.#resetStack !== undefined) return;
    this.stacks = this.stacks.map((chips, seat) => chips + (deltas[seat] ?? 0));
  }
}

/** Appends the hand at `index` of the chunk to the columns. Throws RangeError for invalid actions or results. */
export function writeHand(
  columns: Columns<ByteWriter>,
  strings: Map<string, number>,
  state: CodecState,
  record: HandRecord,
  index: number,
): void {
  const seats = state.stacks.length;
  if (record.deltas.length !== seats) throw new RangeError('a hand has a result for every seat');
  columns.starts.signed(record.startedAtMs - state.startedAtMs);
  state.startedAtMs = record.startedAtMs;
  const prediction = state.predict();
  if (record.deadSmallBlind) columns.tokens.byte(DEAD_SMALL_BLIND);
  let ms = 0;
  for (const [position, action] of record.actions.entries()) {
    const { kind, seat, amount, street } = action;
    if (seat < 0 || seat >= seats || kind < 1 || kind > 5) throw new RangeError('that is no action of this table');
    const opens = street - prediction.street;
    if (opens !== 0 && opens !== 1) throw new RangeError('streets follow each other');
    if (opens === 1) prediction.nextStreet();
    const step = (seat - prediction.seat + seats) % seats;
    const stored = amount !== prediction.amount(kind, seat);
    columns.tokens.byte(
      kind - 1 + OPENS * opens + (stored ? STORED : 0) + (action.adjusted ? ADJUSTED : 0) + SEAT_STEP * step,
    );
    if (stored) columns.amounts.varint(amount);
    columns.times.varint(action.ms - ms);
    ms = action.ms;
    prediction.apply(kind, seat, amount);
    if (action.fault !== undefined || action.detail !== undefined) {
      columns.faults.varint(index);
      columns.faults.varint(position);
      columns.faults.byte(action.fault === undefined ? 0 : FAULTS.indexOf(action.fault) + 1);
      columns.faults.varint(action.detail === undefined ? 0 : stringIndex(strings, action.detail) + 1);
    }
  }
  columns.tokens.byte(END_OF_HAND);
  writeResult(columns.results, prediction.totals, record.deltas);
  state.advance(prediction, record);
}

/** Reads the hand that writeHand appended at `index`. Throws RangeError. */
export function readHand(columns: Columns<ByteReader>, state: CodecState, notes: Notes, index: number): HandRecord {
  const seats = state.stacks.length;
  state.startedAtMs += columns.starts.signed();
  const prediction = state.predict();
  const actions: RecordedAction[] = [];
  let ms = 0;
  let token = columns.tokens.byte();
  const dead = token === DEAD_SMALL_BLIND ? { deadSmallBlind: true as const } : {};
  if (token === DEAD_SMALL_BLIND) token = columns.tokens.byte();
  for (; token !== END_OF_HAND; token = columns.tokens.byte()) {
    if (token >= SEAT_STEP * seats) throw new RangeError('the chunk has an unknown action');
    if (state.actionsLeft === 0) throw tooManyActions();
    state.actionsLeft -= 1;
    const kind = ((token % OPENS) + 1) as ActionKind;
    if (token % STORED >= OPENS) {
      if (prediction.street === 3) throw new RangeError('no street follows the river');
      prediction.nextStreet();
    }
    const seat = (prediction.seat + Math.floor(token / SEAT_STEP)) % seats;
    const stored = token % ADJUSTED >= STORED;
    const amount = stored ? columns.amounts.varint() : prediction.amount(kind, seat);
    const adjusted = token % SEAT_STEP >= ADJUSTED;
    ms += columns.times.varint();
    const note = notes.get(noteKey(index, actions.length));
    actions.push({ street: prediction.street, seat, kind, amount, adjusted, ms, ...note });
    prediction.apply(kind, seat, amount);
  }
  const played = { ...dead, actions, deltas: readResult(columns.results, prediction.totals) };
  state.advance(prediction, played);
  return { startedAtMs: state.startedAtMs, ...played };
}

// Most hands end with one seat winning every chip; then only its number is stored, otherwise the chips that each seat gets.
function writeResult(out: ByteWriter, totals: readonly number[], deltas: readonly number[]): void {
  const payouts = deltas.map((delta, seat) => delta + (totals[seat] as number));
  const sum = totals.reduce((all, chips) => all + chips, 0);
  const winner = payouts.findIndex((chips) => chips !== 0);
  if (winner >= 0 && payouts.every((chips, seat) => chips === (seat === winner ? sum : 0))) {
    out.byte(winner);
    return;
  }
  out.byte(totals.length);
  for (const chips of payouts) out.signed(chips);
}

function readResult(input: ByteReader, totals: readonly number[]): number[] {
  const winner = input.byte();
  if (winner > totals.length) throw new RangeError('the chunk has an unknown result');
  const sum = totals.reduce((all, chips) => all + chips, 0);
  return totals.map((chips, seat) => {
    const payout = winner === totals.length ? input.signed() : seat === winner ? sum : 0;
    return payout - chips;
  });
}

function stringIndex(strings: Map<string, number>, text: string): number {
  checkTextLength(text.length);
  const known = strings.get(text);
  if (known !== undefined) return known;
  strings.set(text, strings.size);
  return strings.size - 1;
}

/** Throws RangeError for a text of more than MAX_DETAIL_LENGTH UTF-16 code units. */
export function checkTextLength(length: number): void {
  if (length > MAX_DETAIL_LENGTH) throw new RangeError(`a text has at most ${MAX_DETAIL_LENGTH} characters`);
}

const tooManyActions = () => new RangeError('the chunk has too many actions');

const noteKey = (hand: number, action: number): number => hand * 0x10_0000 + action;

/** Reads faults and texts by hand and action, for readHand. Throws RangeError for more than `maxActions`. */
export function readFaults(input: ByteReader, strings: readonly string[], maxActions: number): Notes {
  const notes = new Map<number, Pick<RecordedAction, 'fault' | 'detail'>>();
  while (!input.done) {
    if (notes.size >= maxActions) throw tooManyActions();
    const key = noteKey(input.varint(), input.varint());
    const fault = FAULTS[input.byte() - 1];
    const detail = strings[input.varint() - 1];
    notes.set(key, { ...(fault === undefined ? {} : { fault }), ...(detail === undefined ? {} : { detail }) });
  }
  return notes;
}
