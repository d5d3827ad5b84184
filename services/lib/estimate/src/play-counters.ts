import { Action } from '@husky/holdem/action';
import { ByteReader, ByteWriter } from '@husky/match/bytes';
import { type HandRecord, postsOf, type RecordedAction } from '@husky/match/record';

/** Version of the definitions below. A change of a definition needs a new version, so that stored counters are counted again. */
export const PLAY_VERSION = 1;

/** Positions in the order in which they act before the flop. With fewer than six players the first ones are missing. */
export const POSITIONS = ['UTG', 'HJ', 'CO', 'BTN', 'SB', 'BB'] as const;

/** Counted once a hand. */
const HAND = [
  ...(['hands', 'decided', 'voluntary', 'raised', 'threeBetChances', 'threeBets', 'threeBetsFaced'] as const),
  ...(['foldsToThreeBet', 'stealChances', 'steals', 'sawFlop', 'showdowns', 'showdownsWon'] as const),
] as const;
/** Counted on each street. `sizes` is the sum of the sizes of `sizedBets`, in thousandths of the pot. */
const STREET = [
  ...(['bets', 'raises', 'calls', 'folds', 'checks', 'cBetChances', 'cBets', 'cBetsFaced', 'foldsToCBet'] as const),
  ...(['sizedBets', 'sizes'] as const),
] as const;
export type HandCounter = (typeof HAND)[number];
export type StreetCounter = (typeof STREET)[number];

const HAND_INDEX = indexesOf(HAND);
const STREET_INDEX = indexesOf(STREET);

const STREETS = 4;
const perPosition = HAND.length + STREETS * STREET.length;
const BTN = POSITIONS.indexOf('BTN');
const stealers: readonly number[] = [POSITIONS.indexOf('CO'), BTN, POSITIONS.indexOf('SB')];

/**
 * Counts a bot's actions and its opportunities for them, by position and street. docs/methodology.md, *Statistics of play*, defines the
 * statistics and names their source.
 */
export class PlayCounters {
  readonly #values = new Array<number>(POSITIONS.length * perPosition).fill(0);

  /** Returns a counter of one position (an index of POSITIONS), or the sum over all positions. */
  ofHands(counter: HandCounter, position?: number): number {
    return this.#sum(HAND_INDEX[counter], position);
  }

  /** Returns a counter of one street (0 to 3) and of one position, or the sum over all positions. */
  ofStreet(counter: StreetCounter, street: number, position?: number): number {
    return this.#sum(HAND.length + street * STREET.length + STREET_INDEX[counter], position);
  }

  countHand(counter: HandCounter, position: number): void {
    this.#add(position * perPosition + HAND_INDEX[counter], 1);
  }

  countStreet(counter: StreetCounter, street: number, position: number, by = 1): void {
    this.#add(position * perPosition + HAND.length + street * STREET.length + STREET_INDEX[counter], by);
  }

