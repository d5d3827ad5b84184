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
 * uv's cache. Safe for concurrent calls: an environment appears complete or not at all.
 */
export async function installedKit(): Promise<string> {
  const { file, sha256 } = await buildKit();
  const environment = join(kitFolder, `venv-${sha256.slice(0, 16)}`);
  if (existsSync(environment)) return join(environment, 'bin');
  const draft = mkdtempSync(join(kitFolder, 'draft-'));
  try {
    execFileSync(uv, ['venv', '--quiet', '--clear', '--relocatable', '--no-project', ...pythonOption(), draft], {
      stdio: 'inherit',
    });
    const python = join(draft, 'bin/python');
    // Seats cannot write what they compile.
    const options = ['--quiet', '--compile-bytecode', '--python', python];
    execFileSync(uv, ['pip', 'install', ...options, join(kitFolder, file)], { stdio: 'inherit' });
    // Tests start programs as other users too.
    chmodSync(draft, 0o755);
    renameSync(draft, environment);
  } catch (error) {
    if (!existsSync(environment)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return join(environment, 'bin');
}

/** Returns uv's option for PYTHON or the system's Python, which other users can read; none without both, so that uv chooses. */
function pythonOption(): string[] {
  const python = [process.env.PYTHON, '/usr/bin/python3'].find((path) => path && existsSync(path));
  return python === undefined ? [] : ['--python', python];
}
