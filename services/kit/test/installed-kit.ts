// The wheel, built and installed once into a virtual environment that all tests of the kit share.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildKit } from '../build.ts';

export { type Ended, type RunOptions, run } from '@husky/testkit/program';

const root = join(import.meta.dirname, '../../..');
const kitFolder = join(root, '.kit');
const uv = join(root, '.tools/python/bin/uv');

/**
 * Returns the bin folder of a virtual environment with the kit of these sources. Its dependencies come from the package index, or from
 * uv's cache. Safe for concurrent calls: an environment appears whole or not at all. Environments of earlier sources are deleted.
 */
export async function installedKit(): Promise<string> {
  const { file, sha256 } = await buildKit();
  const place = join(kitFolder, `venv-${sha256.slice(0, 16)}`);
  if (existsSync(place)) return join(place, 'bin');
  const draft = mkdtempSync(join(kitFolder, 'draft-'));
  try {
    execFileSync(uv, ['venv', '--quiet', '--clear', '--relocatable', '--no-project', ...pythonOption(), draft], {
      stdio: 'inherit',
    });
    const python = join(draft, 'bin/python');
    execFileSync(uv, ['pip', 'install', '--quiet', '--python', python, join(kitFolder, file)], { stdio: 'inherit' });
    // Tests start programs as other users too.
    chmodSync(draft, 0o755);
    renameSync(draft, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(place, 'bin');
}

/** Chooses PYTHON or the system's Python, which other users can read, if there is one; otherwise uv chooses. */
function pythonOption(): string[] {
  const python = [process.env.PYTHON, '/usr/bin/python3'].find((path) => path && existsSync(path));
  return python === undefined ? [] : ['--python', python];
}
