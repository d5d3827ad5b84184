import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import type { ReportRepetitionRequest } from '@husky/contracts/types/simulation/v1/ReportRepetitionRequest';
import { isKnownVersion, RULES_VERSION } from '@husky/match/rules-version';
import { parseStacks } from '@husky/match/stacks';
import { DomainError, messageOf } from '@husky/runtime/rpc/errors';
import type { RpcOptions } from '@husky/runtime/rpc/grpc-client';
import { untraced } from '@husky/runtime/telemetry/trace-context';
import type { Context } from '../context.ts';
import { type BotFiles, PackagesUnavailable } from '../files/bot-files.ts';
import type { SeatHost } from '../host/seat-host.ts';
import { Match } from '../play/match.ts';
import { type MatchSetup, setupOf } from '../play/setup.ts';
import { Delivery } from './delivery.ts';

/** Time between two questions to simulation whether matches need runners. */
const reportMs = 1000;
const reportTimeoutMs = 5000;

/** A match needs this runner, or the repetition is over. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** An act differs from the recorded one. */
class Differs extends Error {
  override readonly name = 'Differs';
  readonly result: ReportRepetitionRequest;

  constructor(result: ReportRepetitionRequest) {
    super(`hand ${result.hand} differs`);
    this.result = result;
  }
}

/** A finished match that this runner, which has no other, plays again and has live-data compare. Its hands are not stored. */
export class Repetition {
  readonly #context: Context;
  readonly #files: BotFiles;
  readonly #host: SeatHost;
  readonly #assignment: Assignment__Output;
  readonly #abort = new AbortController();
  readonly #run: Promise<void>;
  ended = false;

  constructor(context: Context, files: BotFiles, host: SeatHost, assignment: Assignment__Output) {
    this.#context = context;
    this.#files = files;
    this.#host = host;
    this.#assignment = assignment;
    this.#run = this.#playAndReport();
  }

  /** Begins a repetition; null if there is none to play. Failures are reported as a warning: matches are more important. */
  static async begin(context: Context, files: BotFiles, host: SeatHost): Promise<Repetition | null> {
    const { caller, name: runner, simulation, log } = context;
    try {
      const request = { runner, rulesVersion: RULES_VERSION };
      const { assignment } = await untraced(() => simulation.claimRepetition(request, { caller }));
      return assignment && new Repetition(context, files, host, assignment);
    } catch (error) {
      log.warn(`no match can be repeated: ${messageOf(error)}`);
      return null;
    }
  }

  /** Ends the bots. Resolves when the seat host is free; never rejects. */
  async stop(): Promise<void> {
    this.#abort.abort(new Stopped('a match needs the runner'));
    await this.#run;
  }

  async #playAndReport(): Promise<void> {
    const timer = setInterval(() => void this.#renew(), reportMs);
    try {
      const result = await this.#play().catch((error: unknown) => this.#resultOf(error));
      const reported = this.#report(result);
      // The match that needs the runner does not wait for the report.
      if (result.outcome === 'stopped') reported.catch(() => undefined);
      else await reported;
    } catch (error) {
      // Simulation gives it to another runner once this one is not heard of any more.
      this.#context.log.warn({ err: error }, `the repetition of a match failed: ${messageOf(error)}`);
    } finally {
      clearInterval(timer);
      this.ended = true;
    }
  }

  async #play(): Promise<ReportRepetitionRequest> {
    const { signal } = this.#abort;
    const { jobId, attempt, rulesVersion, startingStack, stacks, seats } = this.#assignment;
    const files: MatchSetup['seats'][number][] = [];
    const options = (more: { signal: AbortSignal }) => this.#options(more);
    if (!isKnownVersion(rulesVersion)) throw new Error(`rules version ${rulesVersion} is not known here`);
    await this.#files.trim(seats);
    for (const seat of seats) {
      if (seat.unfetchable !== '') files.push({ unfetchable: seat.unfetchable });
      else
        files.push({
          botDir: await this.#files.fetchBot(seat, options, signal),
          packagesDir: await this.#files.fetchPackages(seat, options, signal),
        });
    }
    let recordedHands = 0;
    const delivery = new Delivery({
      jobId,
      attempt,
      rulesVersion,
      players: seats.length,
      startingStack,
      stacks: parseStacks(stacks),
      send: async (chunk) => {
        const { hand, act, byLimit, hands } = await this.#context.liveData.compareChunk({ chunk }, this.#options());
        recordedHands = hands;
        if (hand > 0) throw new Differs({ outcome: 'different', hand, act, byLimit });
      },
      onFailed: (error) => this.#abort.abort(error),
    });
    const match = new Match(setupOf(this.#assignment, files), this.#host, {
      onHand: (number, record) => delivery.add(number, record),
      hold: () => delivery.hold(),
    });
    const stop = () => {
      match.stop(signal.reason as Error);
      delivery.stop();
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', stop);
    try {
      await match.start();
      const { handsPlayed } = await match.play();
      await delivery.finish().catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      return handsPlayed === recordedHands
        ? { outcome: 'equal' }
        : { outcome: 'different', hand: handsPlayed + 1, act: 0 };
    } finally {
      signal.removeEventListener('abort', stop);
      // Seats that the host cannot account for must not run beside the next match.
      await match.close().catch(() => this.#host.disconnect());
    }
  }

  /** Returns how a repetition ended that failed. Throws what says nothing about the match. */
  #resultOf(failure: unknown): ReportRepetitionRequest {
    const { signal } = this.#abort;
    const error: unknown = signal.aborted ? signal.reason : failure;
    if (error instanceof Differs) return error.result;
    if (error instanceof Stopped) return { outcome: 'stopped' };
    const isFinal = error instanceof PackagesUnavailable ? error.isFinal : isRefusal(error);
    if (isFinal) return { outcome: 'not_compared', cause: messageOf(error) };
    throw error;
  }

  async #renew(): Promise<void> {
    try {
      const { cancel } = await this.#report({});
      if (cancel) this.#abort.abort(new Stopped('a match needs a runner'));
    } catch (error) {
      this.#context.log.debug({ err: error }, `a repetition could not be renewed: ${messageOf(error)}`);
    }
  }

  #report(result: ReportRepetitionRequest) {
    return untraced(() =>
      this.#context.simulation.reportRepetition(result, this.#options({ timeoutMs: reportTimeoutMs })),
    );
  }

  #options(more: Omit<RpcOptions, 'token' | 'caller'> = {}): RpcOptions {
    return { token: this.#assignment.leaseToken, ...more };
  }
}

/** The bots or the recorded hands do not exist any more. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DomainError && ['NOT_FOUND', 'ABORTED', 'FAILED_PRECONDITION'].includes(error.code);
