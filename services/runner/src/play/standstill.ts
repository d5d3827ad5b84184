import type { SeatHost } from '../host/seat-host.ts';
import type { Seat } from './seat.ts';

/** Stops and continues the processes of seats. A seat that stands still gets no processor time, so it takes none from the others. */
export class Standstill {
  readonly #host: SeatHost;
  readonly #onError: (error: Error) => void;

  constructor(host: SeatHost, onError: (error: Error) => void) {
    this.#host = host;
    this.#onError = onError;
  }

  /** Stops the seat's process, also one that has closed its connection. No-op for a seat that stands still. */
  stop(seat: Seat): void {
    if (seat.stopped) return;
    seat.stopped = true;
    this.#host.pause(seat.number).catch(this.#onError);
  }

  /** Continues the seat's process. No-op for a seat that runs. */
  resume(seat: Seat): void {
    if (!seat.stopped) return;
    seat.stopped = false;
    this.#host.resume(seat.number).catch(this.#onError);
  }
}
