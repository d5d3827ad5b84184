import type { Seat } from './seat.ts';

/** What is waited for of the seat to act: its answer, its answer to an earlier question, or the host's word on its end. */
export type Wait = 'nothing' | 'answer' | 'late' | 'exit';

/** Whose turn it is, and what is waited for since when. */
export class Turn {
  #seat: Seat | null = null;
  #wait: Wait = 'nothing';
  #sinceMs = 0;

  get seat(): Seat | null {
    return this.#seat;
  }

  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** Begins a seat's turn and answers what is to be waited for. */
  begin(seat: Seat, nowMs: number): Wait {
    this.#seat = seat;
    this.#sinceMs = nowMs;
    this.#wait = seat.ended ? 'exit' : seat.lateSeq !== 0 ? 'late' : 'answer';
    return this.#wait;
  }

  over(): void {
    this.#seat = null;
    this.#wait = 'nothing';
  }

  /** What is waited for of this seat; 'nothing' when it is not its turn. */
  waitFor(seat: Seat): Wait {
    return this.#seat === seat ? this.#wait : 'nothing';
  }

  /** The connection of the seat is over: the host will say why. */
  ended(seat: Seat, nowMs: number): void {
    if (this.#seat !== seat || this.#wait === 'exit') return;
    this.#wait = 'exit';
    this.#sinceMs = nowMs;
  }
}
