import type { SeatHost, SeatUsage } from '../host/seat-host.ts';
import { DecisionClock, timesOf } from './judge.ts';
import type { Seat } from './seat.ts';
import type { Limits } from './setup.ts';

const sampleMs = 1000;
/** Interval between samples while a bot computes outside its turns. */
const outsideSampleMs = 100;
/** Interval between samples of a decision that takes longer than the free time. */
const decisionSampleMs = 40;
/** Share of the wall time that is not charged: allows for rounding of the host's figures and for I/O before and after a turn. */
const slackShare = 0.02;

/**
 * Charges the seats' time. A decision within the free time costs two time stamps; a longer one is sampled through the host.
 * Once a second each seat's processor time is compared with the wall time of its turns and the excess is drawn from its bank. A seat
 * that has used more than the free time outside of its turns stands still between them.
 */
export class SeatClocks {
  readonly #host: SeatHost;
  readonly #seats: readonly Seat[];
  readonly #limits: Limits;
  readonly #standstill: Standstill;
  readonly #now: () => number;
  readonly #hooks: { onExpired(seat: Seat): void; onError(error: Error): void };
  /** The seat with an open question, or null. */
  #turn: Seat | null = null;
  #openedAtMs = 0;
  /** The open question is an earlier one, whose reply is overdue. */
  #late = false;
  /** Start of the part of the open turn that is neither in `seat.turnMs` nor covered by a sample. */
  #countedUntilMs = 0;
  #clock: DecisionClock | null = null;
  #requestedAtMs = 0;
  #sampledAtMs = 0;
  #requesting = false;
  /** A seat has computed outside its turns since the last sample. */
  #computesOutside = false;
  #stopped = false;

  constructor(
    host: SeatHost,
    seats: readonly Seat[],
    limits: Limits,
    now: () => number,
    hooks: { onExpired(seat: Seat): void; onError(error: Error): void },
  ) {
    this.#host = host;
    this.#seats = seats;
    this.#limits = limits;
    this.#now = now;
    this.#hooks = hooks;
    this.#standstill = new Standstill(host, (error) => hooks.onError(error));
  }

