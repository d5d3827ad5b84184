import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { valuesTable } from '../k8s/values-table.ts';

test('lists leaves with their path, default and comment, and mappings that have a comment', () => {
  const yaml = `# Address.
url: ""

# Of all pods:
# scheduling.
pods:
  node: {a: "x|y"}
  # Deep.
  more:
    size: 10Gi
last: 1
`;
  expect(valuesTable(yaml).split('\n').slice(2)).toEqual([
    '| `url` | `""` | Address. |',
    '| `pods` |  | Of all pods: scheduling. |',
    '| `pods.node` | `{a: "x\\|y"}` |  |',
    '| `pods.more` |  | Deep. |',
    '| `pods.more.size` | `10Gi` |  |',
    '| `last` | `1` |  |',
  ]);
});

test("the table in the chart's README is current (make kube-render writes it)", () => {
  const chart = join(import.meta.dirname, '../charts/husky-holdem');
  const table = valuesTable(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  expect(readFileSync(join(chart, 'README.md'), 'utf8')).toContain(`<!-- values -->\n${table}\n<!--`);
});
