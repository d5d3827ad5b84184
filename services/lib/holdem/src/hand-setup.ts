import type { Card } from './card.ts';
import type { Positions } from './positions.ts';

export const MAX_SEATS = 6;
/** Index of the first board card in the deck, independent of the seats still in the match. */
export const BOARD_START = 12;

/** The initial state of a hand. Stacks by seat, 0 = not dealt in. Seat s holds deck[2s] and deck[2s + 1], the board is deck[12..16]. */
export interface HandSetup extends Positions {
  readonly stacks: readonly number[];
  readonly smallBlind: number;
  readonly bigBlind: number;
  readonly deck: ArrayLike<Card>;
}

const isChips = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Validates a setup. Throws RangeError with its first problem. */
export function checkSetup(setup: HandSetup): void {
  const { stacks, button, smallBlindSeat, bigBlindSeat, smallBlind, bigBlind, deck } = setup;
  if (stacks.length < 2 || stacks.length > MAX_SEATS) throw new RangeError(`a table has 2 to ${MAX_SEATS} seats`);
  if (!stacks.every(isChips)) throw new RangeError('stacks are whole numbers of chips from 0');
  if (!isChips(smallBlind) || !isChips(bigBlind) || smallBlind < 1 || bigBlind < smallBlind) {
    throw new RangeError('blinds are whole numbers from 1, the small one at most the big one');
  }
  if (deck.length < BOARD_START + 5) throw new RangeError('the deck is too short');
  for (const seat of [button, smallBlindSeat, bigBlindSeat]) {
    if (stacks[seat] === undefined) throw new RangeError(`there is no seat ${seat}`);
  }
  if (stacks.filter((chips) => chips > 0).length < 2) throw new RangeError('a hand has two players or more');
  if (stacks[bigBlindSeat] === 0) throw new RangeError(`seat ${bigBlindSeat} has no chips for the big blind`);
  if (smallBlindSeat === bigBlindSeat) throw new RangeError('both blinds are on one seat');
}
