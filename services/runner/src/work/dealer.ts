import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { retry } from '@husky/runtime/process/retry';
import { messageOf } from '@husky/runtime/rpc/errors';
import { untraced } from '@husky/runtime/telemetry/trace-context';
import type { Context } from '../context.ts';
import { BotFiles } from '../files/bot-files.ts';
import type { SeatHost } from '../host/seat-host.ts';
import { AssignmentRun, Drained } from './assignment.ts';
import { Repetition } from './repetition.ts';
import { SeatsConnection } from './seats-connection.ts';

const version = '1';
const waitMs = 20_000;
const claimTimeoutMs = 30_000;
const firstPauseMs = 200;
const maxPauseMs = 5000;

/** Claims matches and plays them, one at a time, until it is drained. While it has none, it repeats finished matches to compare them. */
export class Dealer {
  readonly #context: Context;
  readonly #files: BotFiles;
  readonly #seats: SeatsConnection;
  readonly #draining = new AbortController();
  #current: AssignmentRun | null = null;
  #repetition: Repetition | null = null;
  /** The last claim found no match. */
  #idle = false;
  #loop: Promise<void> = Promise.resolve();
  #claimProblem = '';

  constructor(context: Context) {
    this.#context = context;
    this.#files = new BotFiles(context);
    this.#seats = new SeatsConnection(context);
  }

  /** Why no match can be claimed; '' when one can. For readiness. */
  get problem(): string {
    return this.#seats.problem || this.#claimProblem;
  }

  start(onFailed: (error: Error) => void): void {
    this.#loop = this.#run().catch((error: unknown) => {
      if (!this.#draining.signal.aborted) onFailed(error instanceof Error ? error : new Error(messageOf(error)));
    });
  }

  /** Hands the current match back and ends the loop. */
  async drain(): Promise<void> {
    this.#draining.abort(new Drained('drain'));
    this.#current?.drain();
    await this.#loop;
    await this.#endRepetition();
    this.#seats.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#draining;
    await this.#files.trim([]);
    while (!signal.aborted) {
      await retry(() => this.#claimAndPlay(), {
        signal,
        firstPauseMs,
        maxPauseMs,
        retryIf: () => true,
        onFailure: (error) => {
          this.#claimProblem = `no match can be claimed: ${messageOf(error)}`;
        },
        onNewCause: () => this.#context.log.warn(this.#claimProblem),
      });
    }
  }

  async #claimAndPlay(): Promise<void> {
    const host = await this.#seats.ready(this.#draining.signal);
    try {
      if (this.#repetition?.ended) this.#repetition = null;
      if (this.#idle) this.#repetition ??= await Repetition.begin(this.#context, this.#files, host);
      const assignment = await this.#claim(host);
      this.#claimProblem = '';
      this.#idle = assignment === null;
      if (assignment === null) return;
      await this.#endRepetition();
      await this.#play(host, assignment);
    } catch (error) {
      await this.#endRepetition();
      // The next call waits for another host.
      if (host.lost === null) throw error;
    }
  }

  async #claim(host: SeatHost): Promise<Assignment__Output | null> {
    const lost = new AbortController();
    host.onLost = () => lost.abort();
    const signal = AbortSignal.any([this.#draining.signal, lost.signal]);
    const { caller, name, simulation, totals } = this.#context;
    const options = { caller, timeoutMs: claimTimeoutMs, signal };
    // A long poll: simulation records the claim of a job in the job's trace.
    const { assignment } = await untraced(() =>
      simulation.claimMatch(
        { runner: name, waitMs, version, rulesVersion: RULES_VERSION, totals: totals.describe() },
        options,
      ),
    );
    return assignment;
  }

  async #endRepetition(): Promise<void> {
    await this.#repetition?.stop();
    this.#repetition = null;
  }

  async #play(host: SeatHost, assignment: Assignment__Output): Promise<void> {
    const run = new AssignmentRun(this.#context, this.#files, host, assignment);
    this.#current = run;
    if (this.#draining.signal.aborted) run.drain();
    try {
      await run.run();
    } finally {
      this.#current = null;
    }
    // The pause before the next claim leaves the match to other runners.
    if (run.fault !== '') throw new Error(run.fault);
  }
}
