// Writes k8s/base (plain manifests for kubectl) from the chart, and the goldens of its tests. With --check it changes
// nothing and fails where a file is not current.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const chart = join(root, 'charts/husky-holdem');
const cache = process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '/root', '.cache');
const built = join(cache, 'husky-holdem/bin/helm');
const helm = existsSync(built) ? built : 'helm';

const outputs = [
  { file: join(root, 'k8s/base/husky-holdem.yaml'), args: [] },
  { file: join(chart, 'ci/golden-prod.yaml'), args: ['-f', join(chart, 'values-prod.yaml')] },
];

function render(args: readonly string[]): string {
  const text = execFileSync(
    helm,
    ['template', 'husky', chart, '--namespace', 'husky', '--kube-version', '1.34.0', '--skip-tests', ...args],
    { encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  return `# Generated from charts/husky-holdem by \`node k8s/render.ts\`: change the chart, not this file.\n${text}`;
}

const stale: string[] = [];
for (const { file, args } of outputs) {
  const text = render(args);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  if (process.argv.includes('--check')) stale.push(file.slice(root.length + 1));
  else writeFileSync(file, text);
}
if (stale.length > 0) {
  process.stderr.write(`not current, run node k8s/render.ts: ${stale.join(', ')}\n`);
  process.exitCode = 1;
}
