import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Python } from '../up/preflight.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Installs the wheels of `<name>.txt` for a Python into `.tools` and returns their folder. Does nothing if they are installed. Throws if
 * the package index is unreachable or a package needs a newer Python.
 */
export async function installPackages(
  name: 'author' | 'bots' | 'peers' | 'exports' | 'citation',
  { path, version }: Python,
): Promise<string> {
  const lock = join(import.meta.dirname, `${name}.txt`);
  const folder = join(root, '.tools', `${name}-${version}`);
  const marker = join(folder, '.installed');
  const required = readFileSync(lock, 'utf8');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === required) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const uv = join(root, '.tools/python/bin/uv');
  const options = [
    '--quiet',
    '--no-config',
    '--python',
    path,
    '--no-deps',
    '--only-binary',
    ':all:',
    '--require-hashes',
  ];
  // The only one without a wheel (lock.sh).
  if (required.includes('\njsonpath-rw==')) options.push('--no-binary', 'jsonpath-rw');
  await promisify(execFile)(uv, ['pip', 'install', ...options, '--target', folder, '--requirement', lock]);
  writeFileSync(marker, required);
  return folder;
}
