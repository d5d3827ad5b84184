/** One check on the real cluster. `run` throws if the check fails, and may return a short note to print. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** If this step fails, later steps do not run. */
  readonly required?: boolean;
  /** Runs even if a required step has failed, to clean up after earlier steps. */
  readonly always?: boolean;
  /** Timeout in minutes; default 8. */
  readonly minutes?: number;
}

/** Formats milliseconds as seconds: `1.5 s`. */
export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** Whether a required step has failed, so that later ones did not run. */
  readonly stopped: boolean;
}

/**
 * Runs the steps in order and prints the result and duration of each. With TEST_RETRY set, repeats a failed step once unless it is
 * required, and reports it as flaky if it then passes.
 */
export async function runSteps(steps: readonly Step[]): Promise<StepResult> {
  let passed = 0;
  let failed = 0;
  let stopped = false;
  for (const step of steps) {
    if (stopped && step.always !== true) continue;
    const startedMs = performance.now();
    const first = await runOnce(step);
    const retry = 'error' in first && process.env.TEST_RETRY && step.required !== true;
    const outcome = retry ? await runOnce(step) : first;
    const duration = seconds(performance.now() - startedMs);
    if ('error' in outcome) {
      failed += 1;
      process.stdout.write(`failed: ${step.name} (${duration}): ${outcome.error}\n`);
      stopped ||= step.required === true;
      continue;
    }
    passed += 1;
    if ('error' in first) process.stdout.write(`flaky: ${step.name}: ${first.error}\n`);
    process.stdout.write(`ok      ${step.name} (${duration}${outcome.note === '' ? '' : `; ${outcome.note}`})\n`);
  }
  return { passed, failed, stopped };
}

/** Runs a step once within its timeout. Returns its note, or the message of its error. */
async function runOnce({ run, minutes = 8 }: Step): Promise<{ note: string } | { error: string }> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took longer than ${minutes} minutes`)), minutes * 60_000);
    });
    const note = await Promise.race([run(), timeout]);
    return { note: typeof note === 'string' ? note : '' };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}
