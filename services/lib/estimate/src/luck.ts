import { Action, type AppliedAction } from '@husky/holdem/action';
import type { Card } from '@husky/holdem/card';
import { layerPots } from '@husky/holdem/pots';
import { HandEquities } from './luck-equity.ts';
import { holeTerms } from './luck-hole.ts';
import { streetWeight } from './luck-weight.ts';
import { seededRandom } from './random.ts';

/** A finished hand with everything that the terms of chance depend on. Arrays are by seat. */
export interface FinishedHand {
  /** Number of the hand in its match. */
  readonly number: number;
  /** Chips before the hand; 0: not dealt in. */
  readonly stacks: readonly number[];
  /** The full big blind, also if it was posted short. */
  readonly bigBlind: number;
  readonly deck: ArrayLike<Card>;
  /** Nobody posted the small blind. */
  readonly deadSmallBlind?: boolean;
  /** The log of the engine; the first actions are the posted blinds. */
  readonly actions: readonly Pick<AppliedAction, 'street' | 'seat' | 'kind' | 'amount'>[];
  /** Net chips. */
  readonly deltas: readonly number[];
}

/** A term of chance by seat, with what was known of it before its cards were dealt. */
export interface ChanceTerm {
  /** Expectation 0 for each seat; the seats add up to 0. */
  readonly chips: readonly number[];
  /** About the expected square of `chips`. */
  readonly squares: readonly number[];
  /** Chips that the seat had bet in this hand; 0 for hole cards. */
  readonly stakes: readonly number[];
}

/** The terms of chance in one hand. Each has the expectation 0, given what was fixed before its cards were dealt. */
export interface ChanceTerms {
  /** Hole cards; flop, turn and river if decisions followed, otherwise 0. */
  readonly events: readonly [ChanceTerm, ChanceTerm, ChanceTerm, ChanceTerm];
  /** The cards that were dealt when nobody could act any more. */
  readonly runOut: readonly number[];
}

/** Computes the terms of chance. Deterministic. Source: docs/methodology.md, Luck. */
export function chanceTerms(hand: FinishedHand, weightOf = streetWeight): ChanceTerms {
  const { stacks, bigBlind, deck, actions, deadSmallBlind = false } = hand;
  const zeros = (): number[] => stacks.map(() => 0);
  const none: ChanceTerm = { chips: zeros(), squares: zeros(), stakes: zeros() };
  const streets: [ChanceTerm, ChanceTerm, ChanceTerm] = [none, none, none];
  let runOut: readonly number[] = zeros();
  const state = new Bets(hand);
  const equities = new HandEquities(deck, state.dealtIn, () => seededRandom(seedOf(hand, state.dealtIn)));
  for (const street of [1, 2, 3] as const) {
    state.playUntil(street);
    if (state.live.filter(Boolean).length < 2) break;
    const behind = stacks.map((chips, seat) => (state.live[seat] ? chips - (state.bets[seat] as number) : 0));
    const [, playable = 0] = behind.toSorted((a, b) => b - a);
    const cards = [CARDS[street - 1] as number, CARDS[street] as number] as const;
    if (playable === 0) {
      // The changes on the remaining streets add up to the whole change until the river.
      runOut = potChange(state, equities, [cards[0], 5], bigBlind);
      break;
    }
    const change = potChange(state, equities, cards, bigBlind);
    const weight = weightOf(street, playable / state.pot);
    const square = MEAN_SQUARES[street - 1] as number;
    streets[street - 1] = {
      chips: change.map((chips) => weight * chips),
      squares: zeros().fill(square * (weight * state.pot) ** 2),
      stakes: [...state.bets],
    };
  }
  const seats = seatsFrom(actions[0]?.seat ?? 0, stacks);
  const hole = holeTerms(deck, seats, stacks, bigBlind, deadSmallBlind ? 1 : 0);
  return { events: [{ ...hole, stakes: zeros() }, ...streets], runOut };
}

/** Mean square of a player's change of equity by street, from hands of constructed bots. */
const MEAN_SQUARES = [0.06, 0.045, 0.12] as const;

/** Numbers of board cards by street. */
const CARDS = [0, 3, 4, 5] as const;

/** Returns by seat how much its expected part of the pots changes when the board grows from one number of cards to another. */
function potChange(
  { bets, live, pot }: Bets,
  equities: HandEquities,
  [from, to]: readonly [number, number],
  bigBlind: number,
): number[] {
  const change = bets.map(() => 0);
  const boards = sampledBoards(pot / bigBlind);
  for (const { amount, eligible } of layerPots(bets, live)) {
    if (eligible.length < 2) continue;
    let mask = 0;
    for (const seat of eligible) mask |= 1 << seat;
    const before = equities.shares(mask, from, boards);
    const after = equities.shares(mask, to, boards);
    for (const seat of eligible) {
      change[seat] = (change[seat] as number) + amount * ((after[seat] as number) - (before[seat] as number));
    }
  }
  return change;
}

/** Follows the log of a hand: chips put in and seats that have not folded. */
class Bets {
  readonly bets: number[];
  readonly live: boolean[];
  readonly dealtIn: number;
  pot = 0;
  readonly #actions: FinishedHand['actions'];
  #next = 0;

  constructor({ stacks, actions }: FinishedHand) {
    this.#actions = actions;
    this.bets = stacks.map(() => 0);
    this.live = stacks.map((chips) => chips > 0);
    this.dealtIn = this.live.reduce((mask, dealt, seat) => (dealt ? mask | (1 << seat) : mask), 0);
  }

  /** Applies all actions of the streets before `street`. */
  playUntil(street: number): void {
    for (; this.#next < this.#actions.length; this.#next++) {
      const action = this.#actions[this.#next] as FinishedHand['actions'][number];
      if (action.street >= street) return;
      this.bets[action.seat] = (this.bets[action.seat] as number) + action.amount;
      this.pot += action.amount;
      if (action.kind === Action.FOLD) this.live[action.seat] = false;
    }
  }
}

/** Returns the seats with chips, clockwise from `first`. */
function seatsFrom(first: number, stacks: readonly number[]): number[] {
  return stacks.map((_, step) => (first + step) % stacks.length).filter((seat) => (stacks[seat] as number) > 0);
}

const MIN_BOARDS = 128;
const MAX_BOARDS = 4096;
const BOARDS_PER_BIG_BLIND = 8;

/** Returns how many boards are sampled before the flop. Equities of larger pots need a smaller error. */
function sampledBoards(potBigBlinds: number): number {
  return Math.min(MAX_BOARDS, Math.max(MIN_BOARDS, Math.round(BOARDS_PER_BIG_BLIND * potBigBlinds)));
}

/** Returns a seed that depends only on what is fixed before the flop, so that sampled boards are independent of the real one. */
function seedOf({ number, deck }: FinishedHand, dealtIn: number): number {
  let seed = number;
  for (let card = 0; card < 12; card++) {
    if ((dealtIn & (1 << (card >> 1))) !== 0) seed = Math.imul(seed ^ (deck[card] as Card), 0x9e3779b1);
  }
  return seed;
}
