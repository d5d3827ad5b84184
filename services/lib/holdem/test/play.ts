import { Action } from '../src/action.ts';
import { DECK_SIZE, parseCards } from '../src/card.ts';
import { Hand } from '../src/hand.ts';

export interface Deal {
  stacks: number[];
  /** Hole cards by seat, '' for any. */
  hands?: string[];
  board?: string;
  small?: number;
  big?: number;
}

/** Returns a deck with the given hole cards and board in their places and the lowest unused cards elsewhere. */
export function deckOf(hands: string[], board: string): number[] {
  const fixed = new Map<number, number>();
  for (const [seat, codes] of hands.entries()) {
    for (const [index, card] of parseCards(codes).entries()) fixed.set(2 * seat + index, card);
  }
  for (const [index, card] of parseCards(board).entries()) fixed.set(12 + index, card);
  const used = new Set(fixed.values());
  if (used.size !== fixed.size) throw new RangeError('a card is dealt twice');
  const rest = Array.from({ length: DECK_SIZE }, (_, card) => card).filter((card) => !used.has(card));
  return Array.from({ length: DECK_SIZE }, (_, at) => fixed.get(at) ?? (rest.shift() as number));
}

/** Deals a hand with the small blind at seat 0, the big blind at seat 1 and the button at the last seat (heads-up: at seat 0). */
export function deal({ stacks, hands = [], board = '', small = 5, big = 10 }: Deal): Hand {
  return new Hand({
    stacks,
    button: stacks.length === 2 ? 0 : stacks.length - 1,
    smallBlindSeat: 0,
    bigBlindSeat: 1,
    smallBlind: small,
    bigBlind: big,
    deck: deckOf(hands, board),
  });
}

/** Plays a sequence such as 'f k c r40 a': fold, check, call, raise by adding 40, all-in. */
export function play(hand: Hand, line: string): Hand {
  for (const move of line.split(' ').filter((word) => word !== '')) {
    if (move === 'f') hand.act(Action.FOLD);
    else if (move === 'k') hand.act(Action.CHECK);
    else if (move === 'c') hand.act(Action.CALL);
    else if (move === 'a') hand.act(Action.ALL_IN);
    else if (move.startsWith('r')) hand.act(Action.RAISE, Number(move.slice(1)));
    else throw new RangeError(`'${move}' is no move`);
  }
  return hand;
}

/** Returns the sizes of a hand's pots, the main pot first. */
export const potSizes = (hand: Hand): number[] => hand.pots().map(({ amount }) => amount);

/** Returns a seeded generator of numbers in [0, 1) (xorshift32). */
export function seeded(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Shuffles in place. */
export function shuffle(deck: number[] | Uint8Array, random: () => number): void {
  for (let last = deck.length - 1; last > 0; last--) {
    const pick = Math.floor(random() * (last + 1));
    const card = deck[last] as number;
    deck[last] = deck[pick] as number;
    deck[pick] = card;
  }
}
