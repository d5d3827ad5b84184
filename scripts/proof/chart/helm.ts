import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MissingProgram } from '../test/optional-program.ts';

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
