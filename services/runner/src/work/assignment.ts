import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import type { RunnerState } from '@husky/contracts/types/simulation/v1/RunnerState';

import type { Seat__Output } from '@husky/contracts/types/simulation/v1/Seat';
import { postsOf } from '@husky/match/record';
import { checkRulesVersion } from '@husky/match/rules-version';
import { parseStacks } from '@husky/match/stacks';
import type { Logger } from '@husky/runtime/process/logger';
import { isInternal, isOutage, retry } from '@husky/runtime/process/retry';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import { inSpan } from '@husky/runtime/telemetry/trace-context';
import { causeOf, isSystemError } from '../cause.ts';
import type { Context } from '../context.ts';
import { type BotFiles, PackagesUnavailable } from '../files/bot-files.ts';
import { HostLost, type SeatHost } from '../host/seat-host.ts';
import { Match } from '../play/match.ts';
import type { SeatReport } from '../play/seat.ts';
import { type MatchSetup, type SeatFiles, setupOf } from '../play/setup.ts';
import { Delivery } from './delivery.ts';
import { Lease, LeaseLost, platformClock } from './lease.ts';
import { MatchTrace } from './match-trace.ts';

/** Time for which fetching a bot's file or packages is repeated while submission is unavailable. */
const maxFetchMs = 60_000;
const completeTimeoutMs = 60_000;
/** Time for which a call is repeated that fails by a defect of its service; the lease bounds the repetition after other errors. */
const maxInternalMs = 60_000;
/** Time limit for reporting a match that was not played to its end. */
const finalReportMs = 6000;
/** Time limit for delivering a match during a drain when all its hands are played. */
const drainMs = 5000;

/** The runner is shutting down: the match is handed back without counting as a loss. */
export class Drained extends Error {
  override readonly name = 'Drained';
}

/** A dependency is unavailable: the match is handed back without counting as a loss. */
class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Packages of some seats cannot be fetched: the match is handed back and the failed fetch counts for those seats. */
class PackagesUnfetched extends Error {
  override readonly name = 'PackagesUnfetched';
  readonly seats: readonly { readonly seat: number; readonly cause: string }[];

  constructor(seats: PackagesUnfetched['seats']) {
    super(`packages could not be fetched: ${seats.map(({ seat, cause }) => `seat ${seat + 1}: ${cause}`).join('; ')}`);
    this.seats = seats;
  }
}

/** One leased attempt, from the claim to its final report. */
export class AssignmentRun {
  readonly #context: Context;
  readonly #files: BotFiles;
  readonly #host: SeatHost;
  readonly #assignment: Assignment__Output;
  readonly #log: Logger;
  readonly #abort = new AbortController();
  readonly #lease: Lease;
  readonly #trace: MatchTrace;
  #match: Match | null = null;
  #allHandsPlayed = false;
  #handsPlayed = 0;
  #state: keyof typeof RunnerState = 'ACQUIRED';
  readonly #claimedAtMs = performance.now();
  #activeSinceMs = 0;
  #fault = '';
  /** The platform's time, ms since the epoch. */
  readonly #clock: () => number;

