/** One thing that the real cluster must show. `run` throws when it does not, and may answer a few words. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown>;
  /** Without it the steps after it make no sense. */
  readonly needed?: boolean;
}

const longestStepMs = 8 * 60_000;

/** Runs the steps in turn, prints each with its time, and answers how many passed and failed. */
export async function runSteps(steps: readonly Step[]): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  let failed = 0;
  for (const step of steps) {
    const began = performance.now();
    const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
    let timer: NodeJS.Timeout | undefined;
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('it took longer than 8 minutes')), longestStepMs);
      });
      const words = await Promise.race([step.run(), late]);
      passed += 1;
      process.stdout.write(
        `ok      ${step.name} (${seconds()}${typeof words === 'string' && words !== '' ? `; ${words}` : ''})\n`,
      );
    } catch (error) {
      failed += 1;
      const why = error instanceof Error ? error.message : String(error);
      process.stdout.write(`FAILED  ${step.name} (${seconds()}): ${why}\n`);
      if (step.needed === true) break;
    } finally {
      clearTimeout(timer);
    }
  }
  return { passed, failed };
}
