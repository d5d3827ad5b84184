import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a script from the first ConfigMap with this key in a rendering of the chart, by its path in the project.
 * `folders` replaces paths of the container with paths of this machine.
 */
export function renderedScript(rendering: string, key: string, folders: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dirname, '../../..', rendering), 'utf8');
  const block = new RegExp(`^ {2}${key.replace('.', '\\.')}: \\|\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(text)?.[1];
  if (block === undefined) throw new Error(`${rendering} has no ${key}`);
  const script = block.replaceAll(/^ {4}/gm, '');
  return Object.entries(folders).reduce((current, [from, to]) => current.replaceAll(from, to), script);
}

/** Rendering with backups. */
export const withBackups = 'charts/husky-holdem/ci/golden-options.yaml';
