import type { SeatHost, SeatUsage } from '../host/seat-host.ts';
import { DecisionClock } from './decision-clock.ts';
import type { Seat } from './seat.ts';
import type { Limits } from './setup.ts';

const sampleMs = 1000;
/** Pause between two looks at a long decision. */
const lookMs = 40;
/** Rounding of the host's figures and calls that only inform: not worth charging. */
const slackMs = 20;

/**
 * Time of a match's seats. Short decisions cost nothing here; only one that passes the free time is looked at through the host,
 * and once a second everybody's processor time is compared with the time of its turns.
 */
export class SeatClocks {
  readonly #host: SeatHost;
  readonly #seats: readonly Seat[];
  readonly #limits: Limits;
  readonly #hooks: { onExpired(seat: Seat): void; onFailed(error: Error): void };
  #turn: Seat | null = null;
  #turnSinceMs = 0;
  /** From when the turn in progress is still to be counted. */
  #turnCountedMs = 0;
  #clock: DecisionClock | null = null;
  #lookedAtMs = 0;
  #sampledAtMs = 0;
  #looking = false;
  readonly #retired: Seat[] = [];
  #stopped = false;

  constructor(
    host: SeatHost,
    seats: readonly Seat[],
    limits: Limits,
    hooks: { onExpired(seat: Seat): void; onFailed(error: Error): void },
  ) {
    this.#host = host;
    this.#seats = seats;
    this.#limits = limits;
    this.#hooks = hooks;
  }

  /** Takes the processor time that loading took, which is not charged. */
  async start(): Promise<void> {
    this.#take(await this.#host.usage(), false);
    this.#sampledAtMs = performance.now();
  }

  stop(): void {
    this.#stopped = true;
    this.#turn = null;
    this.#clock = null;
  }

  asked(seat: Seat, nowMs: number): void {
    this.#turn = seat;
    this.#turnSinceMs = nowMs;
    this.#turnCountedMs = nowMs;
  }

  /** The turn is over, by an answer, a time-out or the seat's end. */
  answered(seat: Seat): void {
    if (this.#turn !== seat) return;
    const now = performance.now();
    seat.turnMs += now - this.#turnCountedMs;
    this.#turn = null;
    const clock = this.#clock;
    this.#clock = null;
    if (clock === null) {
      // Answered between two ticks: the excess is small, and charged as if it all were processor time.
      const over = now - this.#turnSinceMs - this.#limits.freeMs;
      if (over > 0) seat.drawFromBank(over);
      return;
    }
    this.#settle(seat, clock);
  }

  /** The seat has no chips left: its process ends with the next sample, after its last calls. */
  retire(seat: Seat): void {
    this.#retired.push(seat);
  }

  /** Called every few ms; `seat` is the one whose answer is waited for. */
  tick(nowMs: number, seat: Seat | null, askedAtMs: number): void {
    if (this.#looking || this.#stopped) return;
    const long = seat !== null && nowMs - askedAtMs > this.#limits.freeMs;
    if (long ? nowMs - this.#lookedAtMs >= lookMs : nowMs - this.#sampledAtMs >= sampleMs) this.#look();
  }

  #look(): void {
    this.#looking = true;
    this.#lookedAtMs = performance.now();
    this.#host
      .usage()
      .then((usage) => {
        this.#looking = false;
        if (!this.#stopped) this.#take(usage, true);
      })
      .catch((error: Error) => this.#hooks.onFailed(error));
  }

  #settle(seat: Seat, clock: DecisionClock): void {
    this.#host
      .usage()
      .then((usage) => {
        const own = usage.find((one) => one.seat === seat.number);
        if (own !== undefined) clock.look(performance.now(), own.cpu_ms, othersMs(usage, seat));
        seat.drawFromBank(Math.max(0, clock.usedMs - this.#limits.freeMs));
        if (own !== undefined) {
          seat.cpuMs = Math.max(seat.cpuMs, own.cpu_ms);
          seat.turnMs = 0;
        }
      })
      .catch((error: Error) => this.#hooks.onFailed(error));
  }

  #take(usage: readonly SeatUsage[], charge: boolean): void {
    const now = performance.now();
    this.#sampledAtMs = now;
    this.#endRetired();
    for (const one of usage) {
      const seat = this.#seats[one.seat];
      if (seat === undefined) continue;
      seat.peakKib = Math.max(seat.peakKib, one.peak_kib);
      if (seat === this.#turn) {
        this.#lookAt(seat, one, now, othersMs(usage, seat));
        continue;
      }
      const outside = one.cpu_ms - seat.cpuMs - seat.turnMs - slackMs;
      seat.cpuMs = Math.max(seat.cpuMs, one.cpu_ms);
      seat.turnMs = 0;
      if (charge && outside > 0) {
        seat.outsideMs += outside;
        seat.drawFromBank(outside);
      }
    }
  }

  #lookAt(seat: Seat, usage: SeatUsage, nowMs: number, others: number): void {
    const { decisionMs, freeMs } = this.#limits;
    const elapsed = nowMs - this.#turnSinceMs;
    if (this.#clock === null) {
      if (elapsed <= freeMs) return;
      this.#clock = new DecisionClock({
        seat: seat.number,
        limitMs: Math.min(decisionMs, freeMs + seat.bankMs),
        nowMs,
        elapsedMs: elapsed,
        cpuMs: usage.cpu_ms,
        cpuSinceMs: usage.cpu_ms - seat.cpuMs,
        othersMs: others,
      });
    } else {
      this.#clock.look(nowMs, usage.cpu_ms, others);
    }
    seat.cpuMs = Math.max(seat.cpuMs, usage.cpu_ms);
    seat.turnMs = 0;
    this.#turnCountedMs = nowMs;
    if (this.#clock.expired) this.#hooks.onExpired(seat);
  }

  #endRetired(): void {
    for (const seat of this.#retired.splice(0)) {
      if (seat.out !== null || seat.ended) continue;
      seat.ended = true;
      seat.link?.close();
      this.#host.kill(seat.number, 'busted').catch((error: Error) => this.#hooks.onFailed(error));
    }
  }
}

function othersMs(usage: readonly SeatUsage[], seat: Seat): number {
  let sum = 0;
  for (const one of usage) if (one.seat !== seat.number) sum += one.cpu_ms;
  return sum;
}
