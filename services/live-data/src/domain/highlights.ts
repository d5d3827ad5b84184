import { setImmediate as nextTurn } from 'node:timers/promises';
import { seededRandom } from '@husky/estimate/random';
import { BOARD_START } from '@husky/holdem/blinds';
import type { Card } from '@husky/holdem/card';
import { type EquityRequest, equity } from '@husky/holdem/equity';
import { deckFor } from '@husky/match/deck';
import { seatsOf } from './hand-index.ts';
import type { HandResult } from './record.ts';

type PlayedHand = Pick<HandResult, 'hand' | 'startedAtMs' | 'facts'>;

/** A hand with the largest change of a seat's equity from one street to the next. Stored as JSON. */
export interface Highlight {
  readonly hand: number;
  readonly pot: number;
  /** |after - before|, 0..1. */
  readonly swing: number;
  readonly seat: number;
  /** The street that was dealt between; 0: no swing. */
  readonly street: number;
  readonly before: number;
  readonly after: number;
  readonly playedAtMs: number;
}

const MAX_CANDIDATES = 16;
const MAX_HIGHLIGHTS = 5;
const PREFLOP_TRIALS = 2000;

export const scoreOf = ({ swing, pot }: Highlight) => Math.round(swing * pot);

/**
 * Returns at most five highlights of a match, the largest swing times pot first. Candidates are the 16 largest pots, hands with a
 * showdown before those without. Equities are those of the players at showdown, exact from the flop on; before it, estimated from
 * 2,000 boards of a generator that is seeded with the hand's number, so that a match always has the same highlights. A candidate takes
 * up to 10 ms; other calls run between two of them.
 */
export async function highlightsOf(seed: Uint8Array, results: readonly PlayedHand[]): Promise<Highlight[]> {
  const candidates = results
    .toSorted(
      (a, b) => Number(b.facts.showdown) - Number(a.facts.showdown) || b.facts.pot - a.facts.pot || a.hand - b.hand,
    )
    .slice(0, MAX_CANDIDATES);
  const highlights: Highlight[] = [];
  for (const candidate of candidates) {
    highlights.push(swingOf(seed, candidate));
    await nextTurn();
  }
  return highlights
    .sort((a, b) => scoreOf(b) - scoreOf(a) || b.pot - a.pot || a.hand - b.hand)
    .slice(0, MAX_HIGHLIGHTS);
}

function swingOf(seed: Uint8Array, result: PlayedHand): Highlight {
  const { hand, startedAtMs: playedAtMs, facts } = result;
  const { pot, winners } = facts;
  let best: Highlight = {
    hand,
    pot,
    playedAtMs,
    swing: 0,
    seat: seatsOf(winners)[0] ?? 0,
    street: 0,
    before: 0,
    after: 0,
  };
  if (!facts.showdown) return best;
  const shares = equities(seed, result);
  for (const [index, after] of shares.entries()) {
    const before = shares[index - 1];
    if (before === undefined) continue;
    for (const seat of seatsOf(facts.live)) {
      const [from, to] = [before[seat] ?? 0, after[seat] ?? 0];
      const swing = round(Math.abs(to - from));
      // Of two players with the same swing, the winner is named.
      const better = swing > best.swing || (swing === best.swing && (winners & (1 << seat)) !== 0 && to > from);
      if (swing > 0 && better)
        best = { hand, pot, playedAtMs, swing, seat, street: index, before: round(from), after: round(to) };
    }
  }
  return best;
}

const round = (share: number) => Math.round(share * 1000) / 1000;

/** Returns the equity by seat before the flop and after flop, turn and river. */
function equities(seed: Uint8Array, { hand, facts: { live, dealtIn } }: PlayedHand): (readonly number[])[] {
  const deck = deckFor(seed, hand);
  const holeOf = (seat: number): [Card, Card] => [deck[2 * seat] as Card, deck[2 * seat + 1] as Card];
  const hands = [0, 1, 2, 3, 4, 5].map((seat) => ((live & (1 << seat)) !== 0 ? holeOf(seat) : null));
  const dead = seatsOf(dealtIn & ~live).flatMap(holeOf);
  const request: Omit<EquityRequest, 'board'> = { hands, dead, random: seededRandom(hand), trials: PREFLOP_TRIALS };
  return [0, 3, 4, 5].map((cards) => {
    const board = [...deck.subarray(BOARD_START, BOARD_START + cards)];
    return equity({ ...request, board }).share;
  });
}
