import type { Table } from '@husky/holdem/table';
import { describeFault, type Fault } from '@husky/match/fault';
import { ASKED_LENGTH, type HandRecord } from '@husky/match/record';
import type { SeatEvent, SeatHost } from '../host/seat-host.ts';
import { Announcer } from './announcer.ts';
import { parseAnswer } from './answer.ts';
import { HandPlay } from './hand-play.ts';
import { faulty, type Judgement } from './judge.ts';
import { Leaving } from './leaving.ts';
import { type MatchEnd, type MatchHooks, MatchStopped } from './match-end.ts';
import type { Seat } from './seat.ts';
import { SeatClocks } from './seat-clocks.ts';
import type { MatchSetup } from './setup.ts';

const tickMs = 20;
/** How long the host may take to say how a seat ended whose connection is over. */
const exitWordMs = 2000;
/** Hands that may go by without a question before others get their turn. */
const handsAtOnce = 16;

type Wait = 'nothing' | 'answer' | 'late' | 'exit';

/** Plays one match over seats that are connected: asks, judges, keeps the clock and hands out the hands' records. */
export class MatchPlayer {
  readonly seats: readonly Seat[];
  readonly #setup: MatchSetup;
  readonly #host: SeatHost;
  readonly #hooks: MatchHooks;
  readonly #clocks: SeatClocks;
  readonly #announcer: Announcer;
  readonly #play: HandPlay;
  readonly #leaving: Leaving;
  readonly #done = Promise.withResolvers<MatchEnd>();
  #handsWithoutQuestion = 0;
  #asked: Seat | null = null;
  #wait: Wait = 'nothing';
  #waitSinceMs = 0;
  #ticker: NodeJS.Timeout | null = null;
  #over = false;

