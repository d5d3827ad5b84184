import { Action, type ActionKind, type AppliedAction, type ClosedStreet, type Options, type Street } from './action.ts';
import type { Card } from './card.ts';
import { BOARD_START, checkSetup, type HandSetup } from './hand-setup.ts';
import { layerPots, type Pot } from './pots.ts';
import { settle, showdownValues } from './settlement.ts';

/**
 * One hand of No-Limit Hold'em under TDA rules, from the blinds to the settlement. Seats are indices 0..n-1, chips whole numbers.
 * `act` applies an action and advances through streets, run-out and settlement; callers only read the fields.
 */
export class Hand {
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

  /** The last full raise; the big blind when a street opens. */
  #raiseSize: number;
  /** By seat: `currentBet` when the seat last acted on this street, -1 if it has not acted. */
  readonly #actedAt: number[];

  /** Throws RangeError with the first problem of the setup. */
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
    this.#actedAt = new Array<number>(seats).fill(-1);
    this.currentBet = setup.bigBlind;
    this.#raiseSize = setup.bigBlind;
    this.#post(setup.smallBlindSeat, setup.smallBlind);
    this.#post(setup.bigBlindSeat, setup.bigBlind);
    this.#advance(setup.bigBlindSeat);
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

  /** The seats still to act on this street, the actor first, clockwise. */
  get toAct(): number[] {
    const waiting: number[] = [];
    if (this.actor === null) return waiting;
    for (let step = 0; step < this.seats; step++) {
      const seat = (this.actor + step) % this.seats;
      if (this.#mustAct(seat)) waiting.push(seat);
    }
    return waiting;
  }

  /** Returns whether a seat was dealt in and has not folded. */
  isLive(seat: number): boolean {
    return this.dealtIn[seat] === true && this.folded[seat] === false;
  }

  /** Returns the two hole cards of a seat. */
  holeCards(seat: number): [Card, Card] {
    return [this.deck[2 * seat] as Card, this.deck[2 * seat + 1] as Card];
  }

  /** Returns the legal actions of the actor. Throws RangeError once the hand is over. */
  options(): Options {
    const seat = this.#requireActor();
    const stack = this.stacks[seat] as number;
    const owed = this.currentBet - (this.bets[seat] as number);
    const actedAt = this.#actedAt[seat] as number;
    const open = actedAt < 0 || this.currentBet - actedAt >= this.#raiseSize;
    return {
      toCall: Math.min(owed, stack),
      canCheck: owed === 0,
      minRaise: open ? Math.min(owed + this.#raiseSize, stack) : 0,
      maxRaise: open ? stack : 0,
    };
  }

  /** Returns the pots of this street's bets alone, including bets that are not called yet; at least one entry. */
  streetPots(): Pot[] {
    const pots = layerPots(this.bets, this.#live());
    return pots.length > 0 ? pots : [{ amount: 0, eligible: this.shownHands }];
  }

  /** Returns the main and side pots of the whole hand; after the end without the uncalled bet. */
  pots(): Pot[] {
    return layerPots(this.#called(), this.#live());
  }

  /**
   * Applies a legal action of the actor. A CALL with nothing to call is logged as CHECK, a CALL or RAISE of the whole stack
   * as ALL_IN; `amount` is read for RAISE only. Throws RangeError with the violated rule for an illegal action.
   */
  act(kind: ActionKind, amount = 0, adjusted = false): void {
    const seat = this.#requireActor();
    const stack = this.stacks[seat] as number;
    const { toCall, canCheck, minRaise, maxRaise } = this.options();
    let chips = 0;
    switch (kind) {
      case Action.FOLD:
        this.folded[seat] = true;
        break;
      case Action.CHECK:
        if (!canCheck) throw new RangeError(`seat ${seat} cannot check: ${toCall} to call`);
        break;
      case Action.CALL:
        chips = toCall;
        break;
      case Action.RAISE:
        if (!Number.isSafeInteger(amount)) throw new RangeError('a raise must be a whole number of chips');
        if (maxRaise === 0) throw new RangeError(`betting is not reopened to seat ${seat}`);
        if (amount < minRaise) throw new RangeError(`the minimum raise is ${minRaise} chips, not ${amount}`);
        if (amount > maxRaise) throw new RangeError(`seat ${seat} has ${maxRaise} chips, not ${amount}`);
        chips = amount;
        break;
      case Action.ALL_IN:
        if (stack > toCall && maxRaise === 0) throw new RangeError(`betting is not reopened to seat ${seat}`);
        chips = stack;
        break;
      default:
        throw new RangeError(`no action has the number ${String(kind)}`);
    }
    const logged = kind === Action.FOLD ? kind : this.#putIn(seat, chips, kind);
    this.log.push({ street: this.street, seat, kind: logged, amount: chips, adjusted });
    this.#actedAt[seat] = this.currentBet;
    this.#advance(seat);
  }

  #requireActor(): number {
    if (this.actor === null) throw new RangeError('nobody is to act: the hand is over');
    return this.actor;
  }

  #called(): number[] {
    return this.totals.map((total, seat) => total - (this.returned[seat] as number));
  }

  #live(): boolean[] {
    return this.dealtIn.map((_, seat) => this.isLive(seat));
  }

  #post(seat: number, blind: number): void {
    const chips = Math.min(blind, this.stacks[seat] as number);
    this.#move(seat, chips);
    const kind = this.allIn[seat] === true ? Action.ALL_IN : Action.RAISE;
    this.log.push({ street: 0, seat, kind, amount: chips, adjusted: false });
  }

