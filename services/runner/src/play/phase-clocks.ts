import type { SeatHost, SeatUsage } from '../host/seat-host.ts';
import { DecisionClock, type SeatTimes, timesOf } from './judge.ts';
import type { Seat } from './seat.ts';

const sampleMs = 40;

export interface PhaseHooks {
  /** The seat's time is used up; its clock has ended. */
  onExpired(seat: Seat): void;
  /** The seat was running or ready to run for `busyMs` of the last `stepMs`. */
  onSample?(seat: Seat, busyMs: number, stepMs: number): void;
  onError(error: Error): void;
}

/** What is left of a seat's time, and its times so far. `times` null: unknown, so the time until the first sample is free. */
export interface PhaseBudget {
  readonly leftMs: number;
  readonly times: SeatTimes | null;
}

interface Running extends PhaseBudget {
  readonly clock: DecisionClock | null;
  readonly sampledAtMs: number;
}

/** Limits the time of seats outside of decisions: while they load, and while they handle their last callbacks. Sleeping counts in full. */
export class PhaseClocks {
  readonly #host: SeatHost;
  readonly #now: () => number;
  readonly #hooks: PhaseHooks;
  readonly #running = new Map<Seat, Running>();
  #ticker: NodeJS.Timeout | null = null;
  #requesting = false;

  constructor(host: SeatHost, now: () => number, hooks: PhaseHooks) {
    this.#host = host;
    this.#now = now;
    this.#hooks = hooks;
  }

  /** Starts a seat's clock. */
  begin(seat: Seat, { leftMs, times }: PhaseBudget): void {
    this.#running.set(seat, this.#start(leftMs, times));
    this.#ticker ??= setInterval(() => this.#tick(), sampleMs);
  }

  /** Ends a seat's clock. Returns what is left; undefined without a clock. */
  end(seat: Seat): PhaseBudget | undefined {
    const running = this.#running.get(seat);
    this.#running.delete(seat);
    if (this.#running.size === 0) this.stop();
    return running && { leftMs: running.leftMs - (running.clock?.usedMs ?? 0), times: running.times };
  }

  /** Ends all clocks. */
  stop(): void {
    this.#running.clear();
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  #tick(): void {
    if (this.#requesting) return;
    this.#requesting = true;
    this.#host
      .usage()
      .then((usage) => this.#account(usage))
      .catch((error: Error) => {
        if (this.#running.size > 0) this.#hooks.onError(error);
      })
      .finally(() => {
        this.#requesting = false;
      });
  }

  #start(leftMs: number, times: SeatTimes | null): Running {
    const nowMs = this.#now();
    const since = { cpuMs: 0, waitMs: 0 };
    const clock = times && new DecisionClock({ limitMs: leftMs, nowMs, elapsedMs: 0, times, since, wallShare: 1 });
    return { leftMs, times, clock, sampledAtMs: nowMs };
  }

  #account(usage: readonly SeatUsage[]): void {
    for (const [seat, running] of [...this.#running]) {
      const own = usage.find((one) => one.seat === seat.number);
      // The hooks of another seat may have ended this clock.
      if (own === undefined || !this.#running.has(seat)) continue;
      seat.peakKib = Math.max(seat.peakKib, own.peak_kib);
      this.#sample(seat, running, timesOf(own));
    }
  }

  #sample(seat: Seat, { leftMs, times: last, clock, sampledAtMs }: Running, times: SeatTimes): void {
    if (clock === null || last === null) {
      this.#running.set(seat, this.#start(leftMs, times));
      return;
    }
    const nowMs = this.#now();
    clock.sample(nowMs, times);
    this.#running.set(seat, { leftMs, times, clock, sampledAtMs: nowMs });
    if (clock.expired) {
      this.end(seat);
      this.#hooks.onExpired(seat);
    } else {
      this.#hooks.onSample?.(seat, times.cpuMs - last.cpuMs + times.waitMs - last.waitMs, nowMs - sampledAtMs);
    }
  }
}
