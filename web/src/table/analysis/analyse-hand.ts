import { type Card, cardCode, parseCard } from '@husky/holdem/card';
import { describeShown, evaluate } from '@husky/holdem/evaluate';
import type { CardCode } from '../game.ts';
import type { AnalysisInput, Situation } from './situations.ts';
import { winProbabilities } from './win-probability.ts';

/**
 * Name of a seat's hand, before the flop of its hole cards, and its probabilities; null if they are unknown. `best`: the five cards of the
 * hand on a complete board.
 */
export type SeatInsight = {
  handName: string | null;
  win: number | null;
  tie: number | null;
  equity: number | null;
  best?: readonly CardCode[];
};
export type StreetInsight = { key: string; seats: (SeatInsight | null)[] };

/** Returns the names of hands from the flop on with the kickers that decide between them. */
function namesOf(hands: readonly (readonly Card[])[], board: readonly Card[]): string[] {
  if (board.length < 3) return hands.map(describeHoleCards);
  return describeShown(hands.map((hand) => evaluate([...hand, ...board])));
}

/** Returns the five of seven cards that make the hand. */
function bestFive(cards: readonly Card[]): CardCode[] {
  const value = evaluate(cards);
  for (let out = 0; out < cards.length; out += 1) {
    for (let also = out + 1; also < cards.length; also += 1) {
      const five = cards.filter((_, index) => index !== out && index !== also);
      if (evaluate(five) === value) return five.map(cardCode);
    }
  }
  return [];
}

/** Computes hand names and probabilities of a situation. Seats that folded or whose cards are unknown are null. */
export function analyseSituation(input: AnalysisInput, situation: Situation): StreetInsight {
  const board = input.board.slice(0, situation.boardCards).map(parseCard);
  const hands = input.hands.map((hand) => hand?.map(parseCard) ?? null);
  const inPlay = hands.filter((hand, seat): hand is Card[] => hand !== null && situation.alive[seat] === true);
  const allKnown = inPlay.length === situation.alive.filter(Boolean).length;
  const dead = hands.flatMap((hand, seat) => (situation.alive[seat] === true ? [] : (hand ?? [])));
  const shares = allKnown && inPlay.length > 1 ? winProbabilities(inPlay, board, dead) : [];
  const names = namesOf(inPlay, board);
  const seats = hands.map((hand, seat): SeatInsight | null => {
    if (hand === null || situation.alive[seat] !== true) return null;
    const share = shares[inPlay.indexOf(hand)];
    const alone = inPlay.length === 1 && allKnown;
    return {
      handName: names[inPlay.indexOf(hand)] ?? null,
      win: share?.win ?? (alone ? 1 : null),
      tie: share?.tie ?? (alone ? 0 : null),
      equity: share?.equity ?? (alone ? 1 : null),
      ...(board.length === 5 && { best: bestFive([...hand, ...board]) }),
    };
  });
  return { key: situation.key, seats };
}

const RANKS: Record<string, string> = {
  2: 'Two',
  3: 'Three',
  4: 'Four',
  5: 'Five',
  6: 'Six',
  7: 'Seven',
  8: 'Eight',
  9: 'Nine',
  T: 'Ten',
  J: 'Jack',
  Q: 'Queen',
  K: 'King',
  A: 'Ace',
};

/** Names two hole cards: 'Pair of Nines', 'Ace-King suited', 'Ten-Four offsuit'. */
function describeHoleCards(cards: readonly Card[]): string {
  const [high = '', low = ''] = cards.toSorted((a, b) => (b >> 2) - (a >> 2)).map(cardCode);
  const [first = '', second = ''] = [high, low].map((code) => RANKS[code.charAt(0)] ?? '');
  if (first === second) return `Pair of ${first === 'Six' ? 'Sixes' : `${first}s`}`;
  return `${first}-${second} ${high.charAt(1) === low.charAt(1) ? 'suited' : 'offsuit'}`;
}
