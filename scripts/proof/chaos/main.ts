// `make chaos`: runs a seeded schedule of faults against a separate platform under a light load, and checks after each step that nothing is
// lost, duplicated or stuck. SEED, FAULTS; ONLY=3,7: only these steps; CHAOS_DIR: folder for history and log. Last line: N passed, N failed.
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '../bench/machine.ts';
import { createSchedule, type Step } from './faults.ts';
import { runSchedule } from './run.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Reads an integer from the environment. Throws RangeError for an invalid value. */
function readNumber(name: string, fallback: number, max: number): number {
  const text = process.env[name] || String(fallback);
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new RangeError(`${name} must be an integer from 0 to ${max}, not ${text}.`);
  return value;
}

function selectSteps(seed: number, faults: number): Step[] {
  const steps = createSchedule(seed, faults);
  const only = process.env.ONLY;
  if (!only) return steps;
  const numbers = only.split(',').map(Number);
  if (numbers.some((number) => !steps.some((step) => step.number === number)))
    throw new RangeError(`ONLY must name steps from 1 to ${faults}, such as 3,7; not ${only}.`);
  return steps.filter(({ number }) => numbers.includes(number));
}

function describeTimes(label: string, timesMs: readonly number[]): string {
  const at = (share: number) => `${((quantile(timesMs, share) || 0) / 1000).toFixed(1)} s`;
  return `${label}: p50 ${at(0.5)}, p95 ${at(0.95)}, worst ${at(1)}`;
}

async function run(): Promise<number> {
  const seed = readNumber('SEED', randomInt(1_000_000), 2 ** 31);
  const faults = readNumber('FAULTS', 25, 10_000);
  const steps = selectSteps(seed, faults);
  const folder = process.env.CHAOS_DIR || mkdtempSync(join(tmpdir(), 'husky-chaos-history-'));
  print(`seed ${seed}, ${steps.length} steps; history and log in ${folder}`);
  const startedMs = performance.now();
  const outcome = await runSchedule(seed, steps, folder, print);
  const { recoveries, passed, withoutFault, failedStep, problems, summary } = outcome;
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  print(summary);
  print(
    describeTimes(
      'available again',
      recoveries.map(({ availableMs }) => availableMs),
    ),
  );
  print(
    describeTimes(
      'plays again',
      recoveries.map(({ playsMs }) => playsMs),
    ),
  );
  for (const problem of problems.slice(0, 20)) print(`VIOLATION: ${problem}`);
  const failed = problems.length > 0 ? 1 : 0;
  if (failed > 0) print(`reproduce: make chaos SEED=${seed} FAULTS=${failedStep ?? faults}`);
  else if (!process.env.CHAOS_DIR) rmSync(folder, { recursive: true, force: true });
  const done = passed + withoutFault + (failedStep === null ? 0 : 1);
  print(`${done} of ${steps.length} steps in ${minutes} minutes, ${withoutFault} of them without a fault`);
  print(`${passed + (failed > 0 ? 0 : 1)} passed, ${failed} failed`);
  return failed;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
