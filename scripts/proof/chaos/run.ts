import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from './accounts.ts';
import { countSkippedReads } from './check-board.ts';
import { History } from './history.ts';
import { Invariants } from './invariants.ts';
import { describeCounts, K6Load } from './k6-load.ts';
import { Probe, type ProbeResult } from './probe.ts';
import { Random } from './random.ts';
import { type Recovery, recover } from './recovery.ts';
import type { Fault, Step } from './schedule.ts';
import { CannotInject, type Target, type Testbed } from './target.ts';
import { pause, Workload } from './workload.ts';

export interface RunOptions<F extends Fault> {
  readonly seed: number;
  readonly steps: readonly Step<F>[];
  /** No step starts later than this after the first one. */
  readonly maxMs: number;
  /** Folder for history.jsonl and platform.log. */
  readonly folder: string;
  /** Path of k6, which runs beside the load; undefined: it does not. */
  readonly k6: string | undefined;
  readonly print: (line: string) => void;
}

export interface RunOutcome {
  readonly recoveries: readonly Recovery[];
  /** Number of steps with a fault after which all checks passed. */
  readonly passed: number;
  /** Number of steps none of whose faults could be injected; all checks passed after them, too. */
  readonly withoutFault: number;
  /** Number of the step after which a check failed; null if none failed, or only at the end. */
  readonly failedStep: number | null;
  readonly problems: readonly string[];
  /** Number of faults that could not be injected, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  /** Results of the probe by group of faults, one for each step. */
  readonly probeResults: ReadonlyMap<string, readonly ProbeResult[]>;
  readonly summary: string;
}

/** Runs a schedule on a new platform of the testbed and stops at the first violation. */
export async function runSchedule<F extends Fault>(
  testbed: Testbed<F>,
  { seed, steps, maxMs, folder, k6, print }: RunOptions<F>,
): Promise<RunOutcome> {
  mkdirSync(folder, { recursive: true });
  const history = new History(join(folder, 'history.jsonl'));
  const target = await testbed.start((line) => appendFileSync(join(folder, 'platform.log'), `${line}\n`));
  for (const sentence of target.missing) print(sentence);
  const world = await createWorld(target, history).catch(async (error: unknown) => {
    await target.stop();
    throw error;
  });
  const workload = new Workload(world, seed);
  const invariants = new Invariants(world, workload, testbed.patience.jobMs);
  const probe = new Probe(world.admin);
  const probeResults = new Map<string, ProbeResult[]>();
  const recoveries: Recovery[] = [];
  const skipped = new Map<string, number>();
  let passed = 0;
  let withoutFault = 0;
  let failedStep: number | null = null;
  let problems: string[] = [];
  workload.start();
  probe.start();
  const visitors = k6 === undefined ? undefined : K6Load.start(k6, world, folder);
  try {
    const deadline = performance.now() + maxMs;
    for (const step of steps) {
      if (performance.now() > deadline) break;
      await pause(step.afterMs);
      const label = step.faults.map(testbed.describe).join(' and ');
      const startedMs = performance.now();
      history.note({ fault: label, step: step.number, at: startedMs });
      const reasons = await injectAll(step, target, seed);
      for (const reason of reasons) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      const recovery = await recover(() => target.isReady(), world, workload, testbed.patience.recoverMs);
      const probeResult = await probe.since(startedMs);
      const [first, ...others] = step.faults.map(testbed.groupOf);
      const group = first === undefined || others.length > 0 ? 'several faults at once' : first;
      const isInjected = reasons.length < step.faults.length;
      if (isInjected) probeResults.set(group, [...(probeResults.get(group) ?? []), probeResult]);
      problems = typeof recovery === 'string' ? [recovery] : await invariants.check();
      if (typeof recovery !== 'string') recoveries.push(recovery);
      const figures = [
        describeRecovery(recovery),
        `${probeResult.failed} of ${probeResult.requests} reads failed`,
        ...(visitors ? [describeCounts(visitors.since(startedMs))] : []),
      ];
      const skippedNote = isInjected ? '' : ' (skipped)';
      print(`${String(step.number).padStart(3)} ${label}${skippedNote}: ${figures.join(', ')}`);
      if (problems.length > 0) {
        failedStep = step.number;
        break;
      }
      if (isInjected) passed += 1;
      else withoutFault += 1;
    }
    if (problems.length === 0) problems = visitors?.problems ?? [];
    const k6Summary = visitors ? `; ${visitors.summary}` : '';
    await Promise.all([workload.stop(), probe.stop(), visitors?.stop()]);
    if (problems.length === 0) problems = await invariants.checkAtRest(target.databaseUrl());
    const jobs = [...workload.jobs.values()];
    const failed = jobs.filter(({ state }) => state === 'Failed').length;
    const skippedReads = countSkippedReads(history.calls);
    const summary =
      `${history.calls.length} calls, ${jobs.length} jobs, ${invariants.verified} of them dealt again, ${failed} failed; ` +
      `${skippedReads} reads of the board not checked, because too many results were in doubt${k6Summary}`;
    return { recoveries, passed, withoutFault, failedStep, problems, skipped, probeResults, summary };
  } finally {
    await Promise.all([workload.stop(), probe.stop(), visitors?.stop()]);
    await target.stop();
  }
}

const describeRecovery = (recovery: Recovery | string) =>
  typeof recovery === 'string'
    ? recovery
    : `available after ${seconds(recovery.availableMs)}, plays after ${seconds(recovery.playsMs)}`;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Injects the faults of a step concurrently. Returns the reasons of those that could not be injected. */
async function injectAll<F extends Fault>(
  { number, faults }: Step<F>,
  target: Target<F>,
  seed: number,
): Promise<string[]> {
  const reasons: string[] = [];
  const one = async (fault: F, index: number) => {
    try {
      // A separate generator, so that skipping a step does not change the choices of the others.
      await target.inject(fault, new Random(seed + 1000 * number + index));
    } catch (error) {
      if (!(error instanceof CannotInject)) throw error;
      reasons.push(`${fault.kind}: ${error.message}`);
    }
  };
  await Promise.all(faults.map(one));
  return reasons;
}
