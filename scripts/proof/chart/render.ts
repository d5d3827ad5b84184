// Renders the chart to k8s/base (plain manifests for kubectl) and to the goldens in its ci folder, and writes the queries of the
// objectives to docs/slo.md. With --check it writes nothing and fails if a file is not current.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findHelm } from '../test/optional-program.ts';
import { objectiveQueries } from './rendered-script.ts';

const root = resolve(import.meta.dirname, '../../..');
const chart = join(root, 'charts/husky-holdem');
const helm = findHelm();

/** A rendering in the chart's ci folder, with ci/<name>-values.yaml unless other arguments are given; only of `templates`, if any. */
const golden = (
  name: string,
  templates: readonly string[],
  args: readonly string[] = ['-f', join(chart, `ci/${name}-values.yaml`)],
) => ({
  file: join(chart, `ci/golden-${name}.yaml`),
  args: [...args, ...templates.flatMap((template) => ['--show-only', `templates/${template}.yaml`])],
});

const outputs = [
  { file: join(root, 'k8s/base/husky-holdem.yaml'), args: [] },
  golden('prod', [], ['-f', join(chart, 'values-prod.yaml')]),
  golden('external', ['network-policies']),
  golden(
    'options',
    'services runners network-policies jobs postgres nats backup load certificates monitoring'.split(' '),
  ),
];

function render(args: readonly string[]): string {
  const text = execFileSync(
    helm,
    ['template', 'husky', chart, '--namespace', 'husky', '--kube-version', '1.34.0', '--skip-tests', ...args],
    { encoding: 'utf8', maxBuffer: 64 << 20 },
  );
  return `# Generated from charts/husky-holdem by \`node scripts/proof/chart/render.ts\`: change the chart, not this file.\n${text}`;
}

const stale: string[] = [];

/** Writes a file if its text differs; with --check adds it to `stale` instead. */
function writeOrCheck(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (process.argv.includes('--check')) stale.push(file.slice(root.length + 1));
  else writeFileSync(file, text);
}

/** Replaces the lines between the comments `<!-- name -->` and `<!-- end of name -->` of a document. */
function writeBlock(file: string, name: string, lines: string): void {
  const document = readFileSync(file, 'utf8');
  const block = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*(?=<!-- end of ${name} -->)`);
  if (!block.test(document)) throw new Error(`${file} has no <!-- ${name} -->`);
  writeOrCheck(
    file,
    document.replace(block, (_, start: string) => `${start}${lines}\n`),
  );
}

for (const { file, args } of outputs) writeOrCheck(file, render(args));
const queries = objectiveQueries(readFileSync(join(chart, 'ci/golden-prod.yaml'), 'utf8'));
writeBlock(join(root, 'docs/slo.md'), 'queries', `\`\`\`\n${queries}\n\`\`\``);
if (stale.length > 0) {
  process.stderr.write(`not current, run node scripts/proof/chart/render.ts: ${stale.join(', ')}\n`);
  process.exitCode = 1;
}
