import { playerIds } from '@husky/match/player-ids';
import type { SeatEvent, SeatHost } from '../host/seat-host.ts';
import { parseReady } from './answer.ts';
import { Seat } from './seat.ts';
import { SeatLink } from './seat-link.ts';
import type { MatchSetup } from './setup.ts';

/** What the host may take beyond a bot's start-up limit to end it, before the host itself is taken for broken. */
const hostGraceMs = 15_000;

/** Where a seat's lines go: to the start until it is ready, then to the match. */
export interface SeatListener {
  onLine(seat: Seat, line: string): void;
  onBreach(seat: Seat): void;
  onEnd(seat: Seat): void;
  onEvent(event: SeatEvent): void;
}

/** Seats as they come up; `listener` gets everything after the seat's first line. */
export class StartingSeats implements SeatListener {
  readonly seats: readonly Seat[];
  readonly #setup: MatchSetup;
  readonly #host: SeatHost;
  readonly #done = Promise.withResolvers<void>();
  #left: number;
  readonly #settled = new Set<Seat>();
  listener: SeatListener = this;
  /** The host has been asked for seats. */
  opened = false;

  constructor(setup: MatchSetup, host: SeatHost) {
    this.#setup = setup;
    this.#host = host;
    const ids = playerIds(setup.seed, setup.seats.length);
    this.seats = ids.map((id, number) => new Seat(number, id, setup.limits.bankMs));
    this.#left = this.seats.length;
  }

  /** Opens the match at the host and waits until every bot is loaded or has failed to. Rejects for failures of ours. */
  async start(): Promise<void> {
    const { limits, name, profile, seats } = this.#setup;
    const present = seats.flatMap((files, seat) => ('unfetchable' in files ? [] : [{ ...files, seat }]));
    if (present.length > 0) {
      this.opened = true;
      const sockets = await this.#host.open(
        name,
        profile,
        present.map(({ seat, botDir, packagesDir }) => ({
          seat,
          player_id: (this.seats[seat] as Seat).id,
          bot_dir: botDir,
          packages_dir: packagesDir,
          memory_mib: limits.memoryMib,
          log_bytes: limits.logBytes,
          startup_ms: limits.startupMs,
        })),
      );
      for (const [number, socket] of sockets) {
        const seat = this.seats[number];
        if (seat !== undefined) this.#connect(seat, socket);
      }
    }
    for (const [number, files] of seats.entries()) {
      const seat = this.seats[number];
      if (seat !== undefined && 'unfetchable' in files) this.#fail(seat, files.unfetchable);
    }
    const late = setTimeout(
      () => this.#done.reject(new Error('the seat host did not end a bot that was not ready in time')),
      limits.startupMs + hostGraceMs,
    );
    await this.#done.promise.finally(() => clearTimeout(late));
  }

  /** Ends the wait, for instance because the match was cancelled. */
  stop(error: Error): void {
    this.#done.promise.catch(() => undefined);
    this.#done.reject(error);
  }

  onLine(seat: Seat, line: string): void {
    const ready = this.#settled.has(seat) ? null : parseReady(line);
    if (ready === null) {
      this.onBreach(seat);
    } else if (ready.ready) {
      seat.ready = true;
      seat.loadMs = ready.loadMs;
      this.#settle(seat);
    } else {
      this.#fail(seat, ready.error);
    }
  }

  onBreach(seat: Seat): void {
    if (seat.out !== null) return;
    this.#fail(seat, 'it wrote to the connection of the platform while it was loaded');
    this.#host.kill(seat.number, 'protocol').catch((error: Error) => this.stop(error));
  }

  onEnd(seat: Seat): void {
    seat.ended = true;
  }

  onEvent(event: SeatEvent): void {
    const seat = this.seats[event.seat];
    if (seat === undefined) return;
    seat.peakKib = Math.max(seat.peakKib, event.rss_kib);
    if (event.event === 'memory-warning') {
      seat.warnedKib = event.rss_kib;
    } else if (event.reason === 'host') {
      this.stop(new Error(`seat ${seat.number} could not be run: ${event.detail ?? ''}`));
    } else if (seat.out === null) {
      this.#fail(seat, event.detail ?? '');
    }
  }

  #connect(seat: Seat, path: string): void {
    seat.link = new SeatLink(path, {
      onLine: (line) => this.listener.onLine(seat, line),
      onBreach: () => this.listener.onBreach(seat),
      onEnd: () => this.listener.onEnd(seat),
    });
  }

  #fail(seat: Seat, detail: string): void {
    seat.leave('startup', detail);
    seat.countFault('startup', 0, detail);
    this.#settle(seat);
  }

  #settle(seat: Seat): void {
    if (this.#settled.has(seat)) return;
    this.#settled.add(seat);
    this.#left -= 1;
    if (this.#left === 0) this.#done.resolve();
  }
}
