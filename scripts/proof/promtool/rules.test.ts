// Tests the chart's alerts and dashboards with promtool: their syntax, and when the alerts fire.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadYaml } from '@kubernetes/client-node';
import { afterAll, expect, test, vi } from 'vitest';
import { findOptional } from '../test/optional-program.ts';
import { chartRules, dashboardQueries, metricsOf, ruleQueries } from '../traces/rules.ts';
import { findPrometheus } from './find.ts';

const tests = join(import.meta.dirname, '../../../charts/husky-holdem/ci/rules');
const folder = mkdtempSync(join(tmpdir(), 'husky-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// promtool simulates hours of all rules, which takes minutes on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

/** Files of rules that the tests of charts/husky-holdem/ci/rules name. */
const ruleFiles = {
  'prod.yaml': chartRules('golden-prod.yaml', 'husky'),
  'options.yaml': chartRules('golden-options.yaml', 'husky'),
  'objectives.yaml': chartRules('golden-prod.yaml', 'husky-objectives'),
};

const promtool = findOptional(() => join(findPrometheus(), 'promtool'), 'REQUIRE_PROMTOOL');

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { cwd: folder, encoding: 'utf8' });
  expect(status, `promtool ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

test.runIf(promtool)('promtool accepts the alerts of the chart', () => {
  for (const [file, rules] of Object.entries(ruleFiles)) {
    writeFileSync(join(folder, file), rules);
    expect(run('check', 'rules', file)).toContain('SUCCESS');
  }
});

test.runIf(promtool).each(readdirSync(tests))('the alerts fire when they should, and only then: %s', (file) => {
  for (const [name, rules] of Object.entries(ruleFiles)) writeFileSync(join(folder, name), rules);
  copyFileSync(join(tests, file), join(folder, file));
  expect(run('test', 'rules', file)).toContain('SUCCESS');
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

interface Rule {
  readonly alert?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly expr: string;
}

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly { readonly exp_labels: Readonly<Record<string, string>> }[];
    }[];
  }[];
}

const alertsOf = (rules: string) =>
  (loadYaml(rules) as { groups: { rules: Rule[] }[] }).groups
    .flatMap((group) => group.rules)
    .flatMap(({ alert, ...rule }) => (alert === undefined ? [] : [{ alert, ...rule }]));

/** An alert by its name; those of objectives by name and objective. */
const nameOf = (alert: string, labels: Readonly<Record<string, string>>) =>
  [alert, labels.slo].filter(Boolean).join(' ');

test('every alert fires in a test', () => {
  const fired = readdirSync(tests).flatMap((file) => {
    const { tests: cases } = loadYaml(readFileSync(join(tests, file), 'utf8')) as RuleTests;
    return cases.flatMap((one) =>
      one.alert_rule_test.flatMap(({ alertname, exp_alerts }) =>
        exp_alerts.map(({ exp_labels }) => nameOf(alertname, exp_labels)),
      ),
    );
  });
  const alerts = Object.values(ruleFiles).flatMap(alertsOf);
  expect(alerts.length).toBeGreaterThan(40);
  expect([...new Set(alerts.map(({ alert, labels }) => nameOf(alert, labels)))].sort()).toEqual(
    [...new Set(fired)].sort(),
  );
});

test('an alert that reads metrics of kube-state-metrics or the kubelet says so in its label `needs`', () => {
  const sourceOf = (metric: string) =>
    metric.startsWith('kube_') ? 'kube-state-metrics' : metric.startsWith('kubelet_') ? 'kubelet' : undefined;
  for (const { alert, labels, expr } of Object.values(ruleFiles).flatMap(alertsOf)) {
    const [source] = metricsOf(expr).flatMap((metric) => sourceOf(metric) ?? []);
    expect(labels.needs, alert).toBe(source);
  }
});

test('finds the metrics of an expression', () => {
  const query =
    'histogram_quantile(0.9, sum by (le, a) (rate(x_bucket{namespace="y {z"}[5m]))) / on () group_left () sum(other_total) > 0.5';
  expect(metricsOf(query)).toEqual(['x_bucket', 'other_total']);
  expect(ruleQueries('golden-prod.yaml').map(({ where }) => where)).toContain('HuskyOutboxWaits');
});
