import { setTimeout as pause } from 'node:timers/promises';
import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import { messageOf } from '@husky/runtime/errors';
import type { RpcClient } from '@husky/runtime/grpc-client';
import type { Logger } from '@husky/runtime/logger';
import {
  type AutoscalingRules,
  type Decision,
  decide,
  remember,
  type Sight,
  type Trail,
} from './domain/autoscaling.ts';
import type { AutoscalingSettings } from './domain/autoscaling-settings.ts';
import { type ContainerState, viewOf } from './domain/containers.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { Scaler } from './scaler.ts';
import { type Autoscaling, readAutoscaling } from './store/autoscaling.ts';
import type { Database } from './store/database.ts';
import { openJob, storedTarget } from './store/scaling-jobs.ts';

export interface AutoscalerSettings {
  readonly db: Database;
  readonly fleet: Fleet;
  readonly scaler: Scaler;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly log: Logger;
  readonly now: () => number;
  readonly everyMs: number;
  readonly pace: Pick<AutoscalingRules, 'upMs' | 'downMs' | 'startMs' | 'assumedRate'>;
  readonly settingsOf: (row: Autoscaling) => AutoscalingSettings;
}

/** What the last look has come to. */
export interface AutoscalingView extends Omit<Decision, 'state' | 'target'> {
  readonly state: Decision['state'] | 'off';
  readonly atMs: number;
  /** The size asked for last. */
  readonly target: number;
  /** By class, for the gauges. */
  readonly backlog: readonly { readonly kind: string; readonly hands: number }[];
  readonly states: readonly ContainerState[];
}

const callMs = 3000;

/** Looks at the backlog again and again, and has the fleet scaled while that is switched on. Looks while it is off too. */
export class Autoscaler {
  readonly #settings: AutoscalerSettings;
  readonly #stop = new AbortController();
  readonly #onReports: ((runners: readonly Runner__Output[]) => void)[] = [];
  #loop: Promise<void> = Promise.resolve();
  #look: Promise<void> | null = null;
  #kick = new AbortController();
  #view: AutoscalingView | null = null;
  #trail: (Trail & { readonly version: number }) | null = null;
  #told = '';

  constructor(settings: AutoscalerSettings) {
    this.#settings = settings;
  }

  get view(): AutoscalingView | null {
    return this.#view;
  }

  /** The same, by whether autoscaling is on now, which may have changed since that look. */
  viewWhile(enabled: boolean): AutoscalingView | null {
    const view = this.#view;
    if (enabled || view === null || view.state === 'off') return view;
    return { ...view, state: 'off', reason: whenOff(view.reason) };
  }

