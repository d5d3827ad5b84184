import { evaluate7 } from './evaluate.ts';
import type { Hand } from './hand.ts';
import { layerPots, sharePot } from './pots.ts';

/**
 * Gives back an uncalled bet, shares the pots and books the results into the hand's own arrays. Returns the chips given
 * back. For `Hand` alone, once, when no more action is possible.
 */
export function settle(hand: Hand): number {
  const paidBack = returnUncalled(hand);
  const live = hand.dealtIn.map((_, seat) => hand.isLive(seat));
  const chips = hand.totals.map((total, seat) => total - (hand.returned[seat] as number));
  const values = hand.shownHands.length > 1 ? showdownValues(hand) : null;
  for (const { amount, eligible } of layerPots(chips, live)) {
    sharePot(amount, values === null ? eligible : bestOf(eligible, values), hand.button, hand.winnings);
  }
  for (let seat = 0; seat < hand.seats; seat++) {
    const back = (hand.winnings[seat] as number) + (hand.returned[seat] as number);
    hand.stacks[seat] = (hand.stacks[seat] as number) + back;
    hand.deltas[seat] = back - (hand.totals[seat] as number);
  }
  return paidBack;
}

function returnUncalled(hand: Hand): number {
  let most = 0;
  let second = 0;
  let holder = -1;
  for (const [seat, total] of hand.totals.entries()) {
    if (total > most) {
      second = most;
      most = total;
      holder = seat;
    } else if (total > second) second = total;
  }
  if (most === second || !hand.isLive(holder)) return 0;
  hand.returned[holder] = most - second;
  return most - second;
}

function showdownValues(hand: Hand): number[] {
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = hand.board;
  return hand.startStacks.map((_, seat) => {
    if (!hand.isLive(seat)) return 0;
    const [first, second] = hand.holeCards(seat);
    return evaluate7(a, b, c, d, e, first, second);
  });
}

function bestOf(eligible: readonly number[], values: readonly number[]): number[] {
  let best = 0;
  let winners: number[] = [];
  for (const seat of eligible) {
    const value = values[seat] as number;
    if (value > best) {
      best = value;
      winners = [seat];
    } else if (value === best) winners.push(seat);
  }
  return winners;
}
