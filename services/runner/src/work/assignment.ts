import { setTimeout as pause } from 'node:timers/promises';
import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import type { RunnerState } from '@husky/contracts/types/simulation/v1/RunnerState';
import type { Seat__Output } from '@husky/contracts/types/simulation/v1/Seat';
import { checkRulesVersion } from '@husky/match/rules-version';
import { messageOf } from '@husky/runtime/errors';
import type { Logger } from '@husky/runtime/logger';
import type { Context } from '../context.ts';
import { type BotFiles, PackagesUnfetched } from '../files/bot-files.ts';
import { HostLost, type SeatHost } from '../host/seat-host.ts';
import { Match } from '../play/match.ts';
import type { SeatReport } from '../play/seat.ts';
import type { MatchSetup, SeatFiles } from '../play/setup.ts';
import { Delivery } from './delivery.ts';
import { insist, isPassing } from './insist.ts';
import { Lease, LeaseGone } from './lease.ts';
import { limitsOf } from './limits.ts';

const prepareMs = 60_000;
const completeTimeoutMs = 60_000;
/** For the last words about a match that is not played to its end. */
const lastWordsMs = 6000;
/** What a drain leaves to a match whose hands are all played. */
const drainMs = 5000;

/** The runner is to stop: the match goes back, free. */
export class Drained extends Error {
  override readonly name = 'Drained';
}

/** Something that the match needs cannot be had now: the match goes back, free. */
class NotNow extends Error {
  override readonly name = 'NotNow';
}

/** Packages of some seats cannot be brought here: the match goes back, and the try counts for those seats. */
class Unfetched extends Error {
  override readonly name = 'Unfetched';
  readonly seats: readonly { readonly seat: number; readonly cause: string }[];

  constructor(seats: Unfetched['seats']) {
    super(`packages could not be fetched: ${seats.map(({ seat, cause }) => `seat ${seat + 1}: ${cause}`).join('; ')}`);
    this.seats = seats;
  }
}

/** One leased attempt, from the claim to its report. */
export class AssignmentRun {
  readonly #context: Context;
  readonly #files: BotFiles;
  readonly #host: SeatHost;
  readonly #assignment: Assignment__Output;
  readonly #log: Logger;
  readonly #abort = new AbortController();
  readonly #lease: Lease;
  #match: Match | null = null;
  #played = false;
  #handsPlayed = 0;
  #state: keyof typeof RunnerState = 'ACQUIRED';
  #activeSinceMs = 0;

