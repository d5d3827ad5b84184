import type { SeatHost, SeatUsage } from '../host/seat-host.ts';
import { DecisionClock, type SeatTimes } from './decision-clock.ts';
import type { Seat } from './seat.ts';
import type { Limits } from './setup.ts';

const sampleMs = 1000;
/** The same while a bot computes outside of its turns. */
const burningSampleMs = 100;
/** Pause between two looks at a long decision. */
const lookMs = 40;
/** Share of the time for rounding of the host's figures and for reading and writing around a turn: not worth charging. */
const slackShare = 0.02;

/**
 * Time of a match's seats. Short decisions cost nothing here; only one that passes the free time is looked at through the host,
 * and once a second everybody's processor time is compared with the time of its turns. A seat that computes outside of them with an
 * empty bank is stopped between its turns from then on.
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
  #burning = false;
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
    // The host knows a match only once a seat has been opened.
    if (this.#seats.some(({ link }) => link !== null)) this.#take(await this.#host.usage(), false);
    this.#sampledAtMs = performance.now();
  }

  stop(): void {
    this.#stopped = true;
    for (const seat of this.#seats) this.begins(seat);
    this.#turn = null;
    this.#clock = null;
  }

  /** A turn of the seat begins: it runs. */
  begins(seat: Seat): void {
    if (seat.paused && !seat.ended) this.#tell(this.#host.resume(seat.number));
  }

  /** The turn is over. */
  ends(seat: Seat): void {
    if (seat.paused && !seat.ended) this.#tell(this.#host.pause(seat.number));
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
    const elapsedMs = now - this.#turnSinceMs;
    seat.times.add(elapsedMs);
    const earlierMs = seat.turnMs;
    seat.turnMs += now - this.#turnCountedMs;
    this.#turn = null;
    const clock = this.#clock;
    this.#clock = null;
    if (clock !== null || elapsedMs > this.#limits.freeMs) this.#settle(seat, clock, elapsedMs, earlierMs);
  }

  /** The seat has no chips left: its process ends with the next sample, after its last calls. */
  retire(seat: Seat): void {
    this.#retired.push(seat);
  }

  /** Called every few ms; `seat` is the one whose answer is waited for. */
  tick(nowMs: number, seat: Seat | null, askedAtMs: number): void {
    if (this.#looking || this.#stopped) return;
    const long = seat !== null && nowMs - askedAtMs > this.#limits.freeMs;
    if (
      long
        ? nowMs - this.#lookedAtMs >= lookMs
        : nowMs - this.#sampledAtMs >= (this.#burning ? burningSampleMs : sampleMs)
    )
      this.#look();
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

  // Off the critical path: the match goes on while the host is asked what the decision really took.
  #settle(seat: Seat, begun: DecisionClock | null, elapsedMs: number, earlierMs: number): void {
    this.#host
      .usage()
      .then((usage) => {
        const own = usage.find((one) => one.seat === seat.number);
        if (own === undefined) return;
        const clock = begun ?? this.#clockOf(seat, own, performance.now(), elapsedMs, earlierMs);
        if (begun !== null) clock.look(performance.now(), timesOf(own));
        seat.drawFromBank(Math.max(0, clock.usedMs - this.#limits.freeMs));
        see(seat, own);
      })
      .catch((error: Error) => this.#hooks.onFailed(error));
  }

  #take(usage: readonly SeatUsage[], charge: boolean): void {
    const now = performance.now();
    const slackMs = (now - this.#sampledAtMs) * slackShare;
    this.#sampledAtMs = now;
    this.#burning = false;
    this.#endRetired();
    for (const one of usage) {
      const seat = this.#seats[one.seat];
      if (seat === undefined) continue;
      seat.peakKib = Math.max(seat.peakKib, one.peak_kib);
      if (seat === this.#turn) {
        this.#lookAt(seat, one, now);
        continue;
      }
      // In its turns a thread cannot have computed longer than they took, less what it waited for a processor.
      const inTurns = Math.max(0, seat.turnMs - (one.wait_ms - seat.waitMs));
      const outside = one.cpu_ms - seat.cpuMs - inTurns - slackMs;
      see(seat, one);
      if (charge && outside > 0) this.#burnt(seat, outside);
    }
  }

  #burnt(seat: Seat, ms: number): void {
    this.#burning = true;
    seat.drawFromBank(ms);
    if (seat.bankMs > 0 || seat.paused) return;
    seat.paused = true;
    this.ends(seat);
  }

  #tell(word: Promise<void>): void {
    word.catch((error: Error) => this.#hooks.onFailed(error));
  }

  #lookAt(seat: Seat, usage: SeatUsage, nowMs: number): void {
    const elapsed = nowMs - this.#turnSinceMs;
    if (this.#clock !== null) this.#clock.look(nowMs, timesOf(usage));
    else if (elapsed > this.#limits.freeMs) this.#clock = this.#clockOf(seat, usage, nowMs, elapsed, seat.turnMs);
    else return;
    see(seat, usage);
    this.#turnCountedMs = nowMs;
    if (this.#clock.expired) this.#hooks.onExpired(seat);
  }

  /** A clock for a decision under way, or just over; what earlier turns may have used since the last look is taken off. */
  #clockOf(seat: Seat, usage: SeatUsage, nowMs: number, elapsedMs: number, earlierMs: number): DecisionClock {
    return new DecisionClock({
      limitMs: Math.min(this.#limits.decisionMs, this.#limits.freeMs + seat.bankMs),
      nowMs,
      elapsedMs,
      times: timesOf(usage),
      since: { cpuMs: usage.cpu_ms - seat.cpuMs - earlierMs, waitMs: usage.wait_ms - seat.waitMs },
    });
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

function timesOf(usage: SeatUsage): SeatTimes {
  return { cpuMs: usage.cpu_ms, waitMs: usage.wait_ms };
}

/** Everything up to here is accounted for. */
function see(seat: Seat, usage: SeatUsage): void {
  seat.cpuMs = Math.max(seat.cpuMs, usage.cpu_ms);
  seat.waitMs = Math.max(seat.waitMs, usage.wait_ms);
  seat.turnMs = 0;
}
