import type { Fault } from '@husky/match/fault';
import { HostLost, type SeatEvent, type SeatHost, type SeatOutput } from '../host/seat-host.ts';
import { PhaseClocks } from './phase-clocks.ts';
import type { Seat, SeatReport } from './seat.ts';
import { Standstill } from './seat-clocks.ts';
import { type Reply, SeatLink, type SeatMessage } from './seat-link.ts';
import { type SeatListener, SeatStart } from './seat-start.ts';
import type { MatchSetup } from './setup.ts';

/** Maximum length of the text of a failed call, which names all parameters of the method where they were wrong. */
export const MAX_CALL_TEXT = 300;
/** Own time that bots have for their last callbacks before their processes are ended. */
const lastCallsMs = 1000;
/** How long the report of an exit waits for the end of the connection, on which the bot's last words come before. */
const lastWordsMs = 1000;

export interface SupervisorHooks {
  /** Returns false for a reply to a question that is neither open nor overdue. */
  onReply(seat: Seat, reply: Reply): boolean;
  /** The seat's connection has ended; the host's exit event follows. */
  onDisconnected(seat: Seat): void;
  /** The seat is out of the match from now on. */
  onOut(seat: Seat, fault: Fault, detail: string): void;
  /** The match cannot go on. */
  onError(error: Error): void;
}

/** Starts, watches and ends the seats of one match, and removes bots that exit or break the protocol. */
export class SeatSupervisor implements SeatListener {
  readonly #host: SeatHost;
  readonly #hooks: SupervisorHooks;
  readonly #start: SeatStart;
  /** Receives everything that seats and host send. */
  #listener: SeatListener;
  readonly #lastCalls: PhaseClocks;
  readonly #standstill: Standstill;
  /** Exits that the host reported before everything that the seat had sent was read. */
  readonly #exits = new Map<Seat, { event: SeatEvent; timer: NodeJS.Timeout }>();
  readonly #allRead = Promise.withResolvers<void>();
  /** The number of the hand in play, for notes and for the check of failed calls. */
  hand = 0;
  /** False once the match has ended: later reports of seats and host do not affect it. */
  playing = true;

