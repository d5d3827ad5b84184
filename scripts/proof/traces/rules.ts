import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const chart = join(import.meta.dirname, '../../../charts/husky-holdem');

/**
 * Returns the alert rules in a golden file of charts/husky-holdem/ci as a rule file for Prometheus: those of all PrometheusRules, or of the
 * one with this name. Without runbook_url, which every alert has.
 */
export function chartRules(file: string, name?: string): string {
  const documents = readFileSync(join(chart, 'ci', file), 'utf8').split(/^---$/m);
  const groups = documents
    .filter((document) => /^kind: PrometheusRule$/m.test(document))
    .filter((document) => name === undefined || document.includes(`\n  name: ${name}\n`))
    .map((document) => /^ {2}groups:\n((?: {4}.*\n?|\n)+)/m.exec(document)?.[1] ?? '');
  return `groups:\n${groups.join('').replaceAll(/^ {4}|runbook_url: "[^"]*", /gm, (text) => (text.trim() ? '' : '  '))}`;
}

/** Returns the queries of the dashboards, with file and panel title. */
export function dashboardQueries(): { readonly where: string; readonly query: string }[] {
  const folder = join(chart, 'dashboards');
  return readdirSync(folder).flatMap((file) => {
    const { panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    return panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ where: `${file}: ${title}`, query: expr })),
    );
  });
}

/** Returns the queries of the chart's rules, with the names of their alerts or records. */
export function ruleQueries(file: string): { readonly where: string; readonly query: string }[] {
  const rules = chartRules(file).matchAll(/- (?:alert|record): (\S+)\n\s+expr: (.+(?:\n {10,}.*)*)/g);
  return [...rules].map(([, name = '', query = '']) => ({ where: name, query }));
}

const operators = new Set(['by', 'without', 'on', 'ignoring', 'and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/** Returns the names of the metrics in a query. */
export function metricsOf(query: string): string[] {
  const bare = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  const names = [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g)].map(([name]) => name);
  return [...new Set(names)].filter((name) => !operators.has(name.toLowerCase()));
}

/** Labels that Prometheus adds to what it scrapes, and those of histograms and of recorded objectives. */
const addedLabels = [
  'namespace',
  'service',
  'pod',
  'instance',
  'job',
  'node',
  'container',
  'le',
  'slo',
  'window',
  'budget',
];

/**
 * Returns the labels of a query's selectors and groupings that none of its metrics has. `labelsOf` returns the exported labels of a metric;
 * undefined: the metric is not of the platform, and all of its labels are accepted.
 */
export function unknownLabels(query: string, labelsOf: (metric: string) => ReadonlySet<string> | undefined): string[] {
  const unknown: string[] = [];
  const all = new Set(addedLabels);
  for (const metric of metricsOf(query)) {
    const known = labelsOf(metric);
    if (known === undefined) return unknown;
    for (const label of known) all.add(label);
  }
  for (const [, metric = '', matchers = ''] of query.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)) {
    const known = labelsOf(metric);
    const used = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label);
    unknown.push(
      ...used
        .filter((label) => !addedLabels.includes(label) && known?.has(label) === false)
        .map((label) => `${metric}{${label}}`),
    );
  }
  for (const [, list = ''] of query.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)) {
    const used = list.split(',').map((label) => label.trim());
    unknown.push(...used.filter((label) => label !== '' && !all.has(label)));
  }
  return unknown;
}
