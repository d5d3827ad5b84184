import type { Fault } from '@husky/match/fault';
import type { SeatHost } from '../host/seat-host.ts';
import type { Seat } from './seat.ts';
import { SeatClocks } from './seat-clocks.ts';
import type { Reply } from './seat-link.ts';
import type { Limits } from './setup.ts';

/** Returns the limit that a decision has exceeded, with the way out. */
export function describeExpiry({ decisionMs, bankMs, freeMs }: Limits, restMs: number): string {
  if (freeMs + restMs < decisionMs) return `its bank of ${bankMs / 1000} s is used up: decide within ${freeMs} ms`;
  return `more than ${decisionMs / 1000} s: look for an endless loop, or compute less`;
}

/** How long the host may take to report the exit of a seat whose connection has ended. */
const exitReportMs = 2000;

export interface TurnHooks {
  /** The turn has ended with a reply. */
  onReply(seat: Seat, reply: Reply): void;
  /** The turn has ended without a reply. */
  onFault(seat: Seat, fault: Fault, detail: string | undefined): void;
  /** The seat has closed its connection and the host has reported no exit. The turn is still open. */
  onSilentExit(seat: Seat): void;
  /** The host has failed. */
  onError(error: Error): void;
}

/**
 * Runs one seat's turn at a time: sends the question, receives the reply, and ends the turn when the bot's time is over. A seat that
 * has not replied to an earlier question gets `freeMs` of its own time to do so; without that late reply the turn ends as a timeout.
 */
export class Turn {
  readonly #host: SeatHost;
  readonly #limits: Limits;
  readonly #hooks: TurnHooks;
  readonly #clocks: SeatClocks;
  readonly #now: () => number;
  #seat: Seat | null = null;
  #waitingFor: 'reply' | 'late reply' | 'exit' = 'reply';
  #sinceMs = 0;
  #question = '';

  /** `now` is a monotonic clock in ms. */
  constructor(seats: readonly Seat[], host: SeatHost, limits: Limits, now: () => number, hooks: TurnHooks) {
    this.#host = host;
    this.#limits = limits;
    this.#hooks = hooks;
    this.#now = now;
    this.#clocks = new SeatClocks(host, seats, limits, now, {
      onExpired: (seat) => this.#expire(seat),
      onError: (error) => hooks.onError(error),
    });
  }

  /** The seat whose turn it is, or null between turns. */
  get seat(): Seat | null {
    return this.#seat;
  }

  /** Reads the processor time that loading took, which is not charged. */
  start(): Promise<void> {
    return this.#clocks.start();
  }

  stop(): void {
    this.#seat = null;
    this.#clocks.stop();
  }

  /** Begins a seat's turn. `question` is the "a" event, sent after the seat's pending events. */
  begin(seat: Seat, question: string): void {
    this.#seat = seat;
    this.#question = question;
    this.#sinceMs = this.#now();
    this.#waitingFor = seat.ended ? 'exit' : seat.lateSeq !== 0 ? 'late reply' : 'reply';
    this.#clocks.resume(seat);
    if (this.#waitingFor === 'reply') this.#sendQuestion(seat);
    else if (this.#waitingFor === 'late reply') this.#clocks.open(seat, true);
  }

  /** Handles a reply to the open question or to an overdue one. Returns false for any other reply. */
  reply(seat: Seat, reply: Reply): boolean {
    if (this.#waitsFor('reply', seat) && reply.seq === seat.seq) {
      this.#end(seat);
      this.#hooks.onReply(seat, reply);
      return true;
    }
    if (seat.lateSeq === 0 || reply.seq !== seat.lateSeq) return false;
    seat.lateSeq = 0;
    if (this.#waitsFor('late reply', seat)) {
      this.#clocks.close(seat);
      this.#sendQuestion(seat);
    }
    return true;
  }

  /** Handles the end of the seat's connection: in its turn, waits for the host's exit event. */
  disconnected(seat: Seat): void {
    if (this.#seat !== seat || this.#waitingFor === 'exit') return;
    this.#waitingFor = 'exit';
    this.#sinceMs = this.#now();
  }

  /** Ends the turn of a seat that is out of the match. Returns false when it was not its turn. */
  abandon(seat: Seat): boolean {
    if (this.#seat !== seat) return false;
    this.#end(seat);
    return true;
  }

  /** Checks the time of the turn. Call it every few tens of ms. */
  tick(): void {
    const seat = this.#seat;
    if (seat !== null && this.#waitingFor === 'exit' && this.#now() - this.#sinceMs >= exitReportMs) {
      this.#hooks.onSilentExit(seat);
    } else {
      this.#clocks.tick();
    }
  }

  #waitsFor(what: 'reply' | 'late reply', seat: Seat): boolean {
    return this.#seat === seat && this.#waitingFor === what;
  }

  #sendQuestion(seat: Seat): void {
    this.#waitingFor = 'reply';
    seat.seq += 1;
    const events = `${seat.pending}${this.#question}`;
    seat.pending = '';
    this.#clocks.open(seat);
    this.#host.fileTimes.renew();
    seat.link?.send(seat.seq, events);
  }

  #expire(seat: Seat): void {
    if (this.#waitsFor('late reply', seat)) this.#fail(seat, 'it had not finished an earlier decision');
    if (!this.#waitsFor('reply', seat)) return;
    seat.lateSeq = seat.seq;
    this.#fail(seat, describeExpiry(this.#limits, seat.bankMs));
  }

  #fail(seat: Seat, detail: string | undefined): void {
    this.#end(seat);
    this.#hooks.onFault(seat, 'timeout', detail);
  }

  #end(seat: Seat): void {
    this.#seat = null;
    this.#clocks.close(seat);
    this.#clocks.suspend(seat);
  }
}
