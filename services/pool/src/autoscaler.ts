import { setTimeout as pause } from 'node:timers/promises';
import type { Runner__Output } from '@husky/contracts/types/simulation/v1/Runner';
import { messageOf } from '@husky/runtime/rpc/errors';
import { untraced } from '@husky/runtime/telemetry/trace-context';
import {
  type AutoscalingRules,
  appendToHistory,
  type Decision,
  decide,
  type History,
  type Observation,
} from './domain/autoscaling.ts';
import { type ContainerState, toReports, viewOf } from './domain/containers.ts';
import type { AutoscalingSettings } from './domain/sizes.ts';
import type { Scaler, ScalingContext } from './scaler.ts';
import { type Autoscaling, readAutoscaling } from './store/autoscaling.ts';
import { openJob, storedTarget } from './store/scaling-jobs.ts';

export interface AutoscalerSettings extends ScalingContext {
  readonly scaler: Scaler;
  readonly intervalMs: number;
  readonly pace: Pick<AutoscalingRules, 'upMs' | 'downMs' | 'startMs' | 'assumedRate'>;
}

/** The result of the last evaluation, for RPCs and metrics. */
export interface AutoscalingView extends Omit<Decision, 'state' | 'target'> {
  readonly state: Decision['state'] | 'off';
  readonly atMs: number;
  /** The size requested last. */
  readonly target: number;
  /** Hands by class of the queue. */
  readonly backlog: readonly { readonly kind: string; readonly hands: number }[];
  readonly states: readonly ContainerState[];
}

interface Seen extends Pick<AutoscalingView, 'backlog' | 'target'> {
  readonly observation: Observation;
  /** Names of runners that simulation reports as cordoned. */
  readonly cordoned: readonly string[];
}

const callTimeoutMs = 3000;

/**
 * Evaluates the backlog at an interval and, while autoscaling is on and this process leads, requests the resulting size. The
 * evaluations continue otherwise, for the page and metrics. Each one also reports cordoned runners to the scaler.
 */
export class Autoscaler {
  readonly #settings: AutoscalerSettings;
  readonly #stop = new AbortController();
  readonly #onReports: ((runners: readonly Runner__Output[]) => void)[] = [];
  #loop: Promise<void> = Promise.resolve();
  #evaluation: Promise<void> | null = null;
  #wake = new AbortController();
  #view: AutoscalingView | null = null;
  #history: (History & { readonly version: number }) | null = null;
  #loggedProblem = '';
  #uncordonProblem = '';

  constructor(settings: AutoscalerSettings) {
    this.#settings = settings;
  }

  get view(): AutoscalingView | null {
    return this.#view;
  }

  /** Returns the last view, as `off` if autoscaling was switched off since that evaluation. */
  viewFor(enabled: boolean): AutoscalingView | null {
    const view = this.#view;
    if (enabled || view === null || view.state === 'off') return view;
    return { ...view, state: 'off', reason: reasonWhenOff(view.reason) };
  }

  /** Whether this process acts on its evaluations, and exports them as metrics. */
  get leading(): boolean {
    return this.#settings.fleet.leadership.leading;
  }

