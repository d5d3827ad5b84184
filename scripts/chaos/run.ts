import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from './accounts.ts';
import { History } from './history.ts';
import { CannotInject, inject } from './inject.ts';
import { Invariants } from './invariants.ts';
import { Random } from './random.ts';
import { type Recovery, recover } from './recovery.ts';
import { describeFault, type Fault, type Step } from './schedule.ts';
import { startTarget, type Target } from './target.ts';
import { pause, Workload } from './workload.ts';

export interface RunOptions {
  readonly seed: number;
  readonly steps: readonly Step[];
  /** Folder for history.jsonl and platform.log. */
  readonly folder: string;
  readonly say: (line: string) => void;
}

export interface RunOutcome {
  readonly recoveries: readonly Recovery[];
  /** Steps after which everything was as it must be. */
  readonly passed: number;
  /** Number of the first step after which something was wrong; null: at the end, or never. */
  readonly failedStep: number | null;
  readonly problems: readonly string[];
  /** Faults that could not be made, by reason. */
  readonly skipped: ReadonlyMap<string, number>;
  readonly summary: string;
}

/** Runs a schedule on a platform of its own and stops at the first violation. */
export async function runSchedule({ seed, steps, folder, say }: RunOptions): Promise<RunOutcome> {
  mkdirSync(folder, { recursive: true });
  const history = new History(join(folder, 'history.jsonl'));
  const target = await startTarget((line) => appendFileSync(join(folder, 'platform.log'), `${line}\n`));
  if (typeof target.disk === 'string') say(`no fault fills the disk: ${target.disk}`);
  if (typeof target.clocks === 'string') say(`no fault moves a clock: ${target.clocks}`);
  const world = await createWorld(target, history).catch(async (error: unknown) => {
    await target.stop();
    throw error;
  });
  const workload = new Workload(world, seed);
  const invariants = new Invariants(world, workload);
  const recoveries: Recovery[] = [];
  const skipped = new Map<string, number>();
  let passed = 0;
  let failedStep: number | null = null;
  let problems: string[] = [];
  workload.start();
  try {
    for (const step of steps) {
      await pause(step.afterMs);
      const label = step.faults.map(describeFault).join(' and ');
      history.note({ fault: label, step: step.number, at: performance.now() });
      for (const reason of await injectAll(step, target, seed)) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      const recovery = await recover(target, world, workload);
      problems = typeof recovery === 'string' ? [recovery] : await invariants.check();
      if (typeof recovery !== 'string') recoveries.push(recovery);
      say(`${String(step.number).padStart(3)} ${label}: ${shown(recovery)}`);
      if (problems.length > 0) {
        failedStep = step.number;
        break;
      }
      passed += 1;
    }
    await workload.stop();
    if (problems.length === 0) problems = await invariants.checkAtRest(target.databaseUrl());
    const jobs = [...workload.jobs.values()];
    const failed = jobs.filter(({ state }) => state === 'Failed').length;
    const summary = `${history.calls.length} calls, ${jobs.length} jobs, ${invariants.verified} of them dealt again, ${failed} failed`;
    return { recoveries, passed, failedStep, problems, skipped, summary };
  } finally {
    await workload.stop();
    await target.stop();
  }
}

const shown = (recovery: Recovery | string) =>
  typeof recovery === 'string'
    ? recovery
    : `answers after ${seconds(recovery.answersMs)}, plays after ${seconds(recovery.playsMs)}`;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Makes the faults of a step at once. Returns the reasons of those that could not be made. */
async function injectAll({ number, faults }: Step, target: Target, seed: number): Promise<string[]> {
  const reasons: string[] = [];
  const one = async (fault: Fault, index: number) => {
    try {
      // A generator of its own: leaving a step out does not change the choices of the others.
      await inject(fault, target, new Random(seed + 1000 * number + index));
    } catch (error) {
      if (!(error instanceof CannotInject)) throw error;
      reasons.push(`${fault.kind}: ${error.message}`);
    }
  };
  await Promise.all(faults.map(one));
  return reasons;
}
