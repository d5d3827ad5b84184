import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createWorld } from './accounts.ts';
import { countSkippedReads } from './check-board.ts';
import { describeFault, type Step } from './faults.ts';
import { History } from './history.ts';
import { CannotInject } from './inject.ts';
import { Invariants } from './invariants.ts';
import { startTarget, type Target } from './machine.ts';
import { Random } from './random.ts';
import { type Recovery, recover } from './recovery.ts';
import { pause, Workload } from './workload.ts';

// The time of two lease expiries, because a second fault may hit the next attempt.
const maxRecoveryMs = 120_000;
// Jobs of a batch wait for each other, for minutes on a busy machine.
const maxJobMs = 300_000;

export interface RunOutcome {
  readonly recoveries: readonly Recovery[];
  /** Number of steps with a fault after which all checks passed. */
  readonly passed: number;
  /** Number of steps none of whose faults could be injected; all checks passed after them, too. */
  readonly withoutFault: number;
  /** Number of the step after which a check failed; null if none failed, or only at the end. */
  readonly failedStep: number | null;
  readonly problems: readonly string[];
  readonly summary: string;
}

/** Runs a schedule on a new platform and stops at the first violation. `folder`: for history.jsonl and platform.log. */
export async function runSchedule(
  seed: number,
  steps: readonly Step[],
  folder: string,
  print: (line: string) => void,
): Promise<RunOutcome> {
  mkdirSync(folder, { recursive: true });
  const history = new History(join(folder, 'history.jsonl'));
  const target = await startTarget((line) => appendFileSync(join(folder, 'platform.log'), `${line}\n`));
  if (target.clockProblem !== undefined) print(`no fault moves a clock: ${target.clockProblem}`);
  const world = await createWorld(target, history).catch(async (error: unknown) => {
    await target.stop();
    throw error;
  });
  const workload = new Workload(world, seed);
  const invariants = new Invariants(world, workload, maxJobMs);
  const recoveries: Recovery[] = [];
  let passed = 0;
  let withoutFault = 0;
  let failedStep: number | null = null;
  let problems: string[] = [];
  workload.start();
  try {
    for (const step of steps) {
      await pause(step.afterMs);
      const label = step.faults.map(describeFault).join(' and ');
      history.note({ fault: label, step: step.number, at: performance.now() });
      const reasons = await injectAll(step, target, seed);
      const recovery = await recover(target.isReady, world, workload, maxRecoveryMs);
      problems = typeof recovery === 'string' ? [recovery] : await invariants.check();
      if (typeof recovery !== 'string') recoveries.push(recovery);
      const skipped = reasons.map((reason) => ` (skipped ${reason})`).join('');
      print(`${String(step.number).padStart(3)} ${label}${skipped}: ${describeRecovery(recovery)}`);
      if (problems.length > 0) {
        failedStep = step.number;
        break;
      }
      if (reasons.length < step.faults.length) passed += 1;
      else withoutFault += 1;
    }
    await workload.stop();
    if (problems.length === 0) problems = await invariants.checkAtRest(target.databaseUrl());
    const jobs = [...workload.jobs.values()];
    const failed = jobs.filter(({ state }) => state === 'Failed').length;
    const summary =
      `${history.calls.length} calls, ${jobs.length} jobs, ${invariants.verified} of them dealt again, ${failed} failed; ` +
      `${countSkippedReads(history.calls)} reads of the board not checked, because too many results were in doubt`;
    return { recoveries, passed, withoutFault, failedStep, problems, summary };
  } finally {
    await workload.stop();
    await target.stop();
  }
}

const describeRecovery = (recovery: Recovery | string) =>
  typeof recovery === 'string'
    ? recovery
    : `available after ${seconds(recovery.availableMs)}, plays after ${seconds(recovery.playsMs)}`;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Injects the faults of a step concurrently. Returns the reasons of those that could not be injected. */
async function injectAll({ number, faults }: Step, target: Target, seed: number): Promise<string[]> {
  const reasons: string[] = [];
  const one = async (fault: Step['faults'][number], index: number) => {
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
