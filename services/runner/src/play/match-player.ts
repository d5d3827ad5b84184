import type { Fault } from '@husky/match/fault';
import { ASKED_LENGTH } from '@husky/match/record';
import type { SeatEvent, SeatHost } from '../host/seat-host.ts';
import { Announcer } from './announcer.ts';
import { parseAnswer, parseFailedCall } from './answer.ts';
import { Leaving } from './leaving.ts';
import { MatchCourse } from './match-course.ts';
import { type MatchEnd, type MatchHooks, MatchStopped } from './match-end.ts';
import type { Seat } from './seat.ts';
import type { MatchSetup } from './setup.ts';
import type { SeatListener } from './start-seats.ts';

/** Plays one match over seats that are connected: takes what seats and host say, and ends those that break the rules. */
export class MatchPlayer implements SeatListener {
  readonly seats: readonly Seat[];
  readonly #host: SeatHost;
  readonly #course: MatchCourse;
  readonly #announcer: Announcer;
  readonly #leaving: Leaving;

  constructor(setup: MatchSetup, seats: readonly Seat[], host: SeatHost, hooks: MatchHooks) {
    this.#host = host;
    this.seats = seats;
    this.#announcer = new Announcer(seats, (seat) => {
      this.#kill(seat, 'timeout');
      this.#remove(seat, 'timeout', 'it no longer reads what it is told');
    });
    this.#leaving = new Leaving(seats);
    this.#course = new MatchCourse(setup, seats, host, this.#announcer, {
      onHand: (number, record) => hooks.onHand(number, record),
      hold: () => hooks.hold(),
      onKill: (seat, reason) => this.#kill(seat, reason),
      onSilent: (seat) => this.#breach(seat, 'it closed its connection'),
    });
  }

  get handsDone(): number {
    return this.#course.handsDone;
  }

  /** Plays to the end. Rejects with whatever `stop` was given. */
  play(): Promise<MatchEnd> {
    return this.#course.play();
  }

  /** Ends the match where it stands. */
  stop(error: Error): void {
    this.#course.stop(error);
  }

  /** A line of a seat that is ready. */
  onLine(seat: Seat, line: string): void {
    if (seat.out !== null || this.#isFailedCall(seat, line) || this.#course.over || seat.busted) return;
    const answer = parseAnswer(line);
    if (answer === null) {
      this.#breach(seat, 'a line that is no answer');
    } else if (answer.seq === seat.seq && this.#course.answer(seat, answer.kind, answer.amount)) {
      return;
    } else if (seat.lateSeq !== 0 && answer.seq === seat.lateSeq) {
      this.#course.caughtUp(seat);
    } else {
      this.#breach(seat, `an answer to question ${answer.seq}, which was not asked`);
    }
  }

  /** Counts a call that raised; each call told can be heard of once. */
  #isFailedCall(seat: Seat, line: string): boolean {
    const failed = line.startsWith('["!"') ? parseFailedCall(line) : null;
    if (failed === null || seat.callsTold === 0 || failed.hand > this.#course.table.handNumber) return false;
    seat.callsTold -= 1;
    seat.failedCalls.add(failed.method, failed.text.slice(0, ASKED_LENGTH), failed.hand);
    return true;
  }

  onBreach(seat: Seat): void {
    if (!this.#course.over && seat.out === null) this.#breach(seat, 'an endless line');
  }

  onEnd(seat: Seat): void {
    seat.ended = true;
    this.#course.disconnected(seat);
    if (this.#course.over) this.#leaving.look();
  }

  onEvent(event: SeatEvent): void {
    const seat = this.seats[event.seat];
    if (seat === undefined) return;
    // The end of its connection tells when it has read all: what it said before is read by then.
    if (this.#course.over) return;
    seat.peakKib = Math.max(seat.peakKib, event.rss_kib);
    if (event.event === 'memory-warning') {
      seat.warnedKib = event.rss_kib;
      seat.note(this.#course.table.handNumber, 'uses more than 100 MiB of memory');
      return;
    }
    if (event.reason === 'host') {
      this.stop(new MatchStopped(`seat ${seat.number} could not be run: ${event.detail ?? ''}`));
      return;
    }
    seat.ended = true;
    this.#remove(seat, event.reason === 'memory' ? 'memory' : 'crash', event.detail ?? '');
  }

  /** After the last hand: sends what bots have not been told yet and gives them a moment to take it. */
  async leave(): Promise<void> {
    for (const seat of this.seats) this.#announcer.dismiss(seat);
    await this.#leaving.done();
  }

  // The seat plays no more in this match.
  #remove(seat: Seat, fault: Fault, detail: string): void {
    // A bot without chips has played its match.
    if (seat.out !== null || seat.busted) return;
    seat.leave(fault, detail);
    this.#course.left(seat, fault, detail);
  }

  #breach(seat: Seat, what: string): void {
    this.#kill(seat, 'protocol');
    this.#remove(seat, 'protocol', what);
  }

  #kill(seat: Seat, reason: string): void {
    this.#host.kill(seat.number, reason).catch((error: Error) => this.stop(error));
  }
}
