import { playerIds, seatSeed } from '@husky/match/deck';
import type { SeatEvent, SeatHost } from '../host/seat-host.ts';
import { LoadRota } from './load-rota.ts';
import { Seat } from './seat.ts';
import type { SeatMessage } from './seat-link.ts';
import type { MatchSetup } from './setup.ts';

/** Receives what seats and host send. */
export interface SeatListener {
  onMessage(seat: Seat, message: SeatMessage | null): void;
  onEndlessLine(seat: Seat): void;
  onEnd(seat: Seat): void;
  onEvent(event: SeatEvent): void;
}

/** Opens the seats at the host and waits until every bot has loaded or failed to load. */
export class SeatStart implements SeatListener {
  readonly seats: readonly Seat[];
  readonly #setup: MatchSetup;
  readonly #host: SeatHost;
  readonly #allSettled = Promise.withResolvers<void>();
  readonly #settled = new Set<Seat>();
  readonly #rota: LoadRota;
  #sockets: ReadonlyMap<number, string> = new Map();
  /** True once the seats' opening was requested from the host. */
  opened = false;

  /** `connect` opens the link of a seat at its socket. */
  constructor(setup: MatchSetup, host: SeatHost, now: () => number, connect: (seat: Seat, socket: string) => void) {
    this.#setup = setup;
    this.#host = host;
    const ids = playerIds(setup.seed, setup.seats.length);
    this.seats = ids.map((id, number) => new Seat(number, id, setup.limits.bankMs));
    this.#rota = new LoadRota(host, now, {
      start: (seat) => connect(seat, this.#sockets.get(seat.number) as string),
      onExpired: (seat) => this.#expire(seat),
      onError: (error) => this.stop(error),
    });
  }

  /** Resolves when every bot has loaded or failed to load. Rejects for platform failures and with the error given to `stop`. */
  async start(): Promise<void> {
    const { limits, name, profile, rulesVersion, seats, seed } = this.#setup;
    const present = seats.flatMap((files, seat) => ('unfetchable' in files ? [] : [{ ...files, seat }]));
    if (present.length > 0) {
      this.opened = true;
      this.#sockets = await this.#host.open(
        name,
        profile,
        present.map(({ seat, botDir, packagesDir }) => ({
          seat,
          player_id: (this.seats[seat] as Seat).id,
          bot_dir: botDir,
          packages_dir: packagesDir,
          memory_mib: limits.memoryMib,
          log_bytes: limits.logBytes,
          seed: seatSeed(seed, seat, rulesVersion),
        })),
      );
    }
    for (const [number, files] of seats.entries()) {
      if ('unfetchable' in files) this.#fail(this.seats[number] as Seat, files.unfetchable);
    }
    this.#rota.start(
      this.seats.filter((seat) => !this.#settled.has(seat)),
      limits.startupMs,
    );
    await this.#allSettled.promise.finally(() => this.#rota.stop());
  }

  /** Rejects a pending `start`. */
  stop(error: Error): void {
    this.#allSettled.promise.catch(() => undefined);
    this.#allSettled.reject(error);
  }

  onMessage(seat: Seat, message: SeatMessage | null): void {
    if (!this.#settled.has(seat) && message?.type === 'ready') {
      seat.loadMs = message.loadMs;
      for (const callback of message.skips) seat.skips.add(callback);
      this.#settle(seat);
    } else if (!this.#settled.has(seat) && message?.type === 'load error') {
      this.#fail(seat, message.error);
    } else {
      this.#refuse(seat);
    }
  }

  onEndlessLine(seat: Seat): void {
    this.#refuse(seat);
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
    } else {
      // It was out before it ended, and may have had the processor.
      this.#rota.end(seat);
    }
  }

  /** Ends a bot that sent anything but the result of its loading. */
  #refuse(seat: Seat): void {
    if (seat.out !== null) return;
    this.#fail(seat, 'it wrote to the connection of the platform while it was loaded');
    this.#kill(seat, 'protocol');
  }

  #expire(seat: Seat): void {
    this.#kill(seat, 'startup');
    if (seat.out === null)
      this.#fail(
        seat,
        `not ready after ${this.#setup.limits.startupMs / 1000} s of its own time; import and compute less before __init__ returns`,
      );
  }

  #kill(seat: Seat, reason: string): void {
    this.#host.kill(seat.number, reason).catch((error: Error) => this.stop(error));
  }

  #fail(seat: Seat, detail: string): void {
    seat.leave('startup', detail);
    seat.countFault('startup', 0, detail);
    this.#settle(seat);
  }

  #settle(seat: Seat): void {
    this.#settled.add(seat);
    this.#rota.end(seat);
    if (this.#settled.size === this.seats.length) this.#allSettled.resolve();
  }
}