  /** Reads the processor time that loading took, which is not charged. */
  async start(): Promise<void> {
    // The host knows a match only once a seat has been opened.
    if (this.#seats.some(({ link }) => link !== null)) this.#account(await this.#host.usage(), false);
    this.#sampledAtMs = this.#now();
  }

  /** Ends sampling and charging. */
  stop(): void {
    this.#stopped = true;
    this.#turn = null;
    this.#clock = null;
  }

  /** Continues the seat at the beginning of its turn. */
  resume(seat: Seat): void {
    this.#standstill.resume(seat);
  }

  /** Stops the seat at the end of its turn if it has computed outside of its turns. */
  suspend(seat: Seat): void {
    if (seat.outsideMs > this.#limits.freeMs) this.#standstill.stop(seat);
  }

  /** Starts the time of a question. `late`: of a seat that still owes the reply to an earlier one; it has the free time for it. */
  open(seat: Seat, late = false): void {
    this.#turn = seat;
    this.#late = late;
    this.#openedAtMs = this.#now();
    this.#countedUntilMs = this.#openedAtMs;
    // What it has computed between the turns is not part of this one.
    if (late && !this.#requesting) this.#sample();
  }

  /** Ends the time of the seat's open question after a reply, a timeout or the seat's exit. No-op without an open question. */
  close(seat: Seat): void {
    if (this.#turn !== seat) return;
    const now = this.#now();
    const elapsedMs = now - this.#openedAtMs;
    if (!this.#late) seat.times.add(elapsedMs);
    const earlierTurnsMs = seat.turnMs;
    seat.turnMs += now - this.#countedUntilMs;
    const clock = this.#clock;
    this.#turn = null;
    this.#clock = null;
    if (elapsedMs > this.#limits.freeMs) this.#charge(seat, clock, elapsedMs, earlierTurnsMs);
  }

  /** Requests a sample when one is due. */
  tick(): void {
    if (this.#requesting || this.#stopped) return;
    const now = this.#now();
    const long = this.#turn !== null && now - this.#openedAtMs > this.#limits.freeMs;
    const sinceMs = now - (long ? this.#requestedAtMs : this.#sampledAtMs);
    const intervalMs = long ? decisionSampleMs : this.#computesOutside ? outsideSampleMs : sampleMs;
    if (sinceMs < intervalMs) return;
    this.#sample();
  }

  #sample(): void {
    this.#requesting = true;
    this.#requestedAtMs = this.#now();
    this.#handle(
      this.#host.usage().then((usage) => {
        this.#requesting = false;
        if (!this.#stopped) this.#account(usage, true);
      }),
    );
  }

  // Not on the critical path: the match continues while the host reports the processor time of the decision.
  #charge(seat: Seat, sampled: DecisionClock | null, elapsedMs: number, earlierTurnsMs: number): void {
    this.#handle(
      this.#host.usage().then((usage) => {
        const own = usage.find((one) => one.seat === seat.number);
        if (own === undefined) return;
        const clock = sampled ?? this.#clockFor(seat, own, elapsedMs, earlierTurnsMs);
        clock.sample(this.#now(), timesOf(own));
        seat.drawFromBank(Math.max(0, clock.usedMs - this.#limits.freeMs));
        markAccounted(seat, own);
      }),
    );
  }

  #account(usage: readonly SeatUsage[], charge: boolean): void {
    const now = this.#now();
    const slackMs = (now - this.#sampledAtMs) * slackShare;
    this.#sampledAtMs = now;
    this.#computesOutside = false;
    for (const one of usage) {
      const seat = this.#seats[one.seat];
      if (seat === undefined) continue;
      seat.peakKib = Math.max(seat.peakKib, one.peak_kib);
      if (seat === this.#turn) {
        this.#sampleDecision(seat, one, now);
        continue;
      }
      // Within the turns its main thread has computed for at most their wall time, less the time that it waited for a processor.
      const inTurnsMs = Math.max(0, seat.turnMs - (one.main_wait_ms - seat.mainWaitMs));
      const outsideMs = one.cpu_ms - seat.cpuMs - inTurnsMs - slackMs;
      markAccounted(seat, one);
      if (charge && outsideMs > 0 && !seat.busted) this.#chargeOutside(seat, outsideMs);
    }
  }

  #chargeOutside(seat: Seat, ms: number): void {
    this.#computesOutside = true;
    seat.outsideMs += ms;
    seat.drawFromBank(ms);
    this.suspend(seat);
  }

  #sampleDecision(seat: Seat, usage: SeatUsage, nowMs: number): void {
    const elapsedMs = nowMs - this.#openedAtMs;
    if (this.#clock !== null) this.#clock.sample(nowMs, timesOf(usage));
    else if (this.#late || elapsedMs > this.#limits.freeMs)
      this.#clock = this.#clockFor(seat, usage, elapsedMs, seat.turnMs);
    else return;
    markAccounted(seat, usage);
    this.#countedUntilMs = nowMs;
    if (this.#clock.expired) this.#hooks.onExpired(seat);
  }

  /** Returns a clock for an open or just closed decision, without the processor time of earlier turns since the last sample. */
  #clockFor(seat: Seat, usage: SeatUsage, elapsedMs: number, earlierTurnsMs: number): DecisionClock {
    const { decisionMs, freeMs } = this.#limits;
    return new DecisionClock({
      limitMs: this.#late ? freeMs : Math.min(decisionMs, freeMs + seat.bankMs),
      nowMs: this.#now(),
      elapsedMs,
      times: timesOf(usage),
      since: { cpuMs: usage.cpu_ms - seat.cpuMs - earlierTurnsMs, waitMs: usage.wait_ms - seat.waitMs },
    });
  }

  #handle(request: Promise<void>): void {
    request.catch((error: Error) => this.#hooks.onError(error));
  }
}

/** Marks all time up to this sample as accounted for. */
function markAccounted(seat: Seat, usage: SeatUsage): void {
  seat.cpuMs = Math.max(seat.cpuMs, usage.cpu_ms);
  seat.waitMs = Math.max(seat.waitMs, usage.wait_ms);
  seat.mainWaitMs = Math.max(seat.mainWaitMs, usage.main_wait_ms);
  seat.turnMs = 0;
}

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
