/** One thing that the real cluster must show. `run` throws when it does not, and may answer a few words. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** Without it the steps after it make no sense. */
  readonly needed?: boolean;
  /** How long it may take; default 8. */
  readonly minutes?: number;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

export interface StepResult {
  readonly passed: number;
  readonly failed: number;
  /** A step that the later ones need has failed. */
  readonly stopped: boolean;
}

/** Runs the steps in turn, prints each with its time, and answers how many passed and failed. */
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
      const words = await Promise.race([step.run(), late]);
      passed += 1;
      const more = typeof words === 'string' && words !== '' ? `; ${words}` : '';
      process.stdout.write(`ok      ${step.name} (${took()}${more})\n`);
    } catch (error) {
      failed += 1;
      const why = error instanceof Error ? error.message : String(error);
      process.stdout.write(`FAILED  ${step.name} (${took()}): ${why}\n`);
      if (step.needed === true) return { passed, failed, stopped: true };
    } finally {
      clearTimeout(timer);
    }
  }
  return { passed, failed, stopped: false };
}
