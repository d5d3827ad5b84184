import type { SeatHost } from '../host/seat-host.ts';
import { type PhaseBudget, PhaseClocks } from './phase-clocks.ts';
import type { Seat } from './seat.ts';
import { Standstill } from './seat-clocks.ts';

/** A bot that is busy for a smaller share of the time between two samples is asleep. */
const asleepShare = 0.1;

export interface LoadHooks {
  /** Starts the process of a seat. */
  start(seat: Seat): void;
  /** The seat's time for loading is used up. */
  onExpired(seat: Seat): void;
  onError(error: Error): void;
}

/**
 * Lets the bots of a match load one after another. One has the processor until it is ready, out or asleep; the others stand still: those
 * that are ready, and those that woke up in the time of another. A bot that sleeps does not hold up the next one.
 */
export class LoadRota {
  readonly #hooks: LoadHooks;
  readonly #clocks: PhaseClocks;
  readonly #standstill: Standstill;
  /** Seats that wait for the processor. */
  readonly #waiting = new Map<Seat, PhaseBudget>();
  #holder: Seat | null = null;

  constructor(host: SeatHost, now: () => number, hooks: LoadHooks) {
    this.#hooks = hooks;
    this.#standstill = new Standstill(host, (error) => hooks.onError(error));
    this.#clocks = new PhaseClocks(host, now, {
      onExpired: (seat) => {
        hooks.onExpired(seat);
        if (this.#holder === seat) this.#next();
      },
      onSample: (seat, busyMs, stepMs) => this.#judge(seat, busyMs, stepMs),
      onError: (error) => hooks.onError(error),
    });
  }

  /** Starts the seats, one after another. */
  start(seats: readonly Seat[], limitMs: number): void {
    const times = { cpuMs: 0, waitMs: 0 };
    for (const seat of seats) this.#waiting.set(seat, { leftMs: limitMs, times });
    this.#next();
  }

  /** Ends the loading of a seat. A bot that is ready stands still from now on; the time of one that is out is limited until it exits. */
  end(seat: Seat): void {
    this.#waiting.delete(seat);
    if (seat.out === null) {
      this.#clocks.end(seat);
      this.#standstill.stop(seat);
    }
    if (this.#holder === seat) this.#next();
  }

  /** Ends the rota. */
  stop(): void {
    this.#waiting.clear();
    this.#clocks.stop();
  }

  #next(): void {
    const [next] = this.#waiting;
    this.#holder = next?.[0] ?? null;
    if (next === undefined) return;
    const [seat, budget] = next;
    this.#waiting.delete(seat);
    this.#clocks.begin(seat, budget);
    if (seat.stopped) this.#standstill.resume(seat);
    else this.#hooks.start(seat);
  }

  #judge(seat: Seat, busyMs: number, stepMs: number): void {
    const asleep = busyMs < stepMs * asleepShare;
    if (seat === this.#holder) {
      if (asleep) this.#next();
    } else if (!asleep) {
      if (this.#holder === null) this.#holder = seat;
      else this.#postpone(seat);
    }
  }

  /** Stops a bot until it is its turn again. */
  #postpone(seat: Seat): void {
    const budget = this.#clocks.end(seat);
    if (budget !== undefined) this.#waiting.set(seat, budget);
    this.#standstill.stop(seat);
  }
}
