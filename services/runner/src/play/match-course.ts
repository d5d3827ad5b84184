import type { Table } from '@husky/holdem/table';
import { describeFault, type Fault } from '@husky/match/fault';
import { ASKED_LENGTH, type HandRecord } from '@husky/match/record';
import type { SeatHost } from '../host/seat-host.ts';
import type { Announcer } from './announcer.ts';
import { HandPlay } from './hand-play.ts';
import { faulty, type Judgement } from './judge.ts';
import type { MatchEnd, MatchHooks } from './match-end.ts';
import type { Seat } from './seat.ts';
import { SeatClocks } from './seat-clocks.ts';
import type { MatchSetup } from './setup.ts';
import { Turn } from './turn.ts';

const tickMs = 20;
/** How long the host may take to say how a seat ended whose connection is over. */
const exitWordMs = 2000;
/** Hands that may go by without a question before others get their turn. */
const handsAtOnce = 16;

export interface CourseHooks extends MatchHooks {
  /** The seat's process is to end. */
  onKill(seat: Seat, reason: string): void;
  /** Its connection is over and nobody has said why. */
  onSilent(seat: Seat): void;
}

/** The course of a match: whose turn it is, what an answer comes to, the clock, and one hand after the other. */
export class MatchCourse {
  readonly #setup: MatchSetup;
  readonly #seats: readonly Seat[];
  readonly #hooks: CourseHooks;
  readonly #announcer: Announcer;
  readonly #clocks: SeatClocks;
  readonly #play: HandPlay;
  readonly #turn = new Turn();
  readonly #done = Promise.withResolvers<MatchEnd>();
  #handsWithoutQuestion = 0;
  #ticker: NodeJS.Timeout | null = null;
  #over = false;

  constructor(setup: MatchSetup, seats: readonly Seat[], host: SeatHost, announcer: Announcer, hooks: CourseHooks) {
    this.#setup = setup;
    this.#seats = seats;
    this.#hooks = hooks;
    this.#announcer = announcer;
    const ids = seats.map(({ id }) => id);
    this.#play = new HandPlay(setup, ids, announcer);
    this.#clocks = new SeatClocks(host, seats, setup.limits, {
      onExpired: (seat) => {
        if (this.#turn.waitFor(seat) === 'answer') this.#timeOut(seat);
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

  get over(): boolean {
    return this.#over;
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

  /** The answer to the question that is out; false when the seat was asked none. */
  answer(seat: Seat, kind: number, amount: number | string): boolean {
    if (this.#turn.waitFor(seat) !== 'answer') return false;
    this.#guarded(() => {
      this.#clocks.answered(seat);
      const ruling = this.#play.judge(kind, amount);
      if (ruling.fault !== null) {
        this.#fault(seat, ruling.fault, ruling.asked);
      } else {
        seat.faultsInRow = 0;
        this.#apply(ruling);
      }
      this.#proceed();
    });
    return true;
  }

  /** The seat has answered a question whose time was over: it can be asked again. */
  caughtUp(seat: Seat): void {
    seat.lateSeq = 0;
    if (this.#turn.waitFor(seat) === 'late') this.#guarded(() => this.#ask(seat));
  }

  /** The seat's connection is over. */
  disconnected(seat: Seat): void {
    this.#turn.ended(seat, performance.now());
  }

  /** The seat is out from now on: when it is its turn it folds for that. */
  left(seat: Seat, fault: Fault, detail: string): void {
    if (this.#turn.seat !== seat) {
      seat.countFault(fault, this.table.handNumber, detail);
      return;
    }
    this.#guarded(() => {
      this.#clocks.answered(seat);
      this.#fault(seat, fault, detail);
      this.#proceed();
    });
  }

  #tick(): void {
    const now = performance.now();
    const { seat, sinceMs } = this.#turn;
    const wait = seat === null ? 'nothing' : this.#turn.waitFor(seat);
    if (seat !== null && wait === 'late' && now - sinceMs >= this.#setup.limits.freeMs) {
      this.#fault(seat, 'timeout', 'it had not finished an earlier decision');
      this.#proceed();
    } else if (seat !== null && wait === 'exit' && now - sinceMs >= exitWordMs) {
      this.#hooks.onSilent(seat);
    } else {
      this.#clocks.tick(now, wait === 'answer' ? seat : null, sinceMs);
    }
  }

  #timeOut(seat: Seat): void {
    this.#guarded(() => {
      const { decisionMs, freeMs } = this.#setup.limits;
      const short = freeMs + seat.bankMs < decisionMs;
      seat.lateSeq = seat.seq;
      this.#clocks.answered(seat);
      this.#fault(seat, 'timeout', short ? 'its bank of time was used up' : undefined);
      this.#proceed();
    });
  }

  /** The asked seat folds for a fault of its own. */
  #fault(seat: Seat, fault: Fault, asked: string | undefined): void {
    seat.countFault(fault, this.table.handNumber, asked);
    if (seat.out === null && seat.faultsInRow >= this.#setup.limits.faultsToDisable) {
      const last =
        asked === undefined ? describeFault(fault) : `${describeFault(fault)}: ${asked.slice(0, ASKED_LENGTH)}`;
      seat.leave(
        'disabled',
        `${seat.faultsInRow} faults in a row by hand ${this.table.handNumber}, at last it ${last}`,
      );
      // It can change nothing any more and would only take time from the others.
      this.#hooks.onKill(seat, 'disabled');
    }
    this.#apply(faulty(fault, asked));
  }

  #apply(judgement: Judgement): void {
    const { seat } = this.#turn;
    this.#turn.over();
    if (seat !== null) this.#clocks.ends(seat);
    this.#play.apply(judgement);
  }

  /** Goes on until a seat's answer is waited for, or the match is over. */
  #proceed(): void {
    while (!this.#over && this.#turn.seat === null) {
      const { actor } = this.#play;
      if (actor === null) {
        if (!this.#nextHand()) return;
        continue;
      }
      const seat = this.#seats[actor] as Seat;
      if (seat.out !== null) this.#apply(faulty(seat.out));
      else this.#ask(seat);
    }
  }

  #ask(seat: Seat): void {
    this.#handsWithoutQuestion = 0;
    const now = performance.now();
    this.#clocks.begins(seat);
    if (this.#turn.begin(seat, now) !== 'answer') return;
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
    for (const seat of this.#seats) {
      if (seat.busted || (this.table.stacks[seat.number] as number) > 0) continue;
      this.#announcer.dismiss(seat);
      seat.busted = true;
      this.#clocks.retire(seat);
    }
    this.#hooks.onHand(this.table.handNumber, record);
  }

  #finish(): void {
    this.#over = true;
    this.#turn.over();
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