  constructor(context: Context, files: BotFiles, host: SeatHost, assignment: Assignment__Output) {
    this.#context = context;
    this.#files = files;
    this.#host = host;
    this.#assignment = assignment;
    const { jobId, attempt } = assignment;
    this.#log = context.log.child({ jobId, attempt });
    this.#lease = new Lease(
      context,
      { token: assignment.leaseToken, seconds: assignment.leaseSeconds },
      () => this.#heartbeat(),
      (error) => this.#stop(error),
    );
  }

  /** Hands the match back, unless its hands are all played and it can still be completed. */
  drain(): void {
    if (!this.#played) this.#stop(new Drained('drain'));
    else setTimeout(() => this.#stop(new Drained('drain')), drainMs).unref();
  }

  /** Resolves when nothing is left to do, whatever became of the match. */
  async run(): Promise<void> {
    const { jobId, attempt, numRounds, seats } = this.#assignment;
    this.#log.info({ seats: seats.length, hands: numRounds }, `match ${jobId} is taken, attempt ${attempt}`);
    try {
      await this.#play();
    } catch (error) {
      await this.#giveUp(error);
    } finally {
      this.#lease.stop();
      await this.#close();
    }
  }

  async #play(): Promise<void> {
    const { signal } = this.#abort;
    const { totals } = this.#context;
    if (this.#host.lost !== null) throw this.#host.lost;
    this.#host.onLost = (error) => this.#stop(error);
    const { jobId, attempt } = this.#assignment;
    const files = await this.#prepare();
    const away = (error: unknown) => this.#log.warn(`live-data: ${messageOf(error)}`);
    await insist(
      () => this.#context.liveData.openAttempt({ startedAtMs: Date.now() }, this.#lease.options()),
      signal,
      away,
    );

    const delivery = new Delivery({
      jobId,
      attempt,
      rulesVersion: this.#assignment.rulesVersion,
      players: files.length,
      startingStack: this.#assignment.startingStack,
      send: async (chunk) => {
        await insist(() => this.#context.liveData.deliverChunk({ chunk }, this.#lease.options()), signal, away);
      },
      onFailed: (error) => this.#stop(error instanceof Error ? error : new Error(String(error))),
    });
    const match = new Match(this.#setup(files), this.#host, {
      onHand: (number, record) => {
        // The blinds are nobody's decision.
        totals.hand(record.actions.length - 2);
        delivery.add(number, record);
      },
      hold: () => delivery.hold(),
    });
    this.#match = match;
    signal.addEventListener('abort', () => {
      match.stop(signal.reason as Error);
      delivery.stop();
    });
    signal.throwIfAborted();
    await match.start();
    this.#state = 'ACTIVE';
    this.#activeSinceMs = performance.now();
    this.#lease.beat();
    const end = await match.play();
    const playMs = performance.now() - this.#activeSinceMs;
    const rate = Math.round((1000 * end.handsPlayed) / playMs);
    totals.match(playMs);
    for (const { out } of match.seats) if (out !== null) totals.seatKill(out);
    this.#played = true;
    this.#handsPlayed = end.handsPlayed;
    const reports = await match.close();
    this.#match = null;
    await this.#report(reports, signal);
    const disabled = reports.flatMap(({ seat, disabled: reason }) => (reason === '' ? [] : [{ seat, reason }]));
    await delivery.finish().catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    const { accepted } = await insist(
      () =>
        this.#context.liveData.completeMatch(
          { handsPlayed: end.handsPlayed, digest: delivery.digest, endedEarly: end.endedEarly, disabled },
          this.#lease.options({ timeoutMs: completeTimeoutMs }),
        ),
      signal,
      away,
    );
    const fate = accepted ? 'accepted' : 'not accepted: another attempt is';
    this.#log.info({ hands: end.handsPlayed, handsPerSecond: rate }, `match ${jobId} is played and ${fate}`);
  }

  async #prepare(): Promise<MatchSetup['seats']> {
    const { seats, rulesVersion } = this.#assignment;
    checkRulesVersion(rulesVersion);
    await this.#files.trim(seats);
    const files: MatchSetup['seats'][number][] = [];
    // By archive, so that seats that share one do not wait for it twice.
    const failed = new Map<string, string>();
    for (const seat of seats) {
      const { packagesHash, unfetchable } = seat;
      if (failed.has(packagesHash)) continue;
      try {
        files.push(unfetchable === '' ? await this.#fetch(seat) : { unfetchable });
      } catch (error) {
        if (!(error instanceof PackagesUnfetched)) throw error;
        this.#log.warn({ err: error, packagesHash }, `packages could not be fetched: ${error.message}`);
        failed.set(packagesHash, error.message);
      }
    }
    const unfetched = seats.flatMap(({ packagesHash, unfetchable }, seat) => {
      const cause = unfetchable === '' ? failed.get(packagesHash) : undefined;
      return cause === undefined ? [] : [{ seat, cause }];
    });
    if (unfetched.length > 0) throw new Unfetched(unfetched);
    return files;
  }

  async #fetch(seat: Seat__Output): Promise<SeatFiles> {
    const late = AbortSignal.timeout(prepareMs);
    const either = AbortSignal.any([this.#abort.signal, late]);
    const fetch = () => this.#files.fetch(seat, (more) => this.#lease.options(more), either);
    try {
      return await insist(fetch, either, (error) => this.#log.warn(`submission: ${messageOf(error)}`));
    } catch (error) {
      this.#abort.signal.throwIfAborted();
      if (late.aborted) throw new NotNow('the bots could not be fetched in time');
      throw error;
    }
  }

  #setup(seats: MatchSetup['seats']): MatchSetup {
    const { jobId, attempt, seed, numRounds, startingStack, blinds, profile, limits } = this.#assignment;
    if (blinds === null) throw new Error('the assignment has no blinds');
    if (profile !== 'documented' && profile !== 'classic') throw new Error(`there is no profile ${profile}`);
    const { bigBlind, multiplier, interval } = blinds;
    return {
      name: `${jobId}:${attempt}`,
      seed,
      numRounds,
      startingStack,
      blinds: { bigBlind, multiplier, interval },
      profile,
      limits: limitsOf(limits),
      seats,
    };
  }

  #heartbeat() {
    const match = this.#match;
    const handsDone = match?.handsDone ?? this.#handsPlayed;
    const seconds = this.#activeSinceMs === 0 ? 0 : (performance.now() - this.#activeSinceMs) / 1000;
    return {
      state: this.#state,
      handsDone,
      handsPerSecond: seconds > 0 ? Math.round(handsDone / seconds) : 0,
      usage: match?.usage() ?? [],
      totals: this.#context.totals.describe(),
    };
  }

  async #report(reports: readonly SeatReport[], signal: AbortSignal): Promise<void> {
    for (const report of reports) {
      await insist(() => this.#context.liveData.deliverSeatReport(report, this.#lease.options()), signal);
    }
  }

  #stop(error: Error): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(error);
  }

  // Says why, once, with a bounded number of tries: a lease that nobody gives back runs out by itself.
  async #giveUp(error: unknown): Promise<void> {
    const cause = messageOf(error);
    const { simulation } = this.#context;
    if (error instanceof LeaseGone) {
      this.#log.info(`the match is left: ${cause}`);
      return;
    }
    const running = this.#match?.running ?? false;
    const signal = AbortSignal.timeout(lastWordsMs);
    const options = this.#lease.options({ timeoutMs: 2000 });
    const unfetched = error instanceof Unfetched ? [...error.seats] : [];
    const free =
      error instanceof Drained ||
      error instanceof NotNow ||
      error instanceof Unfetched ||
      (error instanceof HostLost && !running);
    try {
      if (free) {
        this.#log.info(`the match is handed back: ${cause}`);
        await insist(() => simulation.handBack({ reason: cause, unfetched }, options), signal);
      } else {
        this.#log.error({ err: error, botSuspect: running }, `the match is lost: ${cause}`);
        const usage = this.#match?.usage() ?? [];
        await insist(() => simulation.reportLoss({ cause, botSuspect: running, usage }, options), signal);
      }
    } catch (failure) {
      this.#log.warn(`that could not be told to simulation: ${messageOf(failure)}`);
      if (isPassing(failure)) await pause(100);
    }
  }

  async #close(): Promise<void> {
    const match = this.#match;
    this.#match = null;
    if (match === null || this.#host.lost !== null) return;
    await match.close().catch((error: unknown) => {
      // Seats that the host cannot account for must not play on beside the next match.
      this.#log.warn(`the seats were not closed in order: ${messageOf(error)}`);
      this.#host.disconnect();
    });
  }
}
