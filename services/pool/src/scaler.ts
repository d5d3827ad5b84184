import { setTimeout as pause } from 'node:timers/promises';
import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { UserCaller } from '@husky/runtime/caller';
import { messageOf } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import type { Logger } from '@husky/runtime/logger';
import type { AutoscalingSettings } from './domain/autoscaling-settings.ts';
import { chooseToStop, reportOf, viewOf } from './domain/containers.ts';
import type { Fleet, FleetRunner } from './fleet/fleet.ts';
import type { Autoscaling } from './store/autoscaling.ts';
import type { Database } from './store/database.ts';
import {
  openJob,
  recordJob,
  type ScaledBy,
  type ScalingJob,
  storedTarget,
  storeTarget,
  updateJob,
} from './store/scaling-jobs.ts';

export interface ScalerSettings {
  readonly db: Database;
  readonly fleet: Fleet;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly log: Logger;
  readonly now: () => number;
  /** How long new runners have until simulation has seen them. */
  readonly startMs: number;
  /** How long cordoned runners may play their match to the end before they hand it back. */
  readonly drainMs: number;
  /** How long a runner told to stop may take. */
  readonly stopMs: number;
  readonly pollMs: number;
  /** What holds of autoscaling by its row. */
  readonly settingsOf: (row: Autoscaling) => AutoscalingSettings;
}

/** Brings the fleet to the size that was asked for last, one change at a time; a newer one ends the one in progress. */
export class Scaler {
  readonly #settings: ScalerSettings;
  #run: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;
  #requests: Promise<unknown> = Promise.resolve();

  constructor(settings: ScalerSettings) {
    this.#settings = settings;
  }

