import { type Card, DECK_SIZE } from '@husky/holdem/card';
import { evaluate7 } from '@husky/holdem/evaluate';

/** Shares of all possible boards on which a hand wins alone, and on which it splits the pot; `equity` is its mean share of the pot. */
export type Probability = { win: number; tie: number; equity: number };

type Tally = {
  hands: readonly (readonly Card[])[];
  wins: number[];
  ties: number[];
  /** Sum of the hand's shares of split pots. */
  splits: number[];
  values: Int32Array;
  boards: number;
};

function countBoard(tally: Tally, board: readonly Card[]): void {
  const [c, d, e, f, g] = board as [Card, Card, Card, Card, Card];
  let best = 0;
  let winners = 0;
  for (let seat = 0; seat < tally.hands.length; seat += 1) {
    const hand = tally.hands[seat] as readonly Card[];
    const value = evaluate7(hand[0] as Card, hand[1] as Card, c, d, e, f, g);
    tally.values[seat] = value;
    if (value > best) [best, winners] = [value, 1];
    else if (value === best) winners += 1;
  }
  const counts = winners === 1 ? tally.wins : tally.ties;
  for (let seat = 0; seat < tally.hands.length; seat += 1) {
    if (tally.values[seat] !== best) continue;
    counts[seat] = (counts[seat] as number) + 1;
    if (winners > 1) tally.splits[seat] = (tally.splits[seat] as number) + 1 / winners;
  }
  tally.boards += 1;
}

function deal(tally: Tally, board: Card[], deck: readonly Card[], from: number): void {
  if (board.length === 5) {
    countBoard(tally, board);
    return;
  }
  for (let next = from; next < deck.length; next += 1) {
    board.push(deck[next] as Card);
    deal(tally, board, deck, next + 1);
    board.pop();
  }
}

/**
 * Computes exact win probabilities of the remaining hands by enumerating all possible boards. `dead` are known cards that cannot
 * come (folded hands). At most 1,712,304 boards (two hands before the flop).
 */
export function winProbabilities(
  hands: readonly (readonly Card[])[],
  board: readonly Card[],
  dead: readonly Card[],
): Probability[] {
  const usedCards = new Set([...hands.flat(), ...board, ...dead]);
  const deck = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !usedCards.has(card));
  const zeros = () => hands.map(() => 0);
  const values = new Int32Array(hands.length);
  const tally: Tally = { hands, wins: zeros(), ties: zeros(), splits: zeros(), values, boards: 0 };
  deal(tally, [...board], deck, 0);
  return hands.map((_, seat) => ({
    win: (tally.wins[seat] ?? 0) / tally.boards,
    tie: (tally.ties[seat] ?? 0) / tally.boards,
    equity: ((tally.wins[seat] ?? 0) + (tally.splits[seat] ?? 0)) / tally.boards,
  }));
}