  pack(): Buffer {
    const out = new ByteWriter();
    for (const value of this.#values) out.varint(value);
    return out.finish();
  }

  /** Adds counters that `pack` wrote. Throws RangeError for bytes that are cut short. */
  addPacked(bytes: Uint8Array): void {
    const input = new ByteReader(bytes);
    for (const index of this.#values.keys()) this.#add(index, input.varint());
  }

  #add(index: number, by: number): void {
    this.#values[index] = (this.#values[index] ?? 0) + by;
  }

  #sum(counter: number, position: number | undefined): number {
    if (position !== undefined) return this.#values[position * perPosition + counter] ?? 0;
    return POSITIONS.reduce((sum, _, place) => sum + (this.#values[place * perPosition + counter] ?? 0), 0);
  }
}

export interface CountedHand {
  readonly record: HandRecord;
  /** By seat, before the blinds; 0: not dealt in. */
  readonly startStacks: readonly number[];
  /** The amount that the big blind had to post. */
  readonly bigBlind: number;
}

/**
 * Returns each seat's index in POSITIONS; null for a seat that is not dealt in. Heads-up the button posts the small blind and is BTN. A
 * dead small blind keeps its place, so that nobody is SB; with a dead button the last one to act after the flop is BTN.
 */
export function positionsOf({ record, startStacks }: CountedHand): (number | null)[] {
  const seats = startStacks.length;
  const posts = postsOf(record);
  const bigBlindSeat = record.actions[posts - 1]?.seat ?? 0;
  const clockwise = startStacks
    .map((_, step) => (bigBlindSeat + 1 + step) % seats)
    .filter((seat) => (startStacks[seat] ?? 0) > 0);
  const first = POSITIONS.length - clockwise.length - (2 - posts);
  const headsUp = clockwise.length === 2;
  return startStacks.map((_, seat) => {
    const at = clockwise.indexOf(seat);
    if (at < 0) return null;
    // The last one to act before the flop.
    if (seat === bigBlindSeat) return POSITIONS.length - 1;
    return headsUp && at === 0 ? BTN : first + at;
  });
}

/** Adds a stored hand to the counters of each seat. */
export function countHand(seats: readonly PlayCounters[], hand: CountedHand): void {
  new HandTally(seats, hand).run();
}

/** Follows the actions of one hand and counts them. All lists are by seat. */
class HandTally {
  readonly #seats: readonly PlayCounters[];
  readonly #record: HandRecord;
  readonly #positions: readonly (number | null)[];
  readonly #players: number;
  readonly #stacks: number[];
  readonly #totals: number[];
  readonly #bets: number[];
  readonly #live: boolean[];
  /** Sets of seats are bit masks: bit s is seat s. */
  #decided = 0;
  #voluntary = 0;
  readonly #sawFlop: boolean[];
  #street = 0;
  #currentBet: number;
  #pot = 0;
  /** Who bet or raised on this street, in order; before the flop without the blinds. */
  #raisers: number[] = [];
  #limped = false;
  /** The seat that may make a continuation bet on this street. */
  #initiative: number | null = null;
  /** The seat that made one on this street. */
  #cBettor: number | null = null;
  #acted = 0;

  constructor(seats: readonly PlayCounters[], hand: CountedHand) {
    this.#seats = seats;
    this.#record = hand.record;
    this.#positions = positionsOf(hand);
    this.#players = this.#positions.filter((position) => position !== null).length;
    this.#stacks = [...hand.startStacks];
    this.#totals = hand.startStacks.map(() => 0);
    this.#bets = hand.startStacks.map(() => 0);
    this.#live = hand.startStacks.map((chips) => chips > 0);
    this.#sawFlop = [...this.#live];
    this.#currentBet = hand.bigBlind;
  }

  run(): void {
    const { actions } = this.#record;
    for (const seat of this.#positions.keys()) this.#countHand('hands', seat);
    for (const [index, action] of actions.entries()) {
      if (action.street !== this.#street) this.#nextStreet(action.street);
      if (index >= postsOf(this.#record)) this.#countDecision(action);
      this.#apply(action);
    }
    this.#countShowdown();
  }

  #countHand(counter: HandCounter, seat: number): void {
    const position = this.#positions[seat] ?? null;
    if (position !== null) this.#seats[seat]?.countHand(counter, position);
  }

  #countStreet(counter: StreetCounter, seat: number, by = 1): void {
    const position = this.#positions[seat] ?? null;
    if (position !== null) this.#seats[seat]?.countStreet(counter, this.#street, position, by);
  }

  #nextStreet(street: number): void {
    const [only, ...others] = this.#raisers;
    // Before the flop the last raiser has the initiative; later, the player whose continuation bet nobody raised.
    if (this.#street === 0) this.#initiative = this.#raisers.at(-1) ?? null;
    else this.#initiative = others.length === 0 && only === this.#cBettor ? this.#cBettor : null;
    this.#street = street;
    this.#bets.fill(0);
    this.#currentBet = 0;
    this.#raisers = [];
    this.#cBettor = null;
    this.#acted = 0;
  }

  #isAggressive({ seat, amount }: RecordedAction): boolean {
    return amount > 0 && (this.#bets[seat] ?? 0) + amount > this.#currentBet;
  }

  #countDecision(action: RecordedAction): void {
    const { seat, kind } = action;
    const aggressive = this.#isAggressive(action);
    const folds = kind === Action.FOLD;
    const calls = !aggressive && action.amount > 0;
    if (this.#street === 0) this.#countBeforeFlop(seat, { aggressive, folds, calls });
    else this.#countContinuationBet(seat, { aggressive, folds });
    if (aggressive) this.#countStreet(this.#currentBet === 0 ? 'bets' : 'raises', seat);
    else this.#countStreet(folds ? 'folds' : calls ? 'calls' : 'checks', seat);
    if (aggressive) {
      this.#countSize(action);
      this.#raisers.push(seat);
    }
    this.#acted |= 1 << seat;
  }

  #countBeforeFlop(
    seat: number,
    { aggressive, folds, calls }: { aggressive: boolean; folds: boolean; calls: boolean },
  ): void {
    const raises = this.#raisers.length;
    const own = 1 << seat;
    if ((this.#decided & own) === 0) this.#countHand('decided', seat);
    this.#decided |= own;
    if ((aggressive || calls) && (this.#voluntary & own) === 0) this.#countHand('voluntary', seat);
    if (aggressive || calls) this.#voluntary |= own;
    if (aggressive && !this.#raisers.includes(seat)) this.#countHand('raised', seat);
    if (raises === 0 && !this.#limped && this.#players > 2 && stealers.includes(this.#positions[seat] ?? -1)) {
      this.#countHand('stealChances', seat);
      if (aggressive) this.#countHand('steals', seat);
    }
    if (raises === 1 && this.#raisers[0] !== seat && this.#canRaise(seat)) {
      this.#countHand('threeBetChances', seat);
      if (aggressive) this.#countHand('threeBets', seat);
    }
    if (raises === 2 && this.#raisers[0] === seat) {
      this.#countHand('threeBetsFaced', seat);
      if (folds) this.#countHand('foldsToThreeBet', seat);
    }
    if (calls && raises === 0) this.#limped = true;
  }

  /** Returns whether the seat has more chips than the call costs and an opponent can still put chips in. */
  #canRaise(seat: number): boolean {
    const toCall = this.#currentBet - (this.#bets[seat] ?? 0);
    return (this.#stacks[seat] ?? 0) > toCall && this.#callable(seat) > this.#currentBet;
  }

  /** Returns the largest bet on this street that an opponent of `seat` can match. */
  #callable(seat: number): number {
    return this.#live.reduce(
      (largest, live, other) =>
        live && other !== seat ? Math.max(largest, (this.#bets[other] ?? 0) + (this.#stacks[other] ?? 0)) : largest,
      0,
    );
  }

  #countContinuationBet(seat: number, { aggressive, folds }: { aggressive: boolean; folds: boolean }): void {
    if (this.#cBettor !== null && this.#cBettor !== seat && this.#raisers.length === 1) {
      this.#countStreet('cBetsFaced', seat);
      if (folds) this.#countStreet('foldsToCBet', seat);
    }
    if (seat !== this.#initiative || this.#raisers.length > 0 || (this.#acted & (1 << seat)) !== 0) return;
    this.#countStreet('cBetChances', seat);
    if (!aggressive) return;
    this.#countStreet('cBets', seat);
    this.#cBettor = seat;
  }

  /** Counts the size of a bet or raise: the chips beyond a call that an opponent can match, over the pot after the call. */
  #countSize({ seat, amount }: RecordedAction): void {
    const bet = this.#bets[seat] ?? 0;
    const over = Math.min(bet + amount, this.#callable(seat)) - this.#currentBet;
    if (over <= 0) return;
    this.#countStreet('sizedBets', seat);
    this.#countStreet('sizes', seat, Math.round((1000 * over) / (this.#pot + this.#currentBet - bet)));
  }

  #apply({ seat, amount, kind, street }: RecordedAction): void {
    const bet = (this.#bets[seat] ?? 0) + amount;
    this.#bets[seat] = bet;
    this.#totals[seat] = (this.#totals[seat] ?? 0) + amount;
    this.#stacks[seat] = (this.#stacks[seat] ?? 0) - amount;
    this.#pot += amount;
    this.#currentBet = Math.max(this.#currentBet, bet);
    if (kind !== Action.FOLD) return;
    this.#live[seat] = false;
    if (street === 0) this.#sawFlop[seat] = false;
  }

  #countShowdown(): void {
    const showdown = this.#live.filter(Boolean).length > 1;
    const [highest = 0, second = 0] = this.#totals.toSorted((a, b) => b - a);
    for (const [seat, live] of this.#live.entries()) {
      if (this.#sawFlop[seat] && (showdown || this.#street > 0)) this.#countHand('sawFlop', seat);
      if (!showdown || !live) continue;
      this.#countHand('showdowns', seat);
      const total = this.#totals[seat] ?? 0;
      const returned = total === highest ? highest - second : 0;
      if ((this.#record.deltas[seat] ?? 0) + total > returned) this.#countHand('showdownsWon', seat);
    }
  }
}

function indexesOf<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, index) => [name, index])) as Record<Name, number>;
}
