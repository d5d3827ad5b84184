import { setTimeout as pause } from 'node:timers/promises';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { Logger } from '@husky/runtime/process/logger';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { messageOf } from '@husky/runtime/rpc/errors';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { untraced } from '@husky/runtime/telemetry/trace-context';
import { chooseToStop, type FleetRunner, type Reports, reportOf, toReports, viewOf } from './domain/containers.ts';
import {
  type AutoscalingSettings,
  joinFirst,
  notReadyMessage,
  notStoppedMessage,
  notStoredMessage,
} from './domain/sizes.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Autoscaling } from './store/autoscaling.ts';
import type { Database } from './store/database.ts';
import {
  JobNotStored,
  openJob,
  type Requester,
  recordJob,
  repeatUntilStored,
  type ScalingJob,
  storedTarget,
  storeTarget,
  updateJob,
} from './store/scaling-jobs.ts';

// Each may come at the end of a run, which takes minutes.
const maxRefusals = 3;

/** What scaling jobs and autoscaling both need. */
export interface ScalingContext {
  readonly db: Database;
  readonly fleet: Fleet;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly log: Logger;
  readonly now: () => number;
  /** Returns the effective settings for a stored row. */
  readonly settingsOf: (row: Autoscaling) => AutoscalingSettings;
}

export interface ScalerSettings extends ScalingContext {
  /** Time limit for new runners until their first claim; counted again from each one that claims. */
  readonly startMs: number;
  /** How long a cordoned runner may continue its match before it hands the match back. */
  readonly drainMs: number;
  /** Time limit for runners to end after `stop`; counted again from each one that ends. */
  readonly stopMs: number;
  readonly pollMs: number;
}

interface Run {
  readonly jobId: string;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/**
 * Brings the fleet to the size requested last. One scaling job runs at a time; a newer one supersedes it. Every replica of
 * the pool records jobs; the one that leads the fleet runs them.
 */
export class Scaler {
  readonly #settings: ScalerSettings;
  /** The job in progress. */
  #run: Run | null = null;
  #requests: Promise<unknown> = Promise.resolve();

  constructor(settings: ScalerSettings) {
    this.#settings = settings;
  }

  /** Starts the runners missing from the stored size (`firstSize` at the first start) and resumes an open job. */
  restore(firstSize: number): Promise<void> {
    return this.#serialize(async () => {
      const { db, fleet } = this.#settings;
      const target = await storedTarget(db);
      if (target === null) await storeTarget(db, firstSize);
      const missing = (target ?? firstSize) - (await this.#remaining()).length;
      if (missing > 0) void this.#uncordon(await fleet.start(missing, target ?? firstSize));
    }).then(() => this.follow());
  }

