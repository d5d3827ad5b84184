// Renders the chart to k8s/base (plain manifests for kubectl) and to the goldens in its ci folder, and writes the table of values to its
// README. With --check it writes nothing and fails if a file is not current.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { valuesTable } from './values-table.ts';

const root = resolve(import.meta.dirname, '..');
const chart = join(root, 'charts/husky-holdem');
const cache = process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '/root', '.cache');
const built = join(cache, 'husky-holdem/bin/helm');
const helm = existsSync(built) ? built : 'helm';

const showOnly = (...names: string[]) => names.flatMap((name) => ['--show-only', `templates/${name}.yaml`]);
const keycloakTemplates = showOnly('services', 'network-policies');
const tlsTemplates = showOnly('services', 'runners', 'certificates', 'jobs', 'monitoring');
const outputs = [
  { file: join(root, 'k8s/base/husky-holdem.yaml'), args: [] },
  { file: join(chart, 'ci/golden-prod.yaml'), args: ['-f', join(chart, 'values-prod.yaml')] },
  {
    file: join(chart, 'ci/golden-keycloak.yaml'),
    args: ['-f', join(chart, 'ci/keycloak-values.yaml'), ...keycloakTemplates],
  },
  {
    file: join(chart, 'ci/golden-tls.yaml'),
    args: ['-f', join(chart, 'ci/tls-values.yaml'), ...tlsTemplates],
  },
  {
    file: join(chart, 'ci/golden-gateway-api.yaml'),
    args: ['-f', join(chart, 'ci/gateway-api-values.yaml'), ...showOnly('edge')],
  },
  {
    file: join(chart, 'ci/golden-backup-load.yaml'),
    args: [
      '--set',
      'backup.enabled=true,load.enabled=true',
      ...showOnly('backup', 'load', 'postgres', 'network-policies'),
    ],
  },
  {
    file: join(chart, 'ci/golden-keycloak-run.yaml'),
    args: ['-f', join(chart, 'ci/keycloak-run-values.yaml'), ...showOnly('keycloak'), ...keycloakTemplates],
  },
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

/** Writes a file if its text differs; with --check adds it to `stale` instead. */
function writeOrCheck(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (process.argv.includes('--check')) stale.push(file.slice(root.length + 1));
  else writeFileSync(file, text);
}

const readme = readFileSync(join(chart, 'README.md'), 'utf8');
const table = valuesTable(readFileSync(join(chart, 'values.yaml'), 'utf8'));
writeOrCheck(
  join(chart, 'README.md'),
  readme.replace(/(<!-- values -->\n)[\s\S]*(?=<!-- end of values -->)/, () => `<!-- values -->\n${table}\n`),
);
for (const { file, args } of outputs) writeOrCheck(file, render(args));
if (stale.length > 0) {
  process.stderr.write(`not current, run node k8s/render.ts: ${stale.join(', ')}\n`);
  process.exitCode = 1;
}
