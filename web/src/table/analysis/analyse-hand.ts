import { type Card, parseCard } from '@husky/holdem/card';
import { describeHand } from '@husky/holdem/evaluate';
import { describeHoleCards } from './hole-cards.ts';
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
