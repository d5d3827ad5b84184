import { playerIds } from '@husky/match/player-ids';
import type { SeatEvent, SeatHost } from '../host/seat-host.ts';
import { Seat } from './seat.ts';
import { SeatLink, type SeatMessage } from './seat-link.ts';
import type { MatchSetup } from './setup.ts';

/** Time beyond the start-up limit in which the host must end a bot that is not ready; then the host counts as broken. */
const hostGraceMs = 15_000;

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
  /** Receives everything the seats send; replaced once they have started. */
  listener: SeatListener = this;
  /** True once the seats' opening was requested from the host. */
  opened = false;

  constructor(setup: MatchSetup, host: SeatHost) {
    this.#setup = setup;
    this.#host = host;
    const ids = playerIds(setup.seed, setup.seats.length);
    this.seats = ids.map((id, number) => new Seat(number, id, setup.limits.bankMs));
  }

  /** Resolves when every bot has loaded or failed to load. Rejects for platform failures and with the error given to `stop`. */
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
      for (const [number, socket] of sockets) this.#connect(this.seats[number] as Seat, socket);
    }
    for (const [number, files] of seats.entries()) {
      if ('unfetchable' in files) this.#fail(this.seats[number] as Seat, files.unfetchable);
    }
    const timer = setTimeout(
      () => this.#allSettled.reject(new Error('the seat host did not end a bot that was not ready in time')),
      limits.startupMs + hostGraceMs,
    );
    await this.#allSettled.promise.finally(() => clearTimeout(timer));
  }

  /** Rejects a pending `start`. */
  stop(error: Error): void {
    this.#allSettled.promise.catch(() => undefined);
    this.#allSettled.reject(error);
  }

  onMessage(seat: Seat, message: SeatMessage | null): void {
    if (!this.#settled.has(seat) && message?.type === 'ready') {
      seat.loadMs = message.loadMs;
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
    }
  }

  #connect(seat: Seat, path: string): void {
    seat.link = new SeatLink(path, {
      onMessage: (message) => this.listener.onMessage(seat, message),
      onEndlessLine: () => this.listener.onEndlessLine(seat),
      onEnd: () => this.listener.onEnd(seat),
    });
  }

  /** Ends a bot that sent anything but the result of its loading. */
  #refuse(seat: Seat): void {
    if (seat.out !== null) return;
    this.#fail(seat, 'it wrote to the connection of the platform while it was loaded');
    this.#host.kill(seat.number, 'protocol').catch((error: Error) => this.stop(error));
  }

  #fail(seat: Seat, detail: string): void {
    seat.leave('startup', detail);
    seat.countFault('startup', 0, detail);
    this.#settle(seat);
  }

  #settle(seat: Seat): void {
    this.#settled.add(seat);
    if (this.#settled.size === this.seats.length) this.#allSettled.resolve();
  }
}
