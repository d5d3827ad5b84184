import { BOARD_START, type HandSetup, MAX_SEATS } from './action.ts';

const isChips = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Throws RangeError naming the first thing that makes a setup impossible to deal. */
export function checkSetup(setup: HandSetup): void {
  const { stacks, button, smallBlindSeat, bigBlindSeat, smallBlind, bigBlind, deck } = setup;
  if (stacks.length < 2 || stacks.length > MAX_SEATS) throw new RangeError(`a table has 2 to ${MAX_SEATS} seats`);
  if (!stacks.every(isChips)) throw new RangeError('stacks are whole numbers of chips from 0');
  if (!isChips(smallBlind) || !isChips(bigBlind) || smallBlind < 1 || bigBlind < smallBlind) {
    throw new RangeError('blinds are whole numbers from 1, the small one at most the big one');
  }
  if (deck.length < BOARD_START + 5) throw new RangeError('the deck is too short');
  for (const seat of [button, smallBlindSeat, bigBlindSeat]) {
    if (!((stacks[seat] ?? 0) > 0)) throw new RangeError(`seat ${seat} has no chips for its position`);
  }
  if (smallBlindSeat === bigBlindSeat) throw new RangeError('both blinds are on one seat');
}
