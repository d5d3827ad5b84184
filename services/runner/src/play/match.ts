import type { Hand } from '@husky/holdem/hand';
import { Table } from '@husky/holdem/table';
import { deckFor } from '@husky/match/deck';
import { describeFault, type Fault } from '@husky/match/fault';
import { type ActionNote, type HandRecord, MAX_DETAIL_LENGTH, recordHand } from '@husky/match/record';
import type { SeatHost, SeatUsage } from '../host/seat-host.ts';
import { Announcer } from './announcer.ts';
import { HandView } from './hand-view.ts';
import { foldFor, type Judgement, judge } from './judge.ts';
import type { Seat, SeatReport } from './seat.ts';
import { SeatSupervisor } from './seat-supervisor.ts';
import type { MatchSetup } from './setup.ts';
import { Turn } from './turn.ts';

const tickMs = 20;
/** Number of hands played without a question after which the match yields to the event loop. */
const maxSilentHands = 16;

function noteOf(ms: number, fault: Fault | null, detail: string | undefined): ActionNote {
  return { ms, ...(fault !== null && { fault }), ...(detail !== undefined && { detail }) };
}

export interface MatchHooks {
  onHand(number: number, record: HandRecord): void;
  /** Called between hands. The next hand waits for the returned promise. */
  hold(): Promise<void> | null;
  /** Time for records, ms since the epoch; default: the machine's. */
  readonly clock?: () => number;
}

export interface MatchEnd {
  readonly handsPlayed: number;
  /** '' when all hands were played. */
  readonly endedEarly: string;
}

/** A match on a seat host: deals hand after hand, applies the bots' decisions and records them. */
export class Match {
  readonly setup: MatchSetup;
  readonly #hooks: MatchHooks;
  readonly #now: () => number;
  readonly #table: Table;
  readonly #supervisor: SeatSupervisor;
  readonly #announcer: Announcer;
  readonly #turn: Turn;
  readonly #done = Promise.withResolvers<MatchEnd>();
  /** The hand in play, as bots see it. */
  #view: HandView | null = null;
  #notes: ActionNote[] = [];
  /** The min_raise that the open question shows. */
  #shownMinRaise = 0;
  #startedAtMs = 0;
  #startMs = 0;
  #silentHands = 0;
  #ticker: NodeJS.Timeout | null = null;
  #state: 'open' | 'finished' | 'stopped' = 'open';
  #running = false;
  #stoppedBy: Error | null = null;

