import { Action, type ActionKind } from '@husky/holdem/action';
import { type Card, cardCode } from '@husky/holdem/card';
import type { Hand } from '@husky/holdem/hand';
import { layerPots } from '@husky/holdem/pots';
import type { Profile } from './setup.ts';

const CARD_JSON: readonly string[] = Array.from({ length: 52 }, (_, card) => `"${cardCode(card)}"`);
const ACTION_LETTER: Readonly<Record<ActionKind, string>> = {
  [Action.FOLD]: 'F',
  [Action.CHECK]: 'K',
  [Action.CALL]: 'C',
  [Action.RAISE]: 'R',
  [Action.ALL_IN]: 'A',
};
const NO_ACTION = '-';
const BOARD_CARDS = [0, 3, 4, 5] as const;

/**
 * The state of a hand as bots see it, as JSON of the seat protocol: `[street, board, pot, waiting, current bet, players, their bets,
 * last actions, pots]`, in which digits name seats. Built once per change and shared by all seats.
 */
export class HandView {
  readonly hand: Hand;
  readonly #classic: boolean;
  /** Last action on this street by seat. */
  readonly #actions: string[];
  /** Seats that had not folded when the street began. */
  readonly #inStreet: boolean[];
  #boardJson = '[]';
  #street = 0;
  /** The current state while nothing has changed since it was built, otherwise ''. */
  #currentJson = '';
  /** The state of the closed street, likewise. */
  #closedJson = '';

  constructor(hand: Hand, profile: Profile) {
    this.hand = hand;
    this.#classic = profile === 'classic';
    this.#inStreet = hand.dealtIn.slice();
    this.#actions = new Array<string>(hand.seats).fill(NO_ACTION);
    // Both blinds are shown as raises: the big blind does not clear the action of the small blind, as another raise would.
    for (const { seat, kind } of hand.log) this.#actions[seat] = ACTION_LETTER[kind];
  }

  /** Updates the view after an action was applied to the hand. Call it before `openStreet`. */
  note(seat: number, kind: ActionKind, raised: boolean): void {
    this.#currentJson = '';
    this.#closedJson = '';
    if (raised) {
      for (let other = 0; other < this.hand.seats; other++) {
        if (this.hand.folded[other] === false && this.hand.allIn[other] === false) this.#actions[other] = NO_ACTION;
      }
    }
    this.#actions[seat] = ACTION_LETTER[kind];
  }

  /** Moves the view to a street without bets and actions. */
  openStreet(street: number): void {
    const { hand } = this;
    this.#currentJson = '';
    this.#closedJson = '';
    this.#street = street;
    for (let seat = 0; seat < hand.seats; seat++) {
      this.#actions[seat] = NO_ACTION;
      this.#inStreet[seat] = hand.isLive(seat);
    }
    let cards = '';
    for (let index = 0; index < (BOARD_CARDS[street] ?? 0); index++)
      cards += `${index === 0 ? '' : ','}${CARD_JSON[hand.board[index] as Card]}`;
    this.#boardJson = `[${cards}]`;
  }

  /** Returns the state while this street is played. */
  current(): string {
    const { hand } = this;
    if (this.#currentJson === '')
      this.#currentJson = this.#state(hand.toAct.join(''), hand.currentBet, hand.bets, this.#pots(hand.bets));
    return this.#currentJson;
  }

  /** Returns the state of the street that has just closed, with its bets. */
  closed(): string {
    const { closed } = this.hand;
    if (closed === null) return this.current();
    if (this.#closedJson === '')
      this.#closedJson = this.#state('', closed.currentBet, closed.bets, this.#pots(closed.bets));
    return this.#closedJson;
  }

  /** Returns the state of a street that is dealt without betting. */
  dealt(): string {
    const bets = new Array<number>(this.hand.seats).fill(0);
    return this.#state('', 0, bets, this.#pots(bets));
  }

  /** Returns min_raise and max_raise of a question as JSON; classic profile: the bet and twice the bet. */
  raiseRange(minRaise: number, maxRaise: number): string {
    if (!this.#classic) return `${minRaise},${maxRaise}`;
    return this.#classicRange(this.hand.currentBet);
  }

  /** Returns the min_raise that the question shows. */
  minRaise(minRaise: number): number {
    return this.#classic ? this.hand.currentBet : minRaise;
  }

  /** Returns min_raise and max_raise of on_round_start: the limits of a first raise, 0 where the seat cannot raise. */
  openingRange(seat: number): string {
    const { hand } = this;
    if (this.#classic) return this.#classicRange(hand.over ? 0 : hand.currentBet);
    const stack = hand.stacks[seat] as number;
    if (hand.over || hand.folded[seat] === true) return '0,0';
    const full = hand.currentBet - (hand.bets[seat] as number) + hand.bigBlind;
    return `${Math.min(full, stack)},${stack}`;
  }

  /** Returns min_raise and max_raise of on_end_round and on_end_game. */
  closedRange(): string {
    return this.#classic ? this.#classicRange(this.hand.closed?.currentBet ?? 0) : '0,0';
  }

  /** Returns the chips behind, before an uncalled bet and winnings are paid. */
  remaining(seat: number): number {
    return (this.hand.startStacks[seat] as number) - (this.hand.totals[seat] as number);
  }

  /** Returns the net chips by seat, the digits of the seats that did not fold, and their hole cards, for on_end_game. */
  result(): string {
    const { deltas, shownHands } = this.hand;
    return `[${deltas}],"${shownHands.join('')}",[${shownHands.map((seat) => this.holeCards(seat))}]`;
  }

  holeCards(seat: number): string {
    const { deck } = this.hand;
    return `[${CARD_JSON[deck[2 * seat] as Card]},${CARD_JSON[deck[2 * seat + 1] as Card]}]`;
  }

  #classicRange(bet: number): string {
    return `${bet},${2 * bet}`;
  }

  #state(waiting: string, currentBet: number, bets: readonly number[], pots: string): string {
    const { hand } = this;
    let players = '';
    let betsJson = '';
    let actions = '';
    let streetChips = 0;
    let chips = 0;
    for (let seat = 0; seat < hand.seats; seat++) {
      const bet = bets[seat] as number;
      streetChips += bet;
      chips += hand.totals[seat] as number;
      if (this.#inStreet[seat] !== true) {
        actions += NO_ACTION;
        continue;
      }
      betsJson += players === '' ? `${bet}` : `,${bet}`;
      players += seat;
      actions += this.#actions[seat] as string;
    }
    const pot = this.#classic ? streetChips : chips;
    return `[${this.#street},${this.#boardJson},${pot},"${waiting}",${currentBet},"${players}",[${betsJson}],"${actions}",[${pots}]]`;
  }

  #pots(bets: readonly number[]): string {
    const { hand } = this;
    const live: boolean[] = [];
    for (let seat = 0; seat < hand.seats; seat++) live.push(hand.isLive(seat));
    const pots = layerPots(bets, live);
    if (pots.length === 0) return `[0,"${hand.shownHands.join('')}"]`;
    return pots.map(({ amount, eligible }) => `[${amount},"${eligible.join('')}"]`).join(',');
  }
}
