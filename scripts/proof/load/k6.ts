import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { MissingProgram } from '../test/optional-program.ts';

const { PATH = '' } = process.env;
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'husky-holdem/bin');

/** k6's script with all scenarios. */
export const loadScript = join(import.meta.dirname, '../../../charts/husky-holdem/files/load/load.js');

function findProgram(program: string, folders: readonly string[]): string | undefined {
  return folders
    .map((folder) => join(folder, program))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Returns the path of k6, from PATH or the cache of scripts/proof/cluster/build.sh. */
export const findExistingK6 = (): string | undefined => findProgram('k6', [...PATH.split(delimiter), cache]);

/** Returns the path of k6. Builds it if Go is installed; otherwise throws MissingProgram, which says how to install k6. */
export function findK6(): string {
  const found = findExistingK6();
  if (found !== undefined) return found;
  if (findProgram('go', PATH.split(delimiter)) !== undefined) {
    const build = join(import.meta.dirname, '../cluster/build.sh');
    const { status } = spawnSync(build, ['k6'], { stdio: ['ignore', 'ignore', 'inherit'] });
    const built = findProgram('k6', [cache]);
    if (status === 0 && built !== undefined) return built;
    throw new MissingProgram('k6 could not be built from its Go module: install k6 from grafana.com/docs/k6');
  }
  throw new MissingProgram(
    `k6 is not on PATH nor in ${cache}: install Go, which builds it, or k6 from grafana.com/docs/k6`,
  );
}
