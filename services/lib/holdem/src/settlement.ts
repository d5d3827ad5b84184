import type { Card } from './card.ts';
import { evaluate7 } from './evaluate.ts';
import { layerPots } from './pots.ts';

/** How the chips of a finished hand are distributed, by seat. */
export interface Settlement {
  /** The part of the largest bet that nobody called, given back before pots are formed. */
  readonly returned: readonly number[];
  /** Chips won from pots. */
  readonly winnings: readonly number[];
}

/** Returns the value of each live seat's best hand, by seat (0 where folded), or null while the board is incomplete. */
export function showdownValues(
  board: readonly Card[],
  live: readonly boolean[],
  deck: ArrayLike<Card>,
): number[] | null {
  if (board.length < 5) return null;
  const [a, b, c, d, e] = board as [Card, Card, Card, Card, Card];
  return live.map((shown, seat) =>
    shown ? evaluate7(a, b, c, d, e, deck[2 * seat] as Card, deck[2 * seat + 1] as Card) : 0,
  );
}

/**
 * Distributes the chips of a hand in which no more action is possible. All arrays are by seat: `totals` are the chips put in over
 * the hand, `live` marks seats that have not folded, `values` are showdown values (higher wins, equal splits) or null when all
 * but one seat have folded.
 */
export function settle(
  totals: readonly number[],
  live: readonly boolean[],
  values: readonly number[] | null,
  button: number,
): Settlement {
  const returned = uncalledBet(totals);
  const winnings = totals.map(() => 0);
  const called = totals.map((total, seat) => total - (returned[seat] as number));
  for (const { amount, eligible } of layerPots(called, live)) {
    sharePot(amount, values === null ? eligible : bestOf(eligible, values), button, winnings);
  }
  return { returned, winnings };
}

function uncalledBet(totals: readonly number[]): number[] {
  const [largest = 0, second = 0] = totals.toSorted((a, b) => b - a);
  return totals.map((total) => (total === largest ? largest - second : 0));
}

function bestOf(eligible: readonly number[], values: readonly number[]): number[] {
  const best = Math.max(...eligible.map((seat) => values[seat] as number));
  return eligible.filter((seat) => values[seat] === best);
}

// Odd chips go one by one clockwise from the button (TDA rule 20). Adds into `winnings`.
function sharePot(amount: number, winners: readonly number[], button: number, winnings: number[]): void {
  const share = Math.floor(amount / winners.length);
  let odd = amount - share * winners.length;
  const seats = winnings.length;
  for (let step = 1; step <= seats; step++) {
    const seat = (button + step) % seats;
    if (!winners.includes(seat)) continue;
    winnings[seat] = (winnings[seat] as number) + share + (odd > 0 ? 1 : 0);
    odd -= 1;
  }
}

/** The hole cards that compete for a pot, compared on one complete board after another. */
export class Contenders {
  /** The seats of the contenders in the order in which they were added. */
  readonly seats: number[] = [];
  /** Values of the hands on the board compared last, and the best of them. Fields instead of methods: millions of boards are read. */
  readonly values: number[] = [];
  best = 0;
  readonly #first: Card[] = [];
  readonly #second: Card[] = [];

  add(seat: number, first: Card, second: Card): void {
    this.seats.push(seat);
    this.values.push(0);
    this.#first.push(first);
    this.#second.push(second);
  }

  /** Evaluates every hand on a board and returns the number of hands that have the best value. */
  compare(a: Card, b: Card, c: Card, d: Card, e: Card): number {
    const values = this.values;
    const first = this.#first;
    const second = this.#second;
    const count = values.length;
    let best = 0;
    let winners = 0;
    for (let index = 0; index < count; index++) {
      const value = evaluate7(a, b, c, d, e, first[index] as Card, second[index] as Card);
      values[index] = value;
      if (value > best) {
        best = value;
        winners = 1;
      } else if (value === best) winners += 1;
    }
    this.best = best;
    return winners;
  }
}