  constructor(setup: MatchSetup, host: SeatHost, now: () => number, hooks: SupervisorHooks) {
    this.#host = host;
    this.#hooks = hooks;
    this.#start = new SeatStart(setup, host, now, (seat, socket) => this.#connect(seat, socket));
    this.#listener = this.#start;
    this.#standstill = new Standstill(host, (error) => hooks.onError(error));
    this.#lastCalls = new PhaseClocks(host, now, {
      onExpired: (seat) => this.#dismiss(seat),
      onError: (error) => {
        this.#allRead.resolve();
        hooks.onError(error);
      },
    });
  }

  get seats(): readonly Seat[] {
    return this.#start.seats;
  }

  /** Starts the bots. Those that cannot be loaded are out. Rejects for platform failures and with the error given to `stop`. */
  async start(): Promise<void> {
    this.#host.onEvent = (event) => this.#receive(event);
    this.#host.onLost = (error) => this.#hooks.onError(error);
    await this.#start.start();
    this.#listener = this;
  }

  /** Rejects a pending `start`. */
  stop(error: Error): void {
    this.#start.stop(error);
  }

  onMessage(seat: Seat, message: SeatMessage | null): void {
    if (seat.out !== null) return;
    if (message?.type === 'failed call' && seat.reportableCalls > 0 && message.hand <= this.hand) {
      // A callback may be reported as failed once.
      seat.reportableCalls -= 1;
      seat.failedCalls.add(message.method, message.text.slice(0, MAX_CALL_TEXT), message.hand);
    } else if (!this.playing || seat.busted) {
      return;
    } else if (message?.type === 'needed' && seat.skips.delete(message.method)) {
      seat.note(this.hand, `has given itself another ${message.method}: it is called from now on`);
    } else if (message?.type !== 'reply') {
      this.breach(seat, 'a line that is no answer');
    } else if (!this.#hooks.onReply(seat, message)) {
      this.breach(seat, `an answer to question ${message.seq}, which was not asked`);
    }
  }

  onEndlessLine(seat: Seat): void {
    if (this.playing && seat.out === null) this.breach(seat, 'an endless line');
  }

  onEnd(seat: Seat): void {
    seat.ended = true;
    this.#lastCalls.end(seat);
    this.#hooks.onDisconnected(seat);
    if (!this.playing) this.#checkAllRead();
  }

  onEvent(event: SeatEvent): void {
    const seat = this.seats[event.seat];
    // After the last hand the end of the connection counts instead: at that point the dealer has read everything that the seat sent.
    if (seat === undefined || !this.playing) return;
    seat.peakKib = Math.max(seat.peakKib, event.rss_kib);
    if (event.event === 'memory-warning') {
      seat.warnedKib = event.rss_kib;
      seat.note(this.hand, 'uses more than 100 MiB of memory');
    } else if (event.reason === 'host') {
      this.#hooks.onError(new Error(`seat ${seat.number} could not be run: ${event.detail ?? ''}`));
    } else {
      seat.ended = true;
      this.remove(seat, event.reason === 'memory' ? 'memory' : 'crash', event.detail ?? '');
    }
  }

  /** Ends a bot that breaks the protocol. */
  breach(seat: Seat, detail: string): void {
    this.kill(seat, 'protocol');
    this.remove(seat, 'protocol', detail);
  }

  /** Puts a bot out of the match. No-op for a bot without chips, which has finished its match. */
  remove(seat: Seat, fault: Fault, detail: string): void {
    if (seat.out !== null || seat.busted) return;
    seat.leave(fault, detail);
    this.#hooks.onOut(seat, fault, detail);
  }

  /** Ends the seat's process. */
  kill(seat: Seat, reason: string): void {
    this.#host.kill(seat.number, reason).catch((error: Error) => this.#hooks.onError(error));
  }

  /** Marks a seat as without chips. Its process ends after its last callbacks, for which it has a second of its own time. */
  retire(seat: Seat): void {
    seat.busted = true;
    if (!seat.ended && seat.out === null) this.#awaitLastCalls(seat);
  }

  /** Resolves when each seat has handled its last callbacks and disconnected, or has used a second of its own time. */
  async drain(): Promise<void> {
    for (const seat of this.seats) {
      if (this.#isFinished(seat)) this.#standstill.stop(seat);
      else if (!seat.busted) this.#awaitLastCalls(seat);
    }
    this.#checkAllRead();
    await this.#allRead.promise;
  }

  /** Ends the seats and returns their reports. `finished`: all hands are played, so that a lost host costs only the logs. */
  async close(finished: boolean): Promise<SeatReport[]> {
    this.#lastCalls.stop();
    for (const { link } of this.seats) link?.close();
    for (const { timer } of this.#exits.values()) clearTimeout(timer);
    this.#host.onEvent = () => undefined;
    this.#host.onLost = () => undefined;
    const closing = this.#start.opened ? this.#host.close() : Promise.resolve([]);
    const closed = await closing.catch((error: unknown): SeatOutput[] => {
      if (finished && error instanceof HostLost) return [];
      throw error;
    });
    return this.seats.map((seat) => seat.report(closed.find((one) => one.seat === seat.number)));
  }

  #connect(seat: Seat, socket: string): void {
    seat.link = new SeatLink(socket, {
      onMessage: (message) => this.#listener.onMessage(seat, message),
      onEndlessLine: () => this.#listener.onEndlessLine(seat),
      onEnd: () => {
        this.#listener.onEnd(seat);
        this.#reportExit(seat);
      },
    });
  }

  /** Passes an event on; an exit only after what the seat sent before, since host and seat report on two connections. */
  #receive(event: SeatEvent): void {
    const seat = this.seats[event.seat];
    const silent = !seat?.link || seat.ended || seat.out !== null;
    if (silent || event.event !== 'exit' || event.reason === 'host') this.#listener.onEvent(event);
    else this.#exits.set(seat, { event, timer: setTimeout(() => this.#reportExit(seat), lastWordsMs) });
  }

  #reportExit(seat: Seat): void {
    const exit = this.#exits.get(seat);
    if (exit === undefined) return;
    this.#exits.delete(seat);
    clearTimeout(exit.timer);
    this.#listener.onEvent(exit.event);
  }

  #awaitLastCalls(seat: Seat): void {
    this.#standstill.resume(seat);
    this.#lastCalls.begin(seat, { leftMs: lastCallsMs, times: null });
  }

  /** Ends a seat whose time for its last callbacks is used up. */
  #dismiss(seat: Seat): void {
    if (seat.out !== null || seat.ended) return;
    seat.ended = true;
    seat.link?.close();
    this.kill(seat, 'dismissed');
    if (!this.playing) this.#checkAllRead();
  }

  /** A seat that still works on an overdue question handles no last callbacks. */
  #isFinished({ ended, out, lateSeq }: Seat): boolean {
    return ended || out !== null || lateSeq !== 0;
  }

  #checkAllRead(): void {
    if (this.seats.every((seat) => this.#isFinished(seat))) this.#allRead.resolve();
  }
}
