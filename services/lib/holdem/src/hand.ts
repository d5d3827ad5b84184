import { Action, type ActionKind, type Options, type Street } from './action.ts';
import { BOARD_START, type HandSetup } from './blinds.ts';
import type { Card } from './card.ts';
import { HandState } from './hand-state.ts';
import { settle, showdownValues } from './settlement.ts';

/**
 * One hand of No-Limit Hold'em under TDA rules, from the blinds to the settlement. `act` applies an action and advances through
 * streets, run-out and settlement; callers only read the fields.
 */
export class Hand extends HandState {
  /** The last full raise; the big blind when a street opens. */
  #raiseSize: number;
  /** By seat: `currentBet` when the seat last acted on this street, -1 if it has not acted. */
  readonly #actedAt: number[];

  /** Throws RangeError with the first problem of the setup. */
  constructor(setup: HandSetup) {
    super(setup);
    this.#actedAt = new Array<number>(this.seats).fill(-1);
    this.#raiseSize = setup.bigBlind;
    if (this.posts === 2) this.#post(setup.smallBlindSeat, setup.smallBlind);
    this.#post(setup.bigBlindSeat, setup.bigBlind);
    this.#advance(setup.bigBlindSeat);
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
    const live = this.liveSeats();
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

/** Why an action was refused. */
export type IllegalReason = 'illegal-action' | 'illegal-amount' | 'illegal-check' | 'illegal-raise';

/** Why the action played differs from the requested one. */
export type AdjustReason = 'not-reopened' | 'below-minimum' | 'minimum-of-zero';

/** The ruling on a bot's action: a legal action to apply, why it was changed, and the fault if it was illegal. */
export interface Ruling {
  readonly kind: ActionKind;
  readonly amount: number;
  readonly adjusted: AdjustReason | null;
  readonly fault: IllegalReason | null;
}

const legal = (kind: ActionKind, amount = 0, adjusted: AdjustReason | null = null): Ruling => ({
  kind,
  amount,
  adjusted,
  fault: null,
});
const illegal = (fault: IllegalReason): Ruling => ({ kind: Action.FOLD, amount: 0, adjusted: null, fault });

/**
 * Rules on the actor's raw reply without applying it. The ruling's kind and amount (chips added) are what `Hand.act` will log. An
 * illegal reply becomes a FOLD with its fault. The amount must be a number of at least 0 for every kind, as the original client
 * required, but only RAISE uses it; infinity exceeds every stack, fractions are truncated. `shownMinRaise` is the min_raise that
 * the bot was shown, if that is not the smallest legal raise.
 */
export function adjudicate(hand: Hand, kind: unknown, amount: unknown, shownMinRaise?: number): Ruling {
  if (typeof amount !== 'number' || Number.isNaN(amount) || amount < 0) {
    return isKind(kind) ? illegal('illegal-amount') : illegal('illegal-action');
  }
  const { toCall, canCheck, minRaise, maxRaise } = hand.options();
  const stack = hand.stacks[hand.actor as number] as number;
  switch (kind) {
    case Action.FOLD:
      return legal(Action.FOLD);
    case Action.CHECK:
      return canCheck ? legal(Action.CHECK) : illegal('illegal-check');
    case Action.CALL:
      return call(toCall, stack);
    case Action.ALL_IN:
      return allIn(toCall, stack, maxRaise);
    case Action.RAISE: {
      const chips = Math.floor(amount);
      if (chips >= stack) return allIn(toCall, stack, maxRaise);
      if (maxRaise === 0) return call(toCall, stack, 'not-reopened');
      if (chips === 0 && shownMinRaise === 0) return call(toCall, stack, 'minimum-of-zero');
      if (chips <= toCall) return illegal('illegal-raise');
      if (chips >= minRaise) return legal(Action.RAISE, chips);
      return legal(minRaise === stack ? Action.ALL_IN : Action.RAISE, minRaise, 'below-minimum');
    }
    default:
      return illegal('illegal-action');
  }
}

function isKind(kind: unknown): boolean {
  return (Object.values(Action) as readonly unknown[]).includes(kind);
}

function call(toCall: number, stack: number, adjusted: AdjustReason | null = null): Ruling {
  if (toCall === 0) return legal(Action.CHECK, 0, adjusted);
  return toCall === stack ? legal(Action.ALL_IN, stack, adjusted) : legal(Action.CALL, toCall, adjusted);
}

function allIn(toCall: number, stack: number, maxRaise: number): Ruling {
  return stack > toCall && maxRaise === 0 ? call(toCall, stack, 'not-reopened') : legal(Action.ALL_IN, stack);
}
