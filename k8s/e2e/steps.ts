/** One check on the real cluster. `run` throws if it fails, and may return a short note for the output. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** The later steps need this one: if it fails, they do not run. */
  readonly needed?: boolean;
  /** Runs even if a needed step has failed: removes what earlier steps have started. */
  readonly always?: boolean;
  /** Time limit; default 8. */
  readonly minutes?: number;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** A needed step has failed, so the later ones did not run, except those that always run. */
  readonly stopped: boolean;
}

/**
 * Runs the steps one after the other and prints each with its time. With TEST_RETRY, a step that fails is repeated once, unless later ones
 * need it, and named as flaky if it passes then.
 */
export async function runSteps(steps: readonly Step[]): Promise<StepResult> {
  let passed = 0;
  let failed = 0;
  let stopped = false;
  for (const step of steps) {
    if (stopped && step.always !== true) continue;
    const began = performance.now();
    const first = await attempt(step);
    const repeated = 'why' in first && process.env.TEST_RETRY && step.needed !== true;
    const outcome = repeated ? await attempt(step) : first;
    const took = seconds(performance.now() - began);
    if ('why' in outcome) {
      failed += 1;
      process.stdout.write(`failed: ${step.name} (${took}): ${outcome.why}\n`);
      stopped ||= step.needed === true;
      continue;
    }
    passed += 1;
    if ('why' in first) process.stdout.write(`flaky: ${step.name}: ${first.why}\n`);
    process.stdout.write(`ok      ${step.name} (${took}${outcome.note === '' ? '' : `; ${outcome.note}`})\n`);
  }
  return { passed, failed, stopped };
}

/** Runs a step once within its time limit. Returns its note, or why it failed. */
async function attempt({ run, minutes = 8 }: Step): Promise<{ note: string } | { why: string }> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took longer than ${minutes} minutes`)), minutes * 60_000);
    });
    const note = await Promise.race([run(), late]);
    return { note: typeof note === 'string' ? note : '' };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