  constructor(setup: MatchSetup, seats: readonly Seat[], host: SeatHost, hooks: MatchHooks) {
    this.#setup = setup;
    this.#host = host;
    this.#hooks = hooks;
    this.seats = seats;
    this.#announcer = new Announcer(seats, (seat) => {
      this.#kill(seat, 'timeout');
      this.#remove(seat, 'timeout', 'it no longer reads what it is told');
    });
    this.#leaving = new Leaving(seats);
    this.#play = new HandPlay(setup, this.#announcer);
    this.#clocks = new SeatClocks(host, seats, setup.limits, {
      onExpired: (seat) => {
        if (this.#asked === seat && this.#wait === 'answer') this.#timeOut(seat);
      },
      onFailed: (error) => this.stop(error),
    });
  }

  get table(): Table {
    return this.#play.table;
  }

  get handsDone(): number {
    return this.#play.handsDone;
  }

  /** Plays to the end. Rejects with whatever `stop` was given. */
  async play(): Promise<MatchEnd> {
    if (this.#over) return this.#done.promise;
    await this.#clocks.start();
    this.#ticker = setInterval(() => this.#guarded(() => this.#tick()), tickMs);
    this.#guarded(() => this.#proceed());
    return this.#done.promise;
  }

  /** Ends the match where it stands. */
  stop(error: Error): void {
    if (this.#over) return;
    this.#finish();
    this.#done.promise.catch(() => undefined);
    this.#done.reject(error);
  }

  /** A line of a seat that is ready. */
  onLine(seat: Seat, line: string): void {
    if (this.#over || seat.out !== null || seat.busted) return;
    const answer = parseAnswer(line);
    if (answer === null) {
      this.#breach(seat, 'a line that is no answer');
    } else if (answer.seq === seat.seq && this.#asked === seat && this.#wait === 'answer') {
      this.#guarded(() => this.#answered(seat, answer.kind, answer.amount));
    } else if (seat.lateSeq !== 0 && answer.seq === seat.lateSeq) {
      seat.lateSeq = 0;
      if (this.#asked === seat && this.#wait === 'late') this.#guarded(() => this.#ask(seat));
    } else {
      this.#breach(seat, `an answer to question ${answer.seq}, which was not asked`);
    }
  }

  onBreach(seat: Seat): void {
    if (!this.#over && seat.out === null) this.#breach(seat, 'an endless line');
  }

  onEnd(seat: Seat): void {
    seat.ended = true;
    if (this.#asked === seat && this.#wait !== 'exit') {
      this.#wait = 'exit';
      this.#waitSinceMs = performance.now();
    }
  }

  onEvent(event: SeatEvent): void {
    const seat = this.seats[event.seat];
    if (seat === undefined) return;
    if (this.#over) {
      if (event.event === 'exit') seat.ended = true;
      this.#leaving.look();
      return;
    }
    seat.peakKib = Math.max(seat.peakKib, event.rss_kib);
    if (event.event === 'memory-warning') {
      seat.warnedKib = event.rss_kib;
      seat.note(this.table.handNumber, 'uses more than 100 MiB of memory');
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
    seat.out = fault;
    seat.outDetail = detail;
    seat.pending = '';
    seat.link?.close();
    if (this.#asked !== seat) {
      seat.countFault(fault, this.table.handNumber, detail);
      return;
    }
    this.#guarded(() => {
      this.#clocks.answered(seat);
      this.#fault(seat, fault, detail);
      this.#proceed();
    });
  }

  #breach(seat: Seat, what: string): void {
    this.#kill(seat, 'protocol');
    this.#remove(seat, 'protocol', what);
  }

  #kill(seat: Seat, reason: string): void {
    this.#host.kill(seat.number, reason).catch((error: Error) => this.stop(error));
  }

  #tick(): void {
    const now = performance.now();
    const seat = this.#asked;
    if (seat !== null) {
      const waited = now - this.#waitSinceMs;
      if (this.#wait === 'late' && waited >= this.#setup.limits.freeMs) {
        this.#fault(seat, 'timeout', undefined);
        this.#proceed();
        return;
      }
      if (this.#wait === 'exit' && waited >= exitWordMs) {
        this.#breach(seat, 'it closed its connection');
        return;
      }
    }
    this.#clocks.tick(now, this.#wait === 'answer' ? seat : null, this.#waitSinceMs);
  }

  #answered(seat: Seat, kind: number, amount: number | string): void {
    this.#clocks.answered(seat);
    const ruling = this.#play.judge(kind, amount);
    if (ruling.fault !== null) {
      this.#fault(seat, ruling.fault, ruling.asked);
    } else {
      seat.faultsInRow = 0;
      this.#apply(ruling);
    }
    this.#proceed();
  }

  #timeOut(seat: Seat): void {
    this.#guarded(() => {
      seat.lateSeq = seat.seq;
      this.#clocks.answered(seat);
      this.#fault(seat, 'timeout', undefined);
      this.#proceed();
    });
  }

  /** The asked seat folds for a fault of its own. */
  #fault(seat: Seat, fault: Fault, asked: string | undefined): void {
    seat.countFault(fault, this.table.handNumber, asked);
    if (seat.out === null && seat.faultsInRow >= this.#setup.limits.faultsToDisable) {
      seat.out = 'disabled';
      const last =
        asked === undefined ? describeFault(fault) : `${describeFault(fault)}: ${asked.slice(0, ASKED_LENGTH)}`;
      seat.outDetail = `${seat.faultsInRow} faults in a row by hand ${this.table.handNumber}, at last it ${last}`;
      seat.pending = '';
      seat.link?.close();
      // It can change nothing any more and would only take time from the others.
      this.#kill(seat, 'disabled');
    }
    this.#apply(faulty(fault, asked));
  }

  #apply(judgement: Judgement): void {
    this.#asked = null;
    this.#wait = 'nothing';
    this.#play.apply(judgement);
  }

  /** Goes on until a seat's answer is waited for, or the match is over. */
  #proceed(): void {
    while (!this.#over && this.#asked === null) {
      const { actor } = this.#play;
      if (actor === null) {
        if (!this.#nextHand()) return;
        continue;
      }
      const seat = this.seats[actor] as Seat;
      if (seat.out !== null) this.#apply(faulty(seat.out));
      else this.#ask(seat);
    }
  }

  #ask(seat: Seat): void {
    this.#asked = seat;
    this.#handsWithoutQuestion = 0;
    const now = performance.now();
    this.#waitSinceMs = now;
    if (seat.ended) {
      this.#wait = 'exit';
      return;
    }
    if (seat.lateSeq !== 0) {
      this.#wait = 'late';
      return;
    }
    this.#wait = 'answer';
    this.#clocks.asked(seat, now);
    seat.seq += 1;
    seat.link?.send(`[${seat.seq},[${seat.pending}${this.#play.question()}]]\n`);
    seat.pending = '';
  }

  /** Books the hand in play and deals the next one. False when there is none, or not yet. */
  #nextHand(): boolean {
    const record = this.#play.book();
    if (record !== null) this.#bookHand(record);
    const { table } = this;
    if (table.handNumber >= this.#setup.numRounds || table.over) {
      const early = table.handNumber < this.#setup.numRounds;
      this.#finish();
      this.#done.resolve({
        handsPlayed: table.handNumber,
        endedEarly: early ? 'one player holds every chip' : '',
      });
      return false;
    }
    const hold = this.#hooks.hold();
    if (hold !== null) {
      hold.then(() => this.#guarded(() => this.#proceed())).catch((error: Error) => this.stop(error));
      return false;
    }
    this.#handsWithoutQuestion += 1;
    if (this.#handsWithoutQuestion > handsAtOnce) {
      this.#handsWithoutQuestion = 0;
      setImmediate(() => this.#guarded(() => this.#proceed()));
      return false;
    }
    this.#play.deal();
    return true;
  }

  #bookHand(record: HandRecord): void {
    for (const seat of this.seats) {
      if (seat.busted || (this.table.stacks[seat.number] as number) > 0) continue;
      this.#announcer.dismiss(seat);
      seat.busted = true;
      this.#clocks.retire(seat);
    }
    this.#hooks.onHand(this.table.handNumber, record);
  }

  #finish(): void {
    this.#over = true;
    this.#asked = null;
    this.#wait = 'nothing';
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#clocks.stop();
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.stop(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
