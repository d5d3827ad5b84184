// Tests the chart's alerts and dashboards with promtool: their syntax, and when the alerts fire.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { chartRules, dashboardQueries, metricsOf, ruleQueries } from '../traces/rules.ts';
import { findPrometheus, NoPromtool } from './find.ts';

const tests = join(import.meta.dirname, '../../charts/husky-holdem/ci/rules');
const folder = mkdtempSync(join(tmpdir(), 'husky-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// promtool simulates an hour of all rules, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let promtool: string | undefined;
try {
  promtool = join(findPrometheus(), 'promtool');
} catch (error) {
  if (!(error instanceof NoPromtool)) throw error;
  process.stdout.write(`skipped: ${error.message}\n`);
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8' });
  expect(status, `promtool ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

test.runIf(promtool)('promtool accepts the alerts of the chart', () => {
  for (const golden of ['golden-prod.yaml', 'golden-tls.yaml']) {
    writeFileSync(join(folder, golden), chartRules(golden));
    expect(run('check', 'rules', golden)).toContain('SUCCESS');
  }
});

test.runIf(promtool)('the alerts pass the tests of charts/husky-holdem/ci/rules', () => {
  writeFileSync(join(folder, 'rules.yaml'), chartRules('golden-prod.yaml'));
  for (const file of readdirSync(tests)) {
    copyFileSync(join(tests, file), join(folder, file));
    expect(run('test', 'rules', file)).toContain('SUCCESS');
  }
});

test.runIf(promtool)('promtool accepts the queries of the dashboards', () => {
  const rules = dashboardQueries().map(({ query }, index) => {
    const expression = query.replaceAll('$namespace', 'husky').replaceAll("'", "''");
    return `      - record: dashboard:query${index}\n        expr: '${expression}'`;
  });
  expect(rules.length).toBeGreaterThan(30);
  writeFileSync(join(folder, 'dashboards.yaml'), `groups:\n  - name: dashboards\n    rules:\n${rules.join('\n')}\n`);
  expect(run('check', 'rules', 'dashboards.yaml')).toContain(`${rules.length} rules found`);
});

test('finds the metrics of an expression', () => {
  const query =
    'histogram_quantile(0.9, sum by (le, a) (rate(x_bucket{namespace="y {z"}[5m]))) / on () group_left () sum(other_total) > 0.5';
  expect(metricsOf(query)).toEqual(['x_bucket', 'other_total']);
  expect(ruleQueries('golden-prod.yaml').map(({ where }) => where)).toContain('HuskyOutboxWaits');
});