  get settingsOf(): AutoscalerSettings['settingsOf'] {
    return this.#settings.settingsOf;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Looks soon, without waiting for the pause to end. */
  kick(): void {
    this.#kick.abort();
  }

  /** Looks now, and answers when that is done; never rejects. */
  look(): Promise<void> {
    this.#look ??= this.#lookOnce().finally(() => {
      this.#look = null;
    });
    return this.#look;
  }

  /** Looks now, and not only by a look that had begun before and may not have seen what was saved meanwhile. */
  async lookAnew(): Promise<void> {
    await this.#look;
    await this.look();
  }

  /** Called with what simulation says of the runners, at each look. */
  onReports(listener: (runners: readonly Runner__Output[]) => void): void {
    this.#onReports.push(listener);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.kick();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#kick = new AbortController();
      await this.look();
      const either = AbortSignal.any([signal, this.#kick.signal]);
      await pause(this.#settings.everyMs, undefined, { signal: either }).catch(() => undefined);
    }
  }

  async #lookOnce(): Promise<void> {
    const { db, log, settingsOf } = this.#settings;
    let enabled = false;
    try {
      const row = await readAutoscaling(db);
      const settings = settingsOf(row);
      enabled = settings.enabled;
      await this.#decide(row, settings);
    } catch (error) {
      // What was seen before stands for the gauges; nothing is done on it.
      const reason = `Nothing can be decided: ${messageOf(error)}`;
      if (reason !== this.#told) log.warn({ err: error }, `autoscaling: ${reason}`);
      this.#told = reason;
      this.#trail = null;
      this.#view = { ...this.#blind(), state: enabled ? 'stopped' : 'off', reason };
    }
  }

  async #decide(row: Autoscaling, settings: AutoscalingSettings): Promise<void> {
    const { scaler, log, pace } = this.#settings;
    const { sight, backlog, target: asked } = await this.#see();
    const rules: AutoscalingRules = { ...pace, ...settings };
    const trail = this.#trailFor(row, sight.nowMs);
    const decision = decide(sight, rules, trail);
    this.#trail = { ...remember(trail, sight.nowMs, decision.wanted, rules.downMs), version: row.version };
    const { target, ...rest } = decision;
    const states = sight.views.map(({ state }) => state);
    const seen = { ...rest, atMs: sight.nowMs, target: asked, backlog, states };
    if (!settings.enabled) {
      this.#view = { ...seen, state: 'off', reason: whenOff(decision.reason) };
      return;
    }
    this.#view = seen;
    this.#tell(decision);
    if (target === null || this.#stop.signal.aborted) return;
    const job = await scaler.requestByItself(target, row.version, decision.reason);
    if (job !== null) log.info({ scalingJob: job.id }, `autoscaling to ${target} runners: ${decision.reason}`);
  }

  async #see(): Promise<{ sight: Sight } & Pick<AutoscalingView, 'backlog' | 'target'>> {
    const { db, fleet, simulation, now } = this.#settings;
    const call = { timeoutMs: callMs };
    const [runners, { runners: reports }, { classes }, target, open] = await Promise.all([
      ...([fleet.runners(), simulation.listRunners({}, call), simulation.getBacklog({}, call)] as const),
      ...([storedTarget(db), openJob(db)] as const),
    ]);
    for (const listener of this.#onReports) listener(reports);
    if (fleet.problem !== '') throw new Error(fleet.problem);
    const load = classes.map((one) => ({
      jobs: one.queuedJobs + one.runningJobs,
      hands: one.queuedHands + one.runningHands,
      measuredHands: one.measuredHands,
      measuredSeconds: one.measuredSeconds,
    }));
    const backlog = classes.map(({ kind }, index) => ({ kind, hands: load[index]?.hands ?? 0 }));
    const views = runners.map((runner) => viewOf(runner, reports));
    const size = views.filter(({ state }) => state !== 'stopping').length;
    return { sight: { nowMs: now(), load, views, size, openJob: open }, backlog, target: target ?? size };
  }

  /** What was wanted by other settings, or before a gap, says nothing. */
  #trailFor(row: Autoscaling, nowMs: number): Trail {
    const scaledMs = row.scaledAt?.getTime() ?? null;
    if (this.#trail?.version === row.version) return { ...this.#trail, scaledMs };
    return { sinceMs: nowMs, wants: [], scaledMs };
  }

  #tell({ state, reason }: Decision): void {
    if (state === 'stopped') {
      if (reason !== this.#told) this.#settings.log.warn(`autoscaling: ${reason}`);
      this.#told = reason;
    } else {
      if (this.#told !== '') this.#settings.log.info(`autoscaling goes on: ${reason}`);
      this.#told = '';
    }
  }

  #blind(): Omit<AutoscalingView, 'state' | 'reason'> {
    const { now } = this.#settings;
    return {
      atMs: now(),
      backlogHands: 0,
      rate: 0,
      wanted: 0,
      target: this.#view?.target ?? 0,
      backlog: [],
      states: [],
    };
  }
}

/** Only what is wanted, without what would be done about it. */
function whenOff(reason: string): string {
  return `${(reason.split(';')[0] ?? '').replace(/\.$/, '')}. Autoscaling is off.`;
}
