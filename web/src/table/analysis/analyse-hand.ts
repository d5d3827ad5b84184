import { type Card, cardCode, parseCard } from '@husky/holdem/card';
import { describeHand } from '@husky/holdem/evaluate';
import type { AnalysisInput, Situation } from './situations.ts';
import { winProbabilities } from './win-probability.ts';

/** Name of a seat's hand, before the flop of its hole cards, and its probabilities; null if they are unknown. */
export type SeatInsight = { handName: string | null; win: number | null; tie: number | null; equity: number | null };
export type StreetInsight = { key: string; seats: (SeatInsight | null)[] };

function nameOf(hand: readonly Card[], board: readonly Card[]): string | null {
  if (board.length >= 3) return describeHand([...hand, ...board]);
  return hand.length === 2 ? describeHoleCards(hand) : null;
}

/** Computes hand names and probabilities of a situation. Seats that folded or whose cards are unknown are null. */
export function analyseSituation(input: AnalysisInput, situation: Situation): StreetInsight {
  const board = input.board.slice(0, situation.boardCards).map(parseCard);
  const hands = input.hands.map((hand) => hand?.map(parseCard) ?? null);
  const inPlay = hands.filter((hand, seat): hand is Card[] => hand !== null && situation.alive[seat] === true);
  const allKnown = inPlay.length === situation.alive.filter(Boolean).length;
  const dead = hands.flatMap((hand, seat) => (situation.alive[seat] === true ? [] : (hand ?? [])));
  const shares = allKnown && inPlay.length > 1 ? winProbabilities(inPlay, board, dead) : [];
  const seats = hands.map((hand, seat): SeatInsight | null => {
    if (hand === null || situation.alive[seat] !== true) return null;
    const share = shares[inPlay.indexOf(hand)];
    const alone = inPlay.length === 1 && allKnown;
    return {
      handName: nameOf(hand, board),
      win: share?.win ?? (alone ? 1 : null),
      tie: share?.tie ?? (alone ? 0 : null),
      equity: share?.equity ?? (alone ? 1 : null),
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
