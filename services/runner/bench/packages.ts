import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const uv = join(import.meta.dirname, '../../../.tools/python/bin/uv');

/** Returns whether a bot has a requirements.txt that names packages. */
export function needsPackages(botFolder: string): boolean {
  const path = join(botFolder, 'requirements.txt');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.some((line) => line.trim() !== '' && !line.trim().startsWith('#'));
}

/** Resolves and unpacks the wheels of a bot's requirements.txt for this Python into `target`. Rejects when uv or the package index is not available. */
export async function installPackages(botFolder: string, target: string, python: string): Promise<void> {
  const requirements = join(botFolder, 'requirements.txt');
  const options = ['--quiet', '--python', python, '--only-binary', ':all:', '--target', target, '--no-config'];
  await promisify(execFile)(uv, ['pip', 'install', ...options, '-r', requirements]);
}
