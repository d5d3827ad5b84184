import { BOARD_START, MAX_SEATS } from '@husky/holdem/blinds';
import { type Card, DECK_SIZE } from '@husky/holdem/card';
import { Contenders } from '@husky/holdem/settlement';

/** Cards of a complete board. */
const BOARD_CARDS = 5;

/**
 * Equities in one hand whose hole cards are all known. Sets of seats are bit masks: bit s is seat s. The hole cards of all seats in
 * `dealtIn` are excluded from the boards, also those of folded seats. Exact from the flop on; before it, an unbiased estimate
 * from boards that are independent of the deck's board.
 */
export class HandEquities {
  readonly #deck: ArrayLike<Card>;
  readonly #dealtIn: number;
  readonly #newRandom: () => () => number;
  #random: (() => number) | undefined;
  readonly #cache = new Map<number, Float64Array>();

  /** `newRandom` creates the generator of the boards sampled before the flop. It is called at most once. */
  constructor(deck: ArrayLike<Card>, dealtIn: number, newRandom: () => () => number) {
    this.#deck = deck;
    this.#dealtIn = dealtIn;
    this.#newRandom = newRandom;
  }

  /**
   * Returns the share of a pot by seat that the seats in `eligible` win on average once `cards` (0, 3, 4 or 5) board cards are known.
   * `boards` is the least number of boards sampled before the flop. Results are cached by eligible seats and cards.
   */
  shares(eligible: number, cards: number, boards: number): Float64Array {
    const key = eligible * 8 + cards;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const tally = new Tally(this.#deck, eligible);
    if (tally.count < 2) tally.addSole();
    else if (cards === 0) this.#sample(tally, boards);
    else this.#enumerate(tally, cards);
    const shares = tally.mean();
    this.#cache.set(key, shares);
    return shares;
  }

  #enumerate(tally: Tally, cards: number): void {
    const rest = this.#unseen(cards);
    const board = (index: number) => this.#deck[BOARD_START + index] as Card;
    const [a, b, c] = [board(0), board(1), board(2)];
    if (cards === BOARD_CARDS) tally.add(a, b, c, board(3), board(4));
    else if (cards === 4) for (const river of rest) tally.add(a, b, c, board(3), river);
    else {
      for (let turn = 0; turn < rest.length; turn++) {
        for (let river = turn + 1; river < rest.length; river++) {
          tally.add(a, b, c, rest[turn] as Card, rest[river] as Card);
        }
      }
    }
  }

  // Each shuffle is cut into as many boards as it has. Every one of them is uniformly distributed, so their mean has no bias, and
  // since no card occurs twice in a shuffle, it varies less than that of independent boards.
  #sample(tally: Tally, boards: number): void {
    this.#random ??= this.#newRandom();
    const random = this.#random;
    const rest = this.#unseen(0);
    const boardsInShuffle = Math.floor(rest.length / BOARD_CARDS);
    const drawn = boardsInShuffle * BOARD_CARDS;
    for (let done = 0; done < boards; done += boardsInShuffle) {
      for (let index = 0; index < drawn; index++) {
        const pick = index + Math.floor(random() * (rest.length - index));
        const card = rest[pick] as Card;
        rest[pick] = rest[index] as Card;
        rest[index] = card;
      }
      for (let at = 0; at < drawn; at += BOARD_CARDS) {
        tally.add(
          rest[at] as Card,
          rest[at + 1] as Card,
          rest[at + 2] as Card,
          rest[at + 3] as Card,
          rest[at + 4] as Card,
        );
      }
    }
  }

  /** Returns the cards that are neither hole cards nor among the first `cards` of the board. */
  #unseen(cards: number): Uint8Array {
    const seen = new Uint8Array(DECK_SIZE);
    for (let seat = 0; seat < MAX_SEATS; seat++) {
      if ((this.#dealtIn & (1 << seat)) === 0) continue;
      seen[this.#deck[2 * seat] as Card] = 1;
      seen[this.#deck[2 * seat + 1] as Card] = 1;
    }
    for (let index = 0; index < cards; index++) seen[this.#deck[BOARD_START + index] as Card] = 1;
    const unseen = new Uint8Array(DECK_SIZE);
    let count = 0;
    for (let card = 0; card < DECK_SIZE; card++) if (seen[card] === 0) unseen[count++] = card;
    return unseen.subarray(0, count);
  }
}

/** Sums up who wins on complete boards. */
class Tally {
  readonly count: number;
  readonly #contenders = new Contenders();
  readonly #won: number[] = [];
  #boards = 0;

  constructor(deck: ArrayLike<Card>, eligible: number) {
    for (let seat = 0; seat < MAX_SEATS; seat++) {
      if ((eligible & (1 << seat)) === 0) continue;
      this.#contenders.add(seat, deck[2 * seat] as Card, deck[2 * seat + 1] as Card);
      this.#won.push(0);
    }
    this.count = this.#won.length;
  }

  /** Counts a pot that the only eligible seat wins on every board. */
  addSole(): void {
    this.#boards += 1;
    this.#won[0] = 1;
  }

  add(a: Card, b: Card, c: Card, d: Card, e: Card): void {
    const winners = this.#contenders.compare(a, b, c, d, e);
    const { values, best } = this.#contenders;
    this.#boards += 1;
    for (let index = 0; index < this.count; index++) {
      if (values[index] === best) this.#won[index] = (this.#won[index] as number) + 1 / winners;
    }
  }

  /** Returns the mean share by seat, 0 for seats that are not eligible. */
  mean(): Float64Array {
    const shares = new Float64Array(MAX_SEATS);
    for (const [index, seat] of this.#contenders.seats.entries()) {
      shares[seat] = (this.#won[index] as number) / this.#boards;
    }
    return shares;
  }
}
