import { Action, type ActionKind, type Street } from '@husky/holdem/action';

/**
 * Predicts the next seat and the chips of every action but a raise; the chunk format stores only deviations. It does not check
 * rules and is deterministic for any input, legal or not.
 */
export class Prediction {
  readonly #seats: number;
  readonly #stacks: number[];
  readonly #bets: number[];
  readonly #out: boolean[];
  readonly #blinds: readonly [number, number];
  readonly totals: number[];
  #actions = 0;
  #smallBlindSeat = 0;
  /** The seat that acted last, or after whose turn the street begins. */
  #lastSeat: number;
  street: Street = 0;

  /** `blinds` and `lastSmallBlindSeat` are those of the previous hand. */
  constructor(stacks: readonly number[], lastSmallBlindSeat: number, blinds: readonly [number, number]) {
    this.#seats = stacks.length;
    this.#stacks = stacks.slice();
    this.#bets = stacks.map(() => 0);
    this.totals = stacks.map(() => 0);
    this.#out = stacks.map((chips) => chips <= 0);
    this.#blinds = blinds;
    this.#lastSeat = lastSmallBlindSeat;
  }

  get smallBlindSeat(): number {
    return this.#smallBlindSeat;
  }

  nextStreet(): void {
    this.street = (this.street + 1) as Street;
    this.#bets.fill(0);
    const dealt =
      this.totals.length - this.#stacks.filter((chips, seat) => chips <= 0 && this.totals[seat] === 0).length;
    this.#lastSeat = dealt === 2 ? this.#smallBlindSeat : (this.#smallBlindSeat + this.#seats - 1) % this.#seats;
  }

  /** The predicted seat of the next action. */
  get seat(): number {
    for (let step = 1; step <= this.#seats; step++) {
      const seat = (this.#lastSeat + step) % this.#seats;
      if (this.#out[seat] !== true) return seat;
    }
    return this.#lastSeat;
  }

  /** Returns the predicted chips of an action; 0 for a raise other than a blind. */
  amount(kind: ActionKind, seat: number): number {
    const stack = this.#stacks[seat] as number;
    if (kind === Action.FOLD || kind === Action.CHECK) return 0;
    if (kind === Action.CALL)
      return Math.max(0, Math.min(stack, Math.max(...this.#bets) - (this.#bets[seat] as number)));
    if (kind === Action.ALL_IN) return stack;
    return this.#actions < 2 ? (this.#blinds[this.#actions] as number) : 0;
  }

  /** Applies the actual action. */
  apply(kind: ActionKind, seat: number, amount: number): void {
    if (this.#actions === 0) this.#smallBlindSeat = seat;
    this.#actions += 1;
    this.#lastSeat = seat;
    this.#bets[seat] = (this.#bets[seat] as number) + amount;
    this.totals[seat] = (this.totals[seat] as number) + amount;
    const stack = (this.#stacks[seat] as number) - amount;
    this.#stacks[seat] = stack;
    if (kind === Action.FOLD || stack <= 0) this.#out[seat] = true;
  }
}
