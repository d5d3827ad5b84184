// `make attacks-means`: plays the corpus on a seat host again and again, each time without one of its means, and shows
// which attacks then get through. Every means must stop at least one. CASES and MEANS choose; UPDATE_DOCS=1 writes
// docs/attacks-means.md. The last line is `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from './case-files.ts';
import { runDirectly, runsDirectly } from './direct.ts';
import type { Outcome } from './outcome.ts';
import { machineName } from './results.ts';
import { TableOfSix } from './table-of-six.ts';

/** What `husky_seat --without` takes (services/runner/seat/husky_seat/survey.py). */
const allMeans = [
  'seccomp',
  'landlock',
  'limits',
  'own_uid',
  'own_root',
  'pid_namespace',
  'scratch_limit',
  'sampler',
] as const;

const say = (text: string) => process.stdout.write(`${text}\n`);
const nameOf = ({ attack }: Outcome) => `${attack.group}/${attack.name}`;
const cases = readCases(process.env.CASES).filter(runsDirectly);
const wanted = process.env.MEANS?.split(/[\s,]+/) ?? [
  ...allMeans.filter((means) => means !== 'own_uid' || process.getuid?.() === 0),
];

/** Plays all cases without these means; a host that an attack ended is started again. */
async function play(without: readonly string[]): Promise<Outcome[]> {
  const options = without.flatMap((means) => ['--without', means]);
  const open = () => TableOfSix.open(without.length === 0 ? [] : ['--allow-strangers-without-sandbox', ...options]);
  let table = await open();
  const outcomes: Outcome[] = [];
  try {
    for (const attack of cases) {
      const outcome = await runDirectly(attack, table);
      const { exitCode, signalCode } = table.local.process;
      if (exitCode !== null || signalCode !== null) {
        await table.stop();
        table = await open();
      }
      outcomes.push(outcome);
    }
  } finally {
    await table.stop();
  }
  return outcomes;
}

const shown = 6;

function listOf(names: readonly string[]): string {
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  return names.length === 0 ? 'none' : names.slice(0, shown).join(', ') + more;
}

const whole = await play([]);
const isThrough = ({ problems, escaped }: Outcome) => problems.length > 0 || escaped.length > 0;
const failing = new Set(whole.filter(isThrough).map(nameOf));
say(`with all means: ${cases.length - failing.size} of ${cases.length} contained; not: ${listOf([...failing])}`);
const rows = new Map<string, string>();
let useless = 0;

async function remove(means: string): Promise<void> {
  const outcomes = await play([means]);
  const through = outcomes.filter((outcome) => isThrough(outcome) && !failing.has(nameOf(outcome)));
  if (through.length === 0) useless += 1;
  say(`without ${means}: ${through.length} get through`);
  for (const outcome of through) say(`  ${nameOf(outcome)}: ${outcome.problems[0] ?? outcome.escaped[0]}`);
  const groups = [...new Set(through.map(({ attack }) => attack.group))].join(', ');
  rows.set(
    means,
    `| ${means} | ${cases.length - through.length} of ${cases.length} | ${groups} | ${listOf(through.map(nameOf))} |`,
  );
}

// Three at a time: most of a match is waiting.
const waiting = [...wanted];
await Promise.all(
  [1, 2, 3].map(async () => {
    for (let means = waiting.shift(); means !== undefined; means = waiting.shift()) await remove(means);
  }),
);
if (process.env.UPDATE_DOCS === '1') {
  const lines = [
    '# The corpus without each means of the sandbox',
    '',
    `Written by \`UPDATE_DOCS=1 make attacks-means\` from a run ${machineName()}; do not edit. Each row: ${cases.length} attacks that need no upload, played on a seat`,
    'host that does without one means (`husky_seat --without`). A means that stops an attack alone shows here; most attacks meet more than one.',
    '',
    '| without | contained | groups that do not hold | attacks that get through |',
    '| --- | --- | --- | --- |',
    ...wanted.map((means) => rows.get(means) ?? ''),
    '',
  ];
  writeFileSync(join(import.meta.dirname, '../../docs/attacks-means.md'), lines.join('\n'));
}
say(`${wanted.length - useless} passed, ${useless} failed`);
process.exitCode = useless > 0 ? 1 : 0;
