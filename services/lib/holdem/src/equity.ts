import { type Card, DECK_SIZE } from './card.ts';
import { Contenders } from './settlement.ts';

export interface EquityRequest {
  /** Hole cards by seat; null for a folded or empty seat. */
  readonly hands: readonly (readonly [Card, Card] | null)[];
  /** Board so far, 0, 3, 4 or 5 cards. */
  readonly board: readonly Card[];
  /** Other known cards that cannot be dealt, such as those of folded seats. */
  readonly dead?: readonly Card[];
  /** Random source, 0 <= n < 1. Required before the flop, where boards are sampled instead of enumerated. */
  readonly random?: () => number;
  /** Number of boards sampled before the flop. */
  readonly trials?: number;
}

/** Probabilities by seat, 0..1; 0 for a seat without cards. `share` is the expected part of the pot, ties divided. */
export interface Equity {
  readonly win: readonly number[];
  readonly tie: readonly number[];
  readonly share: readonly number[];
  /** Number of boards evaluated; `exact` when these are all possible boards. */
  readonly boards: number;
  readonly exact: boolean;
}

const DEFAULT_TRIALS = 20_000;

/**
 * Computes each seat's probability of winning or tying: exact from the flop on, a Monte Carlo estimate before it (standard error
 * about 0.35 % with the default trials). Throws RangeError for a repeated card, a board of another size, or a missing random
 * source.
 */
export function equity(request: EquityRequest): Equity {
  const { hands, board } = request;
  if (![0, 3, 4, 5].includes(board.length)) throw new RangeError(`a board has 0, 3, 4 or 5 cards, not ${board.length}`);
  const live = remaining(request);
  const tally = new Tally(hands);
  const full = [...board, 0, 0, 0, 0, 0];
  const missing = 5 - board.length;
  if (missing === 5) {
    if (request.random === undefined) throw new RangeError('a random source is required before the flop');
    const trials = request.trials ?? DEFAULT_TRIALS;
    for (let trial = 0; trial < trials; trial++) {
      draw(live, full, request.random);
      tally.count(full);
    }
    return tally.result(false);
  }
  if (missing === 0) tally.count(full);
  for (let turn = 0; missing > 0 && turn < live.length; turn++) {
    full[5 - missing] = live[turn] as Card;
    if (missing === 1) tally.count(full);
    for (let river = turn + 1; missing === 2 && river < live.length; river++) {
      full[4] = live[river] as Card;
      tally.count(full);
    }
  }
  return tally.result(true);
}

function remaining({ hands, board, dead = [] }: EquityRequest): Card[] {
  const seen = new Set<Card>();
  for (const card of [...board, ...dead, ...hands.flatMap((hole) => hole ?? [])]) {
    if (!Number.isInteger(card) || card < 0 || card >= DECK_SIZE) throw new RangeError(`${card} is no card`);
    if (seen.has(card)) throw new RangeError('a card occurs twice');
    seen.add(card);
  }
  return Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !seen.has(card));
}

// Partial Fisher-Yates shuffle in place; `live` remains a permutation of the same cards.
function draw(live: Card[], board: Card[], random: () => number): void {
  for (let index = 0; index < 5; index++) {
    const pick = index + Math.floor(random() * (live.length - index));
    const card = live[pick] as Card;
    live[pick] = live[index] as Card;
    live[index] = card;
    board[index] = card;
  }
}

class Tally {
  readonly #contenders = new Contenders();
  readonly #win: Float64Array;
  readonly #tie: Float64Array;
  readonly #share: Float64Array;
  #boards = 0;

  constructor(hands: EquityRequest['hands']) {
    for (const [seat, hole] of hands.entries()) {
      if (hole !== null) this.#contenders.add(seat, hole[0], hole[1]);
    }
    this.#win = new Float64Array(hands.length);
    this.#tie = new Float64Array(hands.length);
    this.#share = new Float64Array(hands.length);
  }

  count(board: readonly Card[]): void {
    const contenders = this.#contenders;
    const { seats, values } = contenders;
    const winners = contenders.compare(
      board[0] as Card,
      board[1] as Card,
      board[2] as Card,
      board[3] as Card,
      board[4] as Card,
    );
    this.#boards += 1;
    const counts = winners === 1 ? this.#win : this.#tie;
    const { best } = contenders;
    for (let index = 0; index < seats.length; index++) {
      if (values[index] !== best) continue;
      const seat = seats[index] as number;
      counts[seat] = (counts[seat] as number) + 1;
      this.#share[seat] = (this.#share[seat] as number) + 1 / winners;
    }
  }

  result(exact: boolean): Equity {
    const part = (counts: Float64Array): number[] => Array.from(counts, (count) => count / this.#boards);
    return { win: part(this.#win), tie: part(this.#tie), share: part(this.#share), boards: this.#boards, exact };
  }
}
