import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

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

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'husky-holdem/bin');

/** Returns the path of Helm: of scripts/proof/cluster/build.sh, else of PATH. Throws MissingProgram. */
export function findHelm(): string {
  const built = join(cache, 'helm');
  if (existsSync(built)) return built;
  const installed = spawnSync('sh', ['-c', 'command -v helm'], { encoding: 'utf8' }).stdout.trim();
  if (installed === '')
    throw new MissingProgram('Helm is missing: install it, or build it with scripts/proof/cluster/build.sh helm');
  return installed;
}
