// Runs a seeded schedule of faults against a platform under a light load, and checks after each step that nothing is lost, duplicated or
// stuck. SEED, FAULTS; KINDS=kill,stop or -clock; ONLY=3,7: only these steps; MINUTES: no step starts later; SHRINK_RUNS: maximum number of
// runs that shrink a failing schedule; K6=0: no k6 beside the load; CHAOS_DIR: folder for histories and logs. Last line: N passed, N failed.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExistingK6, findK6 } from '../load/k6.ts';
import { MissingProgram } from '../test/optional-program.ts';
import type { ProbeResult } from './probe.ts';
import { type RunOptions, type RunOutcome, runSchedule } from './run.ts';
import { type Fault, filterKinds, type Step } from './schedule.ts';
import { shrink } from './shrink.ts';
import type { Testbed } from './target.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Reads an integer from the environment. Throws RangeError for an invalid value. */
function readNumber(name: string, fallback: number, max: number): number {
  const text = process.env[name] || String(fallback);
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be an integer from 0 to ${max}, not ${text}.`);
  return value;
}

function selectSteps<F extends Fault>(testbed: Testbed<F>, seed: number, faults: number): Step<F>[] {
  const all = testbed.createSchedule(seed, faults);
  const steps = process.env.KINDS ? filterKinds(all, process.env.KINDS, testbed.kinds) : all;
  const only = process.env.ONLY;
  if (!only) return steps;
  const numbers = only.split(',').map(Number);
  const unknown = numbers.filter((number) => !steps.some((step) => step.number === number));
  if (unknown.length > 0) throw new RangeError(`ONLY must name steps from 1 to ${faults}, such as 3,7; not ${only}.`);
  return steps.filter(({ number }) => numbers.includes(number));
}

const percentile = (values: readonly number[], share: number): string => {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / 1000).toFixed(1);
};

function report({ recoveries, problems, skipped, probeResults, summary }: RunOutcome): void {
  print(summary);
  for (const [label, times] of [
    ['available again', recoveries.map(({ availableMs }) => availableMs)],
    ['plays again', recoveries.map(({ playsMs }) => playsMs)],
  ] as const) {
    print(
      `${label}: p50 ${percentile(times, 0.5)} s, p95 ${percentile(times, 0.95)} s, worst ${percentile(times, 1)} s`,
    );
  }
  for (const [group, steps] of probeResults) {
    const sum = (select: (step: ProbeResult) => number) => steps.reduce((total, step) => total + select(step), 0);
    const outage = percentile(
      steps.map(({ outageMs }) => outageMs),
      1,
    );
    const failed = `${sum((step) => step.failed)} of ${sum((step) => step.requests)} reads failed`;
    print(`${group}: ${steps.length} times, ${failed}, longest from the first to the last ${outage} s`);
  }
  for (const [reason, times] of skipped) print(`skipped ${times} times: ${reason}`);
  for (const problem of problems.slice(0, 20)) print(`VIOLATION: ${problem}`);
}

async function runWith<F extends Fault>(testbed: Testbed<F>): Promise<number> {
  const seed = readNumber('SEED', randomInt(1_000_000), 2 ** 31);
  const faults = readNumber('FAULTS', 25, 10_000);
  const shrinkRuns = readNumber('SHRINK_RUNS', testbed.shrinkRuns, 1000);
  const maxMs = readNumber('MINUTES', 600, 10_000) * 60_000;
  const steps = selectSteps(testbed, seed, faults);
  const k6 = process.env.K6 ? (readNumber('K6', 0, 1) === 1 ? findK6() : undefined) : findExistingK6();
  const requestedFolder = process.env.CHAOS_DIR;
  const folder = requestedFolder || mkdtempSync(join(tmpdir(), 'husky-chaos-history-'));
  print(`seed ${seed}, ${steps.length} steps; history and log in ${folder}`);
  const startedMs = performance.now();
  const outcome = await runSchedule(testbed, { seed, steps, maxMs, folder: join(folder, 'run'), k6, print });
  report(outcome);
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const failed = outcome.problems.length > 0 ? 1 : 0;
  if (failed > 0) await shrinkFailure(testbed, { seed, k6, folder }, steps, outcome, shrinkRuns);
  else if (!requestedFolder) rmSync(folder, { recursive: true, force: true });
  const { passed, withoutFault, failedStep } = outcome;
  const done = passed + withoutFault + (failedStep === null ? 0 : 1);
  print(`${done} of ${steps.length} steps in ${minutes} minutes, ${withoutFault} of them without a fault`);
  print(`${passed + (failed > 0 ? 0 : 1)} passed, ${failed} failed`);
  return failed;
}

async function shrinkFailure<F extends Fault>(
  testbed: Testbed<F>,
  { seed, k6, folder }: Pick<RunOptions<F>, 'seed' | 'k6' | 'folder'>,
  steps: readonly Step<F>[],
  outcome: RunOutcome,
  maxRuns: number,
): Promise<void> {
  const last = steps.findIndex(({ number }) => number === outcome.failedStep);
  const failing = last < 0 ? steps : steps.slice(0, last + 1);
  let run = 0;
  const fails = async (subset: readonly Step<F>[]) => {
    run += 1;
    print(`shrinking: ${subset.map(({ number }) => number).join(',')}`);
    const options = {
      seed,
      steps: subset,
      maxMs: Number.POSITIVE_INFINITY,
      folder: join(folder, `shrink-${run}`),
      k6,
      print: () => undefined,
    };
    const { problems } = await runSchedule(testbed, options);
    return problems.length > 0;
  };
  const smallest = maxRuns === 0 ? failing : await shrink(failing, fails, maxRuns);
  const only = smallest.map(({ number }) => number).join(',');
  const kinds = process.env.KINDS ? ` KINDS=${process.env.KINDS}` : '';
  print(
    `reproduce: K6=${k6 === undefined ? 0 : 1} ${testbed.command} SEED=${seed} FAULTS=${steps.at(-1)?.number ?? 0}${kinds} ONLY=${only} SHRINK_RUNS=0`,
  );
}

/** Runs the schedule that the environment variables select, and sets the exit code. */
export async function runChaos<F extends Fault>(testbed: Testbed<F>): Promise<void> {
  try {
    process.exitCode = await runWith(testbed);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof MissingProgram)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  }
}
