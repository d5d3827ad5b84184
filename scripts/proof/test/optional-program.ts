/** A program that some tests need is not installed. The message says how to get it. */
export class MissingProgram extends Error {}

/**
 * Returns the path that `find` returns. If it throws MissingProgram, prints the message and returns undefined, so that tests skip; throws
 * it if the environment variable `requiredBy` is 1, as in .ci/run.
 */
export function findOptional(
  find: () => string,
  requiredBy: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof MissingProgram) || env[requiredBy] === '1') throw error;
    process.stdout.write(`skipped: ${error.message}\n`);
    return undefined;
  }
}
