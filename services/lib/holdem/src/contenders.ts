import type { Card } from './card.ts';
import { evaluate7 } from './evaluate.ts';

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
