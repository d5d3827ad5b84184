import type { SeatDetails } from '@husky/contracts/types/live/v1/SeatDetails';
import { HostLost, type SeatHost, type SeatUsage } from '../host/seat-host.ts';
import type { MatchEnd, MatchHooks } from './match-end.ts';
import { MatchPlayer } from './match-player.ts';
import type { Seat } from './seat.ts';
import type { MatchSetup } from './setup.ts';
import { StartingSeats } from './start-seats.ts';

export interface SeatReport {
  readonly seat: number;
  readonly log: string;
  readonly verdict: string;
  readonly cpuMs: number;
  readonly peakKib: number;
  readonly faults: number;
  /** Why it did not play to the match's end, to go on from its name; '' when it did. */
  readonly disabled: string;
  readonly details: SeatDetails;
}

/** A match on a seat host, from opening the seats to their end. */
export class Match {
  readonly #setup: MatchSetup;
  readonly #host: SeatHost;
  readonly #starting: StartingSeats;
  readonly #player: MatchPlayer;
  #running = false;
  #ended = false;
  #stoppedBy: Error | null = null;

  constructor(setup: MatchSetup, host: SeatHost, hooks: MatchHooks) {
    this.#setup = setup;
    this.#host = host;
    this.#starting = new StartingSeats(setup, host);
    this.#player = new MatchPlayer(setup, this.#starting.seats, host, hooks);
  }

  get setup(): MatchSetup {
    return this.#setup;
  }

  get seats(): readonly Seat[] {
    return this.#starting.seats;
  }

  get handsDone(): number {
    return this.#player.handsDone;
  }

  /** True from the moment the bots' code may run: a loss from then on may be a bot's doing. */
  get running(): boolean {
    return this.#running;
  }

  /** Starts the seats; bots that cannot be loaded are out from then on. Rejects for failures of ours and after `stop`. */
  async start(): Promise<void> {
    if (this.#stoppedBy !== null) throw this.#stoppedBy;
    this.#host.onEvent = (event) => this.#starting.listener.onEvent(event);
    this.#host.onLost = (error) => this.stop(error);
    this.#running = true;
    await this.#starting.start();
    this.#starting.listener = this.#player;
  }

  /** Plays all hands; after `start`. */
  async play(): Promise<MatchEnd> {
    const end = await this.#player.play();
    this.#ended = true;
    await this.#player.leave();
    return end;
  }

  /** Ends the match at once: `start` or `play` reject with this error. */
  stop(error: Error): void {
    this.#stoppedBy ??= error;
    this.#starting.stop(error);
    this.#player.stop(error);
  }

  /** Ends the seats and answers what is to be reported of each. Call it however the match ended. */
  async close(): Promise<SeatReport[]> {
    for (const { link } of this.seats) link?.close();
    this.#host.onEvent = () => undefined;
    this.#host.onLost = () => undefined;
    const closed = this.#starting.opened ? this.#host.close() : Promise.resolve([]);
    const last = await closed.catch((error: unknown) => {
      // Once all hands are played only the logs are lost with the host.
      if (this.#ended && error instanceof HostLost) return [];
      throw error;
    });
    this.#running = false;
    return this.seats.map((seat) => {
      const own = last.find((one) => one.seat === seat.number);
      return {
        seat: seat.number,
        log: `${own?.log ?? ''}${seat.platformLog}`,
        verdict: seat.verdict,
        cpuMs: Math.round(own?.cpu_ms ?? seat.cpuMs),
        peakKib: own?.peak_kib ?? seat.peakKib,
        faults: seat.faults,
        disabled: seat.whyOut,
        details: seat.details,
      };
    });
  }

  /** The last figures known, without asking the host. What a bot said of itself is not among them: everybody may read them. */
  usage(): (Pick<SeatUsage, 'seat'> & { cpuMs: number; peakKib: number; verdict: string })[] {
    return this.seats.map(({ number, cpuMs, peakKib, out }) => ({
      seat: number,
      cpuMs: Math.round(cpuMs),
      peakKib,
      verdict: out ?? '',
    }));
  }
}