  /** Starts what is missing of the runners wanted last (`firstSize` the first time) and takes up a change left open. */
  begin(firstSize: number): Promise<void> {
    return this.#inTurn(async () => {
      const { db, fleet } = this.#settings;
      const target = await storedTarget(db);
      if (target === null) await storeTarget(db, firstSize);
      const missing = (target ?? firstSize) - (await this.#staying()).length;
      if (missing > 0) void this.#uncordon(await fleet.start(missing));
      const left = await openJob(db);
      if (left !== null) this.#carryOn(left);
    });
  }

  /** Records the change that an admin wants and answers; it is carried out in the background. Autoscaling ends. */
  async request(targetSize: number, user: UserCaller): Promise<{ job: ScalingJob; autoscalingEnded: boolean }> {
    const recorded = await this.#record(targetSize, { user, settingsOf: this.#settings.settingsOf });
    if (recorded === null) throw new Error('a change by hand depends on no version');
    return recorded;
  }

  /** The same for autoscaling; null when its settings are of another version by now. */
  async requestByItself(targetSize: number, version: number, reason: string): Promise<ScalingJob | null> {
    return (await this.#record(targetSize, { version, reason }))?.job ?? null;
  }

  #record(targetSize: number, by: ScaledBy): ReturnType<typeof recordJob> {
    return this.#inTurn(async () => {
      const { db, now } = this.#settings;
      const fromSize = (await this.#staying()).length;
      const recorded = await recordJob(db, { fromSize, targetSize, by }, new Date(now()));
      if (recorded !== null) this.#carryOn(recorded.job);
      return recorded;
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#requests.then(work);
    this.#requests = done.catch(() => undefined);
    return done;
  }

  /** Leaves the change in progress open, for the next start. */
  async close(): Promise<void> {
    this.#run?.abort.abort();
    await this.#run?.done;
  }

  #carryOn(job: ScalingJob): void {
    const before = this.#run;
    before?.abort.abort();
    const abort = new AbortController();
    const done = (async () => {
      await before?.done;
      await this.#carryOut(job, abort.signal);
    })();
    this.#run = { abort, done };
  }

  async #carryOut(job: ScalingJob, signal: AbortSignal): Promise<void> {
    const { db, fleet, log, now } = this.#settings;
    try {
      if (signal.aborted) return;
      await updateJob(db, job.id, { status: 'Running' });
      const staying = await this.#staying();
      const missing = job.targetSize - staying.length;
      if (missing > 0) void this.#uncordon(await fleet.start(missing));
      if (missing >= 0) await this.#untilReady(job, signal);
      else await this.#shrink(job, -missing, signal);
      if (signal.aborted) return;
      const currentSize = (await this.#staying()).length;
      await updateJob(db, job.id, { status: 'Finished', currentSize, completedAt: new Date(now()) });
      log.info({ scalingJob: job.id }, `the fleet has ${currentSize} runners`);
    } catch (error) {
      if (signal.aborted) return;
      const errorMessage = messageOf(error);
      log.warn({ err: error, scalingJob: job.id }, `scaling to ${job.targetSize} runners failed: ${errorMessage}`);
      const end = { status: 'Failed', errorMessage, completedAt: new Date(now()) };
      await updateJob(db, job.id, end).catch((cause: unknown) => {
        log.error({ err: cause }, `the end of a scaling job could not be stored: ${messageOf(cause)}`);
      });
    }
  }

  async #untilReady(job: ScalingJob, signal: AbortSignal): Promise<void> {
    const { fleet, now, startMs } = this.#settings;
    const until = now() + startMs;
    for (;;) {
      const runners = (await fleet.runners()).filter((runner) => runner.phase !== 'stopping');
      const reports = await this.#reports().catch((error: unknown) => {
        if (now() >= until) throw error;
        return [];
      });
      const waiting = runners.filter((runner) => runner.phase === 'starting' || !reportOf(runner, reports));
      await this.#progress(job, runners.length - waiting.length);
      if (waiting.length === 0 || signal.aborted) return;
      if (now() >= until) throw new Error(notReady(waiting, startMs));
      await this.#pause(signal);
    }
  }

  async #shrink(job: ScalingJob, count: number, signal: AbortSignal): Promise<void> {
    const { fleet, now, drainMs } = this.#settings;
    const runners = await fleet.runners();
    const reports = await this.#reports();
    const views = runners.map((runner) => viewOf(runner, reports));
    const leaving = new Set(chooseToStop(views, count).map((view) => view.runner.name));
    await this.#settings.simulation.cordonRunners({ names: [...leaving], cordoned: true });
    const told = new Set<string>();
    try {
      const until = now() + drainMs;
      while (told.size < leaving.size && !signal.aborted) {
        const due = now() >= until ? [...leaving] : await this.#idleOf([...leaving]);
        const next = due.filter((name) => !told.has(name));
        await fleet.stop(next);
        for (const name of next) told.add(name);
        await this.#progress(job, (await this.#staying()).length);
        if (told.size < leaving.size) await this.#pause(signal);
      }
      await this.#untilGone([...told], signal);
    } finally {
      // A name may be taken again; one that stays goes on claiming.
      await this.#uncordon([...leaving]);
    }
  }

  /** Those of the names that have no match, as simulation says now. */
  async #idleOf(names: readonly string[]): Promise<string[]> {
    const runners = await this.#settings.fleet.runners();
    const reports = await this.#reports();
    return names.filter((name) => {
      const runner = runners.find((candidate) => candidate.name === name);
      const state = runner === undefined ? 'stopping' : viewOf(runner, reports).state;
      return state !== 'active' && state !== 'acquired';
    });
  }

  async #untilGone(names: readonly string[], signal: AbortSignal): Promise<void> {
    const { fleet, now, stopMs } = this.#settings;
    const until = now() + stopMs;
    for (;;) {
      const left = (await fleet.runners()).filter((runner) => names.includes(runner.name));
      if (left.length === 0 || signal.aborted) return;
      if (now() >= until) {
        throw new Error(`${left.map((runner) => runner.name).join(', ')} did not stop within ${stopMs / 1000} s`);
      }
      await this.#pause(signal);
    }
  }

  async #staying(): Promise<FleetRunner[]> {
    return (await this.#settings.fleet.runners()).filter((runner) => runner.phase !== 'stopping');
  }

  async #reports(): Promise<Runner__Output[]> {
    return (await this.#settings.simulation.listRunners({})).runners;
  }

  async #progress(job: ScalingJob, currentSize: number): Promise<void> {
    await updateJob(this.#settings.db, job.id, { currentSize });
  }

  async #uncordon(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const { simulation, log } = this.#settings;
    await simulation.cordonRunners({ names: [...names], cordoned: false }).catch((error: unknown) => {
      log.warn({ err: error }, `${names.join(', ')} may still be cordoned: ${messageOf(error)}`);
    });
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await pause(this.#settings.pollMs, undefined, { signal }).catch(() => undefined);
  }
}

function notReady(waiting: readonly FleetRunner[], startMs: number): string {
  const reasons = waiting.map(
    (runner) => `${runner.name}: ${runner.problem || 'it has not asked for work yet, see its log'}`,
  );
  return `${waiting.length} runner(s) did not become ready within ${startMs / 1000} s: ${reasons.join('; ')}`;
}
