import type { AppliedAction, ClosedStreet, Street } from './action.ts';
import { checkSetup, type HandSetup } from './blinds.ts';
import type { Card } from './card.ts';
import { layerPots, type Pot } from './pots.ts';

/** The state of a hand as everybody reads it. Only `Hand` changes it. Seats are indices 0..n-1, chips whole numbers. */
export class HandState {
  readonly seats: number;
  readonly button: number;
  readonly smallBlindSeat: number;
  readonly bigBlindSeat: number;
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly deck: ArrayLike<Card>;
  readonly startStacks: readonly number[];
  readonly dealtIn: readonly boolean[];

  street: Street = 0;
  /** The seat to act, or null once the hand is over. */
  actor: number | null = null;
  /** Chips behind. */
  readonly stacks: number[];
  /** Chips put in on this street. */
  readonly bets: number[];
  /** Chips put in over the whole hand, an uncalled bet included. */
  readonly totals: number[];
  readonly folded: boolean[];
  readonly allIn: boolean[];
  readonly board: Card[] = [];
  /** The bet to match on this street. Before the flop at least the big blind, even when that was posted short. */
  currentBet: number;
  readonly log: AppliedAction[] = [];
  over = false;
  /** By seat, all 0 before the end: chips won from pots, the uncalled bet returned, and the net result. */
  winnings: readonly number[];
  returned: readonly number[];
  deltas: readonly number[];
  /** The last betting round that closed, or null. A run-out does not replace the round that led to it. */
  closed: ClosedStreet | null = null;

  /** Before the blinds. Throws RangeError with the first problem of the setup. */
  constructor(setup: HandSetup) {
    checkSetup(setup);
    const seats = setup.stacks.length;
    this.seats = seats;
    this.button = setup.button;
    this.smallBlindSeat = setup.smallBlindSeat;
    this.bigBlindSeat = setup.bigBlindSeat;
    this.smallBlind = setup.smallBlind;
    this.bigBlind = setup.bigBlind;
    this.deck = setup.deck;
    this.startStacks = setup.stacks.slice();
    this.dealtIn = setup.stacks.map((chips) => chips > 0);
    this.stacks = setup.stacks.slice();
    this.bets = new Array<number>(seats).fill(0);
    this.totals = new Array<number>(seats).fill(0);
    this.folded = new Array<boolean>(seats).fill(false);
    this.allIn = new Array<boolean>(seats).fill(false);
    this.winnings = new Array<number>(seats).fill(0);
    this.returned = new Array<number>(seats).fill(0);
    this.deltas = new Array<number>(seats).fill(0);
    this.currentBet = setup.bigBlind;
  }

  /** Number of blinds posted, which are the first entries of `log`: 1 if the small blind is dead. */
  get posts(): 1 | 2 {
    return this.dealtIn[this.smallBlindSeat] === true ? 2 : 1;
  }

  /** Chips put in over the whole hand, less the uncalled bet returned. */
  get pot(): number {
    let sum = 0;
    for (const chips of this.#called()) sum += chips;
    return sum;
  }

  /** The seats that have not folded, in seat order; at the end those whose cards are shown (a sole winner included). */
  get shownHands(): number[] {
    const shown: number[] = [];
    for (let seat = 0; seat < this.seats; seat++) if (this.isLive(seat)) shown.push(seat);
    return shown;
  }

  /** Returns whether a seat was dealt in and has not folded. */
  isLive(seat: number): boolean {
    return this.dealtIn[seat] === true && this.folded[seat] === false;
  }

  /** Returns the two hole cards of a seat. */
  holeCards(seat: number): [Card, Card] {
    return [this.deck[2 * seat] as Card, this.deck[2 * seat + 1] as Card];
  }

  /** Returns the pots of this street's bets alone, including bets that are not called yet; at least one entry. */
  streetPots(): Pot[] {
    const pots = layerPots(this.bets, this.liveSeats());
    return pots.length > 0 ? pots : [{ amount: 0, eligible: this.shownHands }];
  }

  /** Returns the main and side pots of the whole hand; after the end without the uncalled bet. */
  pots(): Pot[] {
    return layerPots(this.#called(), this.liveSeats());
  }

  /** Returns for each seat whether it was dealt in and has not folded. */
  liveSeats(): boolean[] {
    return this.dealtIn.map((_, seat) => this.isLive(seat));
  }

  #called(): number[] {
    return this.totals.map((total, seat) => total - (this.returned[seat] as number));
  }
}
