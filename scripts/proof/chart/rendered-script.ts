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

/** Returns the recorded ratios of the objectives in a rendering of the chart, for a window of 5 minutes, as text for docs/slo.md. */
export function objectiveQueries(rendering: string): string {
  const rules = rendering.matchAll(
    /- record: husky_slo_errors:ratio\n +expr: '(.+)'\n +labels: \{slo: ([\w-]+), window: 5m,/g,
  );
  return [...rules].map(([, query = '', slo = '']) => `# ${slo}\n${query.replace(') / (', ')\n  / (')}`).join('\n');
}