  get settingsOf(): AutoscalerSettings['settingsOf'] {
    return this.#settings.settingsOf;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Starts the next evaluation now instead of at the end of the interval. */
  wake(): void {
    this.#wake.abort();
  }

  /** Runs one evaluation, or joins the one in progress. Never rejects. */
  evaluate(): Promise<void> {
    this.#evaluation ??= this.#evaluateOnce().finally(() => {
      this.#evaluation = null;
    });
    return this.#evaluation;
  }

  /** Runs an evaluation that starts after this call, so that it reads settings saved before. */
  async evaluateAfterSave(): Promise<void> {
    await this.#evaluation;
    await this.evaluate();
  }

  /** Registers a listener for simulation's runner list, called at each evaluation. */
  onReports(listener: (runners: readonly Runner__Output[]) => void): void {
    this.#onReports.push(listener);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      await this.evaluate();
      const either = AbortSignal.any([signal, this.#wake.signal]);
      await pause(this.#settings.intervalMs, undefined, { signal: either }).catch(() => undefined);
    }
  }

  async #evaluateOnce(): Promise<void> {
    const { db, log, settingsOf } = this.#settings;
    let enabled = false;
    try {
      const row = await readAutoscaling(db);
      const settings = settingsOf(row);
      enabled = settings.enabled;
      const seen = await this.#observe();
      await this.#decide(row, settings, seen);
      if (seen.cordoned.length > 0) await this.#uncordonLeft(seen.cordoned);
    } catch (error) {
      const reason = `Nothing can be decided: ${messageOf(error)}`;
      if (reason !== this.#loggedProblem) log.warn({ err: error }, `autoscaling: ${reason}`);
      this.#loggedProblem = reason;
      this.#history = null;
      this.#view = { ...this.#unknownView(), state: enabled ? 'stopped' : 'off', reason };
    }
  }

  /** An error changes no decision: the next evaluation tries it again. */
  async #uncordonLeft(names: readonly string[]): Promise<void> {
    const { log, scaler } = this.#settings;
    try {
      await scaler.uncordonLeft(names);
      this.#uncordonProblem = '';
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#uncordonProblem) log.warn({ err: error }, `uncordoning runners failed: ${problem}`);
      this.#uncordonProblem = problem;
    }
  }

  async #decide(row: Autoscaling, settings: AutoscalingSettings, seen: Seen): Promise<void> {
    const { scaler, log, pace } = this.#settings;
    const { observation, backlog, target: requested } = seen;
    const { nowMs } = observation;
    const rules: AutoscalingRules = { ...pace, ...settings };
    const history = this.#historyFor(row, nowMs);
    const decision = decide(observation, rules, history);
    this.#history = { ...appendToHistory(history, nowMs, decision.desired, rules.downMs), version: row.version };
    const { target, ...rest } = decision;
    const states = observation.views.map(({ state }) => state);
    const view = { ...rest, atMs: nowMs, target: requested, backlog, states };
    if (!settings.enabled) {
      this.#view = { ...view, state: 'off', reason: reasonWhenOff(decision.reason) };
      return;
    }
    this.#view = view;
    if (!this.leading) return;
    this.#logDecision(decision);
    if (target === null || this.#stop.signal.aborted) return;
    const job = await scaler.requestAutomatically(target, row.version, decision.reason);
    if (job !== null) log.info({ scalingJob: job.id }, `autoscaling to ${target} runners: ${decision.reason}`);
  }

  async #observe(): Promise<Seen> {
    const { db, fleet, simulation, now } = this.#settings;
    const call = { timeoutMs: callTimeoutMs };
    const [runners, { runners: reports }, { classes }, target, open] = await Promise.all([
      fleet.runners(),
      untraced(() => simulation.listRunners({}, call)),
      untraced(() => simulation.getBacklog({}, call)),
      storedTarget(db),
      openJob(db),
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
    const byName = toReports(reports);
    const views = runners.map((runner) => viewOf(runner, byName));
    const size = views.filter(({ state }) => state !== 'stopping').length;
    const cordoned = reports.filter((report) => report.cordoned).map(({ name }) => name);
    return {
      observation: { nowMs: now(), load, views, size, openJob: open },
      backlog,
      target: target ?? size,
      cordoned,
    };
  }

  /** Returns an empty history after a failed evaluation or a change of the settings. */
  #historyFor(row: Autoscaling, nowMs: number): History {
    const scaledMs = row.scaledAt?.getTime() ?? null;
    if (this.#history?.version === row.version) return { ...this.#history, scaledMs };
    return { sinceMs: nowMs, desiredSizes: [], scaledMs };
  }

  /** Logs a problem once, and its end. */
  #logDecision({ state, reason }: Decision): void {
    const { log } = this.#settings;
    const problem = state === 'stopped' ? reason : '';
    if (problem !== '' && problem !== this.#loggedProblem) log.warn(`autoscaling stopped: ${problem}`);
    if (problem === '' && this.#loggedProblem !== '') log.info(`autoscaling resumed: ${reason}`);
    this.#loggedProblem = problem;
  }

  #unknownView(): Omit<AutoscalingView, 'state' | 'reason'> {
    const { now } = this.#settings;
    return {
      atMs: now(),
      backlogHands: 0,
      rate: 0,
      desired: 0,
      target: this.#view?.target ?? 0,
      backlog: [],
      states: [],
    };
  }
}

/** Returns the reason without its last part, the action, which is not taken while autoscaling is off. */
function reasonWhenOff(reason: string): string {
  return `${(reason.split(';')[0] ?? '').replace(/\.$/, '')}. Autoscaling is off.`;
}