  /** Runs the open job unless it runs already. No effect on a replica that does not lead. */
  follow(): Promise<void> {
    return this.#serialize(async () => {
      const { db, fleet } = this.#settings;
      if (!fleet.leadership.leading) return;
      const open = await openJob(db);
      if (open !== null && open.id !== this.#run?.jobId) this.#runJob(open);
    });
  }

  /** Stops the job in progress and leaves it open for the replica that leads next. */
  async resign(): Promise<void> {
    const run = this.#run;
    run?.abort.abort();
    await run?.done;
  }

  /**
   * Uncordons those of the named runners that are in the fleet. Only jobs cordon runners, and a job that loses simulation or its
   * process leaves them cordoned. No effect while a job runs, or on a replica that does not lead.
   */
  uncordonLeft(names: readonly string[]): Promise<void> {
    return this.#serialize(async () => {
      const { fleet, log, simulation } = this.#settings;
      if (!fleet.leadership.leading || this.#run !== null) return;
      const staying = new Set((await this.#remaining()).map(({ name }) => name));
      const left = names.filter((name) => staying.has(name));
      if (left.length === 0) return;
      await simulation.cordonRunners({ names: left, cordoned: false });
      log.info(`uncordoned ${joinFirst(left, ', ')}, which an interrupted scaling job had left cordoned`);
    });
  }

  /** Records an admin's change, whose job runs in the background. Switches autoscaling off. */
  async request(targetSize: number, user: UserCaller): Promise<{ job: ScalingJob; autoscalingEnded: boolean }> {
    const recorded = await this.#record(targetSize, { user, settingsOf: this.#settings.settingsOf });
    if (recorded === null) throw new Error('a change by an admin depends on no version');
    return recorded;
  }

  /** Records a change by autoscaling. Returns null when its settings have another version now. */
  async requestAutomatically(targetSize: number, version: number, reason: string): Promise<ScalingJob | null> {
    return (await this.#record(targetSize, { version, reason }))?.job ?? null;
  }

  #record(targetSize: number, by: Requester): ReturnType<typeof recordJob> {
    return this.#serialize(async () => {
      const { db, fleet, log, now } = this.#settings;
      const fromSize = (await this.#remaining()).length;
      const recorded = await recordJob(db, { fromSize, targetSize, by }, new Date(now()));
      if (recorded === null || recorded.repeated) return recorded;
      // The last attempt may be seconds old, and the API server reachable again.
      if (fleet.leadership.problem !== '') await fleet.leadership.refresh();
      const { leading, problem } = fleet.leadership;
      if (leading) this.#runJob(recorded.job);
      else if (problem !== '') {
        await this.#fail(recorded.job, new Error(`the fleet cannot be changed: ${problem}`)).catch((error: unknown) => {
          log.error({ err: error }, `storing the end of a scaling job failed: ${messageOf(error)}`);
        });
      }
      return recorded;
    });
  }

  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#requests.then(work);
    this.#requests = done.catch(() => undefined);
    return done;
  }

  /**
   * Runs a job, again while its state cannot be stored: sizes are absolute, so a repetition has the same result. After `maxRefusals` errors
   * that are not transient only the end of the job is tried.
   */
  #runJob(job: ScalingJob): void {
    const before = this.#run;
    before?.abort.abort();
    const abort = new AbortController();
    const done = (async () => {
      await before?.done;
      const { signal } = abort;
      await repeatUntilStored(
        (refusals) => this.#executeJob(job, signal, refusals),
        signal,
        (problem, error) => {
          const message = `storing a scaling job failed, it runs again: ${problem}`;
          this.#settings.log.warn({ err: error, scalingJob: job.id }, message);
        },
      );
      if (this.#run?.abort === abort) this.#run = null;
    })();
    this.#run = { jobId: job.id, abort, done };
  }

  /** Throws JobNotStored. `refusals`: how many earlier runs ended with such an error that was not transient. */
  async #executeJob(job: ScalingJob, signal: AbortSignal, refusals: number): Promise<void> {
    const { db, fleet, log, now } = this.#settings;
    try {
      if (refusals >= maxRefusals) throw new Error(notStoredMessage);
      if (!(await updateJob(db, job.id, { status: 'Running' }))) return;
      const remaining = await this.#remaining();
      const missing = job.targetSize - remaining.length;
      if (missing > 0) void this.#uncordon(await fleet.start(missing, job.targetSize));
      if (missing >= 0) await this.#waitUntilReady(job, signal);
      else await this.#scaleDown(job, -missing, signal);
      if (signal.aborted) return;
      const currentSize = (await this.#remaining()).length;
      await updateJob(db, job.id, { status: 'Finished', currentSize, completedAt: new Date(now()) });
      log.info({ scalingJob: job.id }, `scaling finished: ${currentSize} runners`);
    } catch (error) {
      // The replica that leads now runs the job again.
      if (signal.aborted || !fleet.leadership.leading) return;
      if (error instanceof JobNotStored) throw error;
      await this.#fail(job, error);
    }
  }

  async #fail(job: ScalingJob, error: unknown): Promise<void> {
    const { db, log, now } = this.#settings;
    const errorMessage = messageOf(error);
    await updateJob(db, job.id, { status: 'Failed', errorMessage, completedAt: new Date(now()) });
    log.warn({ err: error, scalingJob: job.id }, `scaling to ${job.targetSize} runners failed: ${errorMessage}`);
  }

  async #waitUntilReady(job: ScalingJob, signal: AbortSignal): Promise<void> {
    const { db, fleet, now, startMs } = this.#settings;
    let deadline = now() + startMs;
    let maxReady = 0;
    for (;;) {
      const runners = (await fleet.runners()).filter((runner) => runner.phase !== 'stopping');
      const reports = await this.#reports().catch((error: unknown) => {
        if (now() >= deadline) throw error;
        return toReports([]);
      });
      const waiting = runners.filter((runner) => runner.phase === 'starting' || !reportOf(runner, reports));
      const ready = runners.length - waiting.length;
      await updateJob(db, job.id, { currentSize: ready });
      if (waiting.length === 0 || signal.aborted) return;
      // Kubernetes creates some 20 pods a second: while further ones become ready, none of the others is late.
      if (ready > maxReady) deadline = now() + startMs;
      maxReady = Math.max(maxReady, ready);
      if (now() >= deadline) throw new Error(notReadyMessage(waiting, startMs));
      await this.#pause(signal);
    }
  }

  async #scaleDown(job: ScalingJob, count: number, signal: AbortSignal): Promise<void> {
    const { db, fleet, simulation, now, drainMs } = this.#settings;
    const runners = await fleet.runners();
    const reports = await this.#reports();
    const views = runners.map((runner) => viewOf(runner, reports));
    const chosen = new Set(chooseToStop(views, count).map((view) => view.runner.name));
    await simulation.cordonRunners({ names: [...chosen], cordoned: true });
    const stopped = new Set<string>();
    try {
      const deadline = now() + drainMs;
      while (stopped.size < chosen.size && !signal.aborted) {
        const left = [...chosen].filter((name) => !stopped.has(name));
        const next = now() >= deadline ? left : await this.#idleOf(left);
        await fleet.stop(next, job.targetSize);
        for (const name of next) stopped.add(name);
        await updateJob(db, job.id, { currentSize: (await this.#remaining()).length });
        if (stopped.size < chosen.size) await this.#pause(signal);
      }
      await this.#waitUntilGone(stopped, signal);
    } finally {
      // Names are reused, and a runner that stays must claim matches again.
      await this.#uncordon([...chosen]);
    }
  }

  /** Returns the named runners without a match. */
  async #idleOf(names: readonly string[]): Promise<string[]> {
    const runners = new Map((await this.#settings.fleet.runners()).map((runner) => [runner.name, runner]));
    const reports = await this.#reports();
    return names.filter((name) => {
      const runner = runners.get(name);
      const state = runner === undefined ? 'stopping' : viewOf(runner, reports).state;
      return state !== 'active' && state !== 'acquired';
    });
  }

  async #waitUntilGone(names: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { fleet, now, stopMs } = this.#settings;
    let deadline = now() + stopMs;
    let minRemaining = names.size;
    for (;;) {
      const remaining = (await fleet.runners()).filter((runner) => names.has(runner.name));
      if (remaining.length === 0 || signal.aborted) return;
      if (remaining.length < minRemaining) deadline = now() + stopMs;
      minRemaining = Math.min(minRemaining, remaining.length);
      if (now() >= deadline) throw new Error(notStoppedMessage(remaining, stopMs));
      await this.#pause(signal);
    }
  }

  /** Returns the runners that are not stopping. */
  async #remaining(): Promise<FleetRunner[]> {
    return (await this.#settings.fleet.runners()).filter((runner) => runner.phase !== 'stopping');
  }

  async #reports(): Promise<Reports> {
    // Untraced, because this is polled while runners start and stop.
    return toReports((await untraced(() => this.#settings.simulation.listRunners({}))).runners);
  }

  async #uncordon(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { simulation, log } = this.#settings;
    await simulation.cordonRunners({ names: [...names], cordoned: false }).catch((error: unknown) => {
      log.warn({ err: error }, `uncordoning ${joinFirst(names, ', ')} failed: ${messageOf(error)}`);
    });
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await pause(this.#settings.pollMs, undefined, { signal }).catch(() => undefined);
  }
}