  /** `now` is a monotonic clock in ms. */
  constructor(setup: MatchSetup, host: SeatHost, hooks: MatchHooks, now: () => number = () => performance.now()) {
    this.setup = setup;
    this.#hooks = hooks;
    this.#now = now;
    const { seats, startingStack, blinds, stacks, rulesVersion } = setup;
    this.#table = new Table({ rulesVersion, players: seats.length, startingStack, blinds, stacks });
    this.#supervisor = new SeatSupervisor(setup, host, now, {
      onReply: (seat, reply) => this.#guard(() => this.#turn.reply(seat, reply)) ?? true,
      onDisconnected: (seat) => this.#turn.disconnected(seat),
      onOut: (seat, fault, detail) => void this.#guard(() => this.#handleOut(seat, fault, detail)),
      onError: (error) => this.stop(error),
    });
    this.#announcer = new Announcer(this.seats, (seat) => {
      this.#supervisor.kill(seat, 'timeout');
      this.#supervisor.remove(seat, 'timeout', 'it no longer reads what it is told');
    });
    this.#turn = new Turn(this.seats, host, setup.limits, now, {
      onReply: (seat, { kind, amount }) => this.#handleReply(seat, kind, amount),
      onFault: (seat, fault, detail) => void this.#guard(() => this.#handleFault(seat, fault, detail)),
      onSilentExit: (seat) => this.#supervisor.breach(seat, 'it closed its connection'),
      onError: (error) => this.stop(error),
    });
  }

  get seats(): readonly Seat[] {
    return this.#supervisor.seats;
  }

  get handsDone(): number {
    const open = this.#view?.hand.over === false;
    return open ? this.#table.handNumber - 1 : this.#table.handNumber;
  }

  /** True while bots' code may run: from `start` to `close`. A loss in this time may be a bot's fault. */
  get running(): boolean {
    return this.#running;
  }

  /** Starts the seats; bots that cannot be loaded are out. Rejects for platform failures and with the error given to `stop`. */
  async start(): Promise<void> {
    if (this.#stoppedBy !== null) throw this.#stoppedBy;
    this.#running = true;
    await this.#supervisor.start();
  }

  /** Plays all hands after `start`. Rejects with the error given to `stop`. */
  async play(): Promise<MatchEnd> {
    if (this.#stoppedBy !== null) throw this.#stoppedBy;
    await this.#turn.start();
    if (this.#state === 'open') {
      this.#ticker = setInterval(() => this.#guard(() => this.#turn.tick()), tickMs);
      this.#guard(() => this.#proceed());
    }
    const end = await this.#done.promise;
    for (const seat of this.seats) this.#announcer.dismiss(seat);
    await this.#supervisor.drain();
    return end;
  }

  /** Ends the match: `start` or `play` reject with this error. No-op once all hands are played. */
  stop(error: Error): void {
    this.#stoppedBy ??= error;
    this.#supervisor.stop(error);
    if (this.#state !== 'open') return;
    this.#end('stopped');
    this.#done.promise.catch(() => undefined);
    this.#done.reject(error);
  }

  /** Ends the seats and returns their reports. Call it however the match ended. */
  async close(): Promise<SeatReport[]> {
    const reports = await this.#supervisor.close(this.#state === 'finished');
    this.#running = false;
    return reports;
  }

  /** Returns the last known figures without a request to the host. Verdicts are only names of faults, because everybody may read them. */
  usage(): (Pick<SeatUsage, 'seat'> & { cpuMs: number; peakKib: number; verdict: string })[] {
    return this.seats.map(({ number, cpuMs, peakKib, out }) => ({
      seat: number,
      cpuMs: Math.round(cpuMs),
      peakKib,
      verdict: out ?? '',
    }));
  }

  #handleReply(seat: Seat, kind: number, amount: number | string): void {
    const { hand } = this.#requireView();
    const judgement = judge(hand, kind, amount, this.#shownMinRaise);
    if (judgement.fault !== null) {
      this.#handleFault(seat, judgement.fault, judgement.detail);
      return;
    }
    seat.faultsInRow = 0;
    this.#apply(judgement);
    this.#proceed();
  }

  /** Folds for a seat after a fault in its turn, and disables a bot with too many in a row. */
  #handleFault(seat: Seat, fault: Fault, detail: string | undefined): void {
    const { handNumber } = this.#table;
    seat.countFault(fault, handNumber, detail);
    if (seat.out === null && seat.faultsInRow >= this.setup.limits.faultsToDisable) {
      const cause = detail === undefined ? '' : `: ${detail.slice(0, MAX_DETAIL_LENGTH)}`;
      const last = `${describeFault(fault)}${cause}`;
      seat.leave('disabled', `${seat.faultsInRow} faults in a row by hand ${handNumber}, at last it ${last}`);
      // The bot only folds from now on and would take processor time from the others.
      this.#supervisor.kill(seat, 'disabled');
    }
    this.#apply(foldFor(fault, detail));
    this.#proceed();
  }

  #handleOut(seat: Seat, fault: Fault, detail: string): void {
    if (this.#turn.abandon(seat)) this.#handleFault(seat, fault, detail);
    else seat.countFault(fault, this.#table.handNumber, detail);
  }

  #apply({ kind, amount, adjusted, fault, detail }: Judgement): void {
    const view = this.#requireView();
    const { hand } = view;
    const { street, currentBet, actor } = hand;
    const seat = actor as number;
    const before = hand.bets[seat] as number;
    hand.act(kind, amount, adjusted);
    const ms = this.#now() - this.#startMs;
    this.#notes.push(noteOf(ms, fault, detail));
    const logged = hand.log[hand.log.length - 1] as (typeof hand.log)[number];
    view.note(seat, logged.kind, before + logged.amount > currentBet);
    if (hand.over || hand.street !== street) this.#announcer.closeStreet(hand, view, street);
  }

  /** Plays on until a seat's turn begins or the match ends. Seats that are out fold at once. */
  #proceed(): void {
    while (this.#turn.seat === null && this.#state === 'open') {
      const view = this.#view;
      if (view === null || view.hand.actor === null) {
        if (!this.#nextHand()) return;
        continue;
      }
      const seat = this.seats[view.hand.actor] as Seat;
      if (seat.out === null) {
        this.#silentHands = 0;
        this.#turn.begin(seat, this.#question(view, seat));
      } else this.#apply(foldFor(seat.out));
    }
  }

  #question(view: HandView, seat: Seat): string {
    const { minRaise, maxRaise } = view.hand.options();
    this.#shownMinRaise = view.minRaise(minRaise);
    return `["a",${view.current()},${view.raiseRange(minRaise, maxRaise)},${view.hand.stacks[seat.number]}]`;
  }

  /** Records the finished hand and deals the next one. Returns false at the end of the match, or when the next hand must wait. */
  #nextHand(): boolean {
    if (this.#view !== null) this.#record(this.#view.hand);
    const { handNumber, over } = this.#table;
    if (handNumber >= this.setup.numRounds || over) {
      const endedEarly = handNumber < this.setup.numRounds ? 'one player holds every chip' : '';
      this.#end('finished');
      this.#done.resolve({ handsPlayed: handNumber, endedEarly });
      return false;
    }
    const hold = this.#hooks.hold();
    if (hold !== null) {
      hold.then(() => this.#guard(() => this.#proceed())).catch((error: Error) => this.stop(error));
      return false;
    }
    this.#silentHands += 1;
    if (this.#silentHands > maxSilentHands) {
      this.#silentHands = 0;
      setImmediate(() => this.#guard(() => this.#proceed()));
      return false;
    }
    this.#deal();
    return true;
  }

  #deal(): void {
    this.#startedAtMs = (this.#hooks.clock ?? Date.now)();
    this.#startMs = this.#now();
    this.#notes = [];
    const hand = this.#table.startHand(deckFor(this.setup.seed, this.#table.handNumber + 1));
    this.#view = new HandView(hand, this.setup.profile);
    this.#supervisor.hand = this.#table.handNumber;
    this.#announcer.deal(hand, this.#view);
  }

  #record(hand: Hand): void {
    const record = recordHand(hand, this.#startedAtMs, this.#notes);
    this.#table.finishHand(hand);
    this.#view = null;
    for (const seat of this.seats) {
      if (seat.busted || (this.#table.nextStacks[seat.number] as number) > 0) continue;
      this.#announcer.dismiss(seat);
      this.#supervisor.retire(seat);
    }
    this.#hooks.onHand(this.#table.handNumber, record);
  }

  #end(state: 'finished' | 'stopped'): void {
    this.#state = state;
    this.#supervisor.playing = false;
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#turn.stop();
  }

  #requireView(): HandView {
    if (this.#view === null) throw new Error('no hand is in play');
    return this.#view;
  }

  /** Runs an event handler. An error that it throws is the platform's and stops the match. */
  #guard<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.stop(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }
}
