/** One check on the real cluster. `run` throws if it fails, and may return a short note for the output. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** The later steps need this one: if it fails, they do not run. */
  readonly needed?: boolean;
  /** Time limit; default 8. */
  readonly minutes?: number;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** A needed step has failed, so the later ones did not run. */
  readonly stopped: boolean;
}

/** Runs the steps one after the other and prints each with its time. Returns how many passed and failed. */
export async function runSteps(steps: readonly Step[]): Promise<StepResult> {
  let passed = 0;
  let failed = 0;
  for (const step of steps) {
    const began = performance.now();
    const took = () => seconds(performance.now() - began);
    const minutes = step.minutes ?? 8;
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`it took longer than ${minutes} minutes`)), minutes * 60_000);
      });
      const note = await Promise.race([step.run(), late]);
      passed += 1;
      const more = typeof note === 'string' && note !== '' ? `; ${note}` : '';
      process.stdout.write(`ok      ${step.name} (${took()}${more})\n`);
    } catch (error) {
      failed += 1;
      const why = error instanceof Error ? error.message : String(error);
      process.stdout.write(`failed: ${step.name} (${took()}): ${why}\n`);
      if (step.needed === true) return { passed, failed, stopped: true };
    } finally {
      clearTimeout(timer);
    }
  }
  return { passed, failed, stopped: false };
}
