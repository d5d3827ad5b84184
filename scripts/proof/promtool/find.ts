// Finds promtool, or unpacks Debian's package `prometheus` into the user's cache, without installing or starting a service.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MissingProgram } from '../test/optional-program.ts';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'husky-holdem/prometheus');

/** Returns the folder with promtool and prometheus. Downloads the package (20 MB) if it is missing. Throws MissingProgram. */
export function findPrometheus(): string {
  const installed = spawnSync('sh', ['-c', 'command -v promtool'], { encoding: 'utf8' }).stdout.trim();
  if (installed !== '') return join(installed, '..');
  const bin = join(cache, 'usr/bin');
  if (existsSync(join(bin, 'promtool'))) return bin;
  mkdirSync(join(cache, '..'), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  try {
    execFileSync('apt-get', ['download', 'prometheus'], { cwd: folder, stdio: 'pipe' });
    const file = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
    execFileSync('dpkg-deb', ['-x', file, folder], { cwd: folder, stdio: 'pipe' });
    rmSync(join(folder, file));
    if (!existsSync(bin)) renameSync(folder, cache);
    return bin;
  } catch {
    throw new MissingProgram(
      'promtool is missing and cannot be downloaded with apt-get: install Prometheus, or run apt-get update',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