  constructor(context: Context, files: BotFiles, host: SeatHost, assignment: Assignment__Output) {
    this.#context = context;
    this.#files = files;
    this.#host = host;
    this.#assignment = assignment;
    this.#clock = platformClock(Number(assignment.nowMs));
    const { jobId, attempt } = assignment;
    this.#log = context.log.child({ jobId, attempt });
    this.#trace = new MatchTrace(assignment, context.name);
    this.#lease = new Lease(
      context,
      { token: assignment.leaseToken, seconds: assignment.leaseSeconds },
      () => this.#heartbeat(),
      (error) => this.#stop(error),
    );
  }

  /** How this machine failed to play the match; '' if it did not. */
  get fault(): string {
    return this.#fault;
  }

  /** Hands the match back; a match whose hands are all played gets `drainMs` to be completed first. */
  drain(): void {
    if (!this.#allHandsPlayed) this.#stop(new Drained('drain'));
    else setTimeout(() => this.#stop(new Drained('drain')), drainMs).unref();
  }

  /** Plays and reports the attempt. Resolves when it is over; failures are reported, never thrown. */
  run(): Promise<void> {
    return this.#trace.run(() => this.#run());
  }

  async #run(): Promise<void> {
    const { jobId, attempt, numRounds, seats } = this.#assignment;
    this.#log.info({ seats: seats.length, hands: numRounds }, `match ${jobId} claimed, attempt ${attempt}`);
    try {
      await this.#play();
    } catch (error) {
      await this.#reportFailure(error);
    } finally {
      await this.#lease.stop();
      await this.#close();
    }
  }

  async #play(): Promise<void> {
    const { signal } = this.#abort;
    const { totals } = this.#context;
    if (this.#host.lost !== null) throw this.#host.lost;
    this.#host.onLost = (error) => this.#stop(error);
    const { jobId, attempt } = this.#assignment;
    const files = await inSpan('fetch bots', {}, () => this.#prepare());
    const onFailure = (error: unknown) => this.#log.warn(`live-data: ${messageOf(error)}`);
    await retry(() => this.#openAttempt(), { signal, maxInternalMs, onFailure });

    const delivery = new Delivery({
      jobId,
      attempt,
      rulesVersion: this.#assignment.rulesVersion,
      players: files.length,
      startingStack: this.#assignment.startingStack,
      stacks: parseStacks(this.#assignment.stacks),
      send: this.#trace.traceDelivery(async (chunk) => {
        const deliver = () => this.#context.liveData.deliverChunk({ chunk }, this.#lease.options());
        await retry(deliver, { signal, maxInternalMs, onFailure });
      }),
      onFailed: (error) => this.#stop(error instanceof Error ? error : new Error(String(error))),
    });
    const match = new Match(setupOf(this.#assignment, files), this.#host, {
      onHand: (number, record) => {
        totals.countHand(record.actions.length - postsOf(record));
        delivery.add(number, record);
      },
      hold: () => delivery.hold(),
      clock: this.#clock,
    });
    this.#match = match;
    signal.addEventListener('abort', () => {
      match.stop(signal.reason as Error);
      delivery.stop();
    });
    signal.throwIfAborted();
    await this.#trace.startSeats(match);
    this.#state = 'ACTIVE';
    this.#activeSinceMs = performance.now();
    this.#lease.beat();
    const startMs = Math.round(this.#activeSinceMs - this.#claimedAtMs);
    this.#log.info({ startMs }, `match ${jobId} is in play ${startMs} ms after its claim`);
    const end = await inSpan('play hands', {}, () => match.play());
    const playMs = performance.now() - this.#activeSinceMs;
    const rate = Math.round((1000 * end.handsPlayed) / playMs);
    totals.countMatch(playMs);
    for (const { out } of match.seats) if (out !== null) totals.countSeatKill(out);
    this.#allHandsPlayed = true;
    this.#handsPlayed = end.handsPlayed;
    const reports = await match.close();
    this.#match = null;
    this.#trace.recordBots(reports);
    await this.#deliverReports(reports, signal);
    const disabled = reports.flatMap(({ seat, disabled: reason }) => (reason === '' ? [] : [{ seat, reason }]));
    await delivery.finish().catch((error: unknown) => {
      signal.throwIfAborted();
      throw error;
    });
    const { accepted } = await retry(
      () =>
        this.#context.liveData.completeMatch(
          { handsPlayed: end.handsPlayed, digest: delivery.digest, endedEarly: end.endedEarly, disabled },
          this.#lease.options({ timeoutMs: completeTimeoutMs }),
        ),
      { signal, maxInternalMs, onFailure },
    );
    this.#trace.end(accepted ? 'accepted' : 'not accepted');
    const outcome = accepted ? 'accepted' : 'not accepted: another attempt is';
    this.#log.info({ hands: end.handsPlayed, handsPerSecond: rate }, `match ${jobId} is played and ${outcome}`);
  }

  async #openAttempt(): Promise<void> {
    const { rulesVersion } = this.#assignment;
    const opened = await this.#context.liveData.openAttempt({ startedAtMs: this.#clock() }, this.#lease.options());
    // A replica of an earlier release would refuse the hands. Another one answers the next call.
    if (Math.max(1, opened.rulesVersion) < rulesVersion)
      throw new DomainError(
        'UNAVAILABLE',
        'unknown-rules',
        `live-data does not know rules version ${rulesVersion} yet`,
      );
  }

  async #prepare(): Promise<MatchSetup['seats']> {
    const { seats, rulesVersion } = this.#assignment;
    checkRulesVersion(rulesVersion);
    await this.#files.trim(seats);
    const files: MatchSetup['seats'][number][] = [];
    // Causes by archive, so that a failed fetch is not repeated for other seats with the same archive.
    const failed = new Map<string, string>();
    for (const seat of seats) {
      const { packagesHash, unfetchable } = seat;
      if (failed.has(packagesHash)) continue;
      try {
        files.push(unfetchable === '' ? await this.#fetch(seat) : { unfetchable });
      } catch (error) {
        if (!(error instanceof PackagesUnavailable)) throw error;
        this.#log.warn({ err: error, packagesHash }, `packages could not be fetched: ${error.message}`);
        if (!error.isFinal) throw new Unavailable(error.message);
        if (isSystemError(error.cause)) this.#fault = error.message;
        failed.set(packagesHash, error.message);
      }
    }
    const unfetched = seats.flatMap(({ packagesHash, unfetchable }, seat) => {
      const cause = unfetchable === '' ? failed.get(packagesHash) : undefined;
      return cause === undefined ? [] : [{ seat, cause }];
    });
    if (unfetched.length > 0) throw new PackagesUnfetched(unfetched);
    return files;
  }

  async #fetch(seat: Seat__Output): Promise<SeatFiles> {
    const { signal } = this.#abort;
    const options = (more: { signal: AbortSignal }) => this.#lease.options(more);
    const repeated = <T>(fetch: () => Promise<T>) =>
      retry(fetch, {
        signal,
        maxMs: maxFetchMs,
        onFailure: (error) => this.#log.warn(`submission: ${messageOf(error)}`),
      });
    const ofPackages = (error: unknown) => {
      throw isInternal(error) ? new PackagesUnavailable(messageOf(error), true, error) : error;
    };
    try {
      return {
        botDir: await repeated(() => this.#files.fetchBot(seat, options, signal)),
        packagesDir: await repeated(() => this.#files.fetchPackages(seat, options, signal)).catch(ofPackages),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (isOutage(error)) throw new Unavailable('the bots could not be fetched in time');
      throw error;
    }
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

  async #deliverReports(reports: readonly SeatReport[], signal: AbortSignal): Promise<void> {
    for (const report of reports) {
      const deliver = () => this.#context.liveData.deliverSeatReport(report, this.#lease.options());
      await retry(deliver, { signal, maxInternalMs });
    }
  }

  #stop(error: Error): void {
    if (!this.#abort.signal.aborted) this.#abort.abort(error);
  }

  // Gives up after `finalReportMs`: a lease that is not handed back expires.
  async #reportFailure(error: unknown): Promise<void> {
    const cause = causeOf(error);
    if (isSystemError(error)) this.#fault = cause;
    this.#trace.fail(cause);
    const { simulation } = this.#context;
    if (error instanceof LeaseLost) {
      this.#log.info(`match abandoned: ${cause}`);
      return;
    }
    const running = this.#match?.running ?? false;
    const signal = AbortSignal.timeout(finalReportMs);
    const options = this.#lease.options({ timeoutMs: 2000 });
    const unfetched = error instanceof PackagesUnfetched ? [...error.seats] : [];
    const handBack =
      error instanceof Drained ||
      error instanceof Unavailable ||
      error instanceof PackagesUnfetched ||
      (error instanceof HostLost && !running);
    try {
      if (handBack) {
        this.#log.info(`match handed back: ${cause}`);
        await retry(() => simulation.handBack({ reason: cause, unfetched }, options), { signal, maxInternalMs });
      } else {
        // A service that fails says nothing about the bots.
        const botSuspect = running && !(error instanceof DomainError);
        this.#log.error({ err: error, botSuspect }, `match lost: ${cause}`);
        const usage = this.#match?.usage() ?? [];
        const loss = { cause, botSuspect, usage };
        await retry(() => simulation.reportLoss(loss, options), { signal, maxInternalMs });
      }
    } catch (failure) {
      this.#log.warn(`the end of the match could not be reported to simulation: ${messageOf(failure)}`);
    }
  }

  async #close(): Promise<void> {
    const match = this.#match;
    this.#match = null;
    if (match === null || this.#host.lost !== null) return;
    await match.close().catch((error: unknown) => {
      // Seats that the host cannot account for must not run beside the next match.
      this.#log.warn(`the seats could not be closed: ${messageOf(error)}`);
      this.#host.disconnect();
    });
  }
}
