import type { Seat } from './seat.ts';

/** For the last calls of the match, once all is decided. */
const leaveMs = 1000;

/** The moment after the last hand in which seats read what they have not been told yet, and end by themselves. */
export class Leaving {
  readonly #seats: readonly Seat[];
  readonly #left = Promise.withResolvers<void>();

  constructor(seats: readonly Seat[]) {
    this.#seats = seats;
  }

  /** Looks whether anybody is still to be waited for. */
  look(): void {
    if (this.#seats.every(({ ended, out, lateSeq }) => ended || out !== null || lateSeq !== 0)) this.#left.resolve();
  }

  async done(): Promise<void> {
    const timer = setTimeout(this.#left.resolve, leaveMs);
    this.look();
    await this.#left.promise;
    clearTimeout(timer);
  }
}