  #move(seat: number, chips: number): void {
    const stack = (this.stacks[seat] as number) - chips;
    this.stacks[seat] = stack;
    this.bets[seat] = (this.bets[seat] as number) + chips;
    this.totals[seat] = (this.totals[seat] as number) + chips;
    if (stack === 0) this.allIn[seat] = true;
  }

  /** Moves the chips of an action and returns the kind to log. */
  #putIn(seat: number, chips: number, kind: ActionKind): ActionKind {
    this.#move(seat, chips);
    const raisedBy = Math.max(0, (this.bets[seat] as number) - this.currentBet);
    this.currentBet += raisedBy;
    // A short all-in raises the bet to match but not the size of the next full raise.
    this.#raiseSize = Math.max(this.#raiseSize, raisedBy);
    if (chips === 0) return Action.CHECK;
    return this.allIn[seat] === true ? Action.ALL_IN : kind;
  }

  #mustAct(seat: number): boolean {
    if (!this.isLive(seat) || this.allIn[seat] === true) return false;
    return (this.#actedAt[seat] as number) < 0 || (this.bets[seat] as number) < this.currentBet;
  }

  #advance(from: number): void {
    let live = 0;
    let able = 0;
    let ableBet = 0;
    let allInBet = 0;
    for (let seat = 0; seat < this.seats; seat++) {
      if (!this.isLive(seat)) continue;
      live += 1;
      const bet = this.bets[seat] as number;
      if (this.allIn[seat] === true) allInBet = Math.max(allInBet, bet);
      else {
        able += 1;
        ableBet = bet;
      }
    }
    if (live === 1) {
      this.#close();
      this.#finish();
      return;
    }
    // A single seat with chips behind has nobody to bet against; it acts only while an all-in exceeds its bet.
    if (able > 1 || (able === 1 && ableBet < allInBet)) {
      for (let step = 1; step <= this.seats; step++) {
        const seat = (from + step) % this.seats;
        if (this.#mustAct(seat)) {
          this.actor = seat;
          return;
        }
      }
    }
    this.#nextStreet(able <= 1);
  }

  #nextStreet(runOut: boolean): void {
    this.#close();
    if (this.street === 3) {
      this.#finish();
      return;
    }
    this.street = runOut ? 3 : ((this.street + 1) as Street);
    for (let index = this.board.length; index < this.street + 2; index++) {
      this.board.push(this.deck[BOARD_START + index] as Card);
    }
    this.bets.fill(0);
    this.#actedAt.fill(-1);
    this.currentBet = 0;
    this.#raiseSize = this.bigBlind;
    if (runOut) this.#finish();
    else this.#advance(this.button);
  }

  #close(): void {
    this.closed = { street: this.street, bets: this.bets.slice(), currentBet: this.currentBet };
  }

  #finish(): void {
    this.actor = null;
    this.over = true;
    const live = this.#live();
    const values = showdownValues(this.board, live, this.deck);
    const { returned, winnings } = settle(this.totals, live, values, this.button);
    this.returned = returned;
    this.winnings = winnings;
    for (let seat = 0; seat < this.seats; seat++) {
      this.stacks[seat] = (this.stacks[seat] as number) + (winnings[seat] as number) + (returned[seat] as number);
    }
    this.deltas = this.stacks.map((chips, seat) => chips - (this.startStacks[seat] as number));
  }
}
