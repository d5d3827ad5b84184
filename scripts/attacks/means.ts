// `make attacks-means`: plays the corpus on a seat host again and again, each time without one of its means, and shows
// which attacks then get through: each means must stop at least one alone. Then removes a means together with those in
// front of it, to show what it stops behind them. CASES and MEANS choose; UPDATE_DOCS=1 writes docs/attacks-means.md.
// The last line is `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttackCase, readCases } from './case-files.ts';
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

/** Means behind others. The cases only read: without these means they reach processes and files of the whole machine. */
const secondLines = [
  { means: 'own_uid', behind: ['landlock', 'own_root'], cases: 'files/private-files' },
  { means: 'own_uid', behind: ['seccomp'], cases: 'collusion/user-keyring' },
  { means: 'own_uid', behind: ['seccomp', 'pid_namespace'], cases: 'processes/limits-of-others' },
  { means: 'pid_namespace', behind: ['seccomp'], cases: 'others/thinking-times,others/schedulers-of-others' },
  { means: 'own_root', behind: ['landlock'], cases: 'files/secrets-of-the-machine,others/proc-of-others' },
];

const say = (text: string) => process.stdout.write(`${text}\n`);
const nameOf = ({ attack }: Outcome) => `${attack.group}/${attack.name}`;
const cases = readCases(process.env.CASES).filter(runsDirectly);
const isRoot = process.getuid?.() === 0;
const chosen = process.env.MEANS?.split(/[\s,]+/) ?? allMeans.filter((means) => means !== 'own_uid' || isRoot);

/** Plays cases without these means; starts the host again when an attack has ended it. */
async function play(without: readonly string[], attacks: readonly AttackCase[] = cases): Promise<Outcome[]> {
  const options = without.flatMap((means) => ['--without', means]);
  const open = () => TableOfSix.open(without.length === 0 ? [] : ['--allow-strangers-without-sandbox', ...options]);
  let table = await open();
  const outcomes: Outcome[] = [];
  try {
    for (const attack of attacks) {
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

/** An attempt succeeded, or the match suffered. An attempt that failed with another error is not through. */
const isThrough = ({ problems, escaped, unsure }: Outcome) => escaped.length > 0 || problems.length > unsure.length;

/** The attacks that get through here and not in `known`, each with its first success. */
function newlyThrough(outcomes: readonly Outcome[], known: ReadonlySet<string>): Map<string, string> {
  const through = outcomes.filter((outcome) => isThrough(outcome) && !known.has(nameOf(outcome)));
  return new Map(
    through.map((outcome) => [nameOf(outcome), outcome.escaped[0] ?? outcome.problems[0] ?? 'the match suffered']),
  );
}

function report(title: string, through: ReadonlyMap<string, string>): void {
  say(`${title}: ${through.size} get through`);
  for (const [name, how] of through) say(`  ${name}: ${how.slice(0, 160)}`);
}

const shown = 8;

function listOf(names: readonly string[]): string {
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  return names.length === 0 ? 'none' : names.slice(0, shown).join(', ') + more;
}

const whole = await play([]);
const failing = new Set(whole.filter(isThrough).map(nameOf));
say(`with all means: ${cases.length - failing.size} of ${cases.length} contained; not: ${listOf([...failing])}`);
const rows = new Map<string, string>();
let useless = 0;

async function remove(means: string): Promise<void> {
  const through = newlyThrough(await play([means]), failing);
  if (through.size === 0) useless += 1;
  report(`without ${means}`, through);
  const names = [...through.keys()];
  const groups = [...new Set(names.map((name) => name.split('/')[0]))].join(', ');
  rows.set(means, `| ${means} | ${cases.length - names.length} of ${cases.length} | ${groups} | ${listOf(names)} |`);
}

// Three at a time: most of a match is waiting.
const waiting = [...chosen];
await Promise.all(
  [1, 2, 3].map(async () => {
    for (let means = waiting.shift(); means !== undefined; means = waiting.shift()) await remove(means);
  }),
);

const pairs: string[] = [];
const lines = secondLines.filter(({ means }) => chosen.includes(means));
for (const line of lines) {
  const attacks = readCases(line.cases);
  const before = new Set((await play(line.behind, attacks)).filter(isThrough).map(nameOf));
  const through = newlyThrough(await play([...line.behind, line.means], attacks), before);
  if (through.size === 0) useless += 1;
  report(`without ${line.behind.join(', ')} and ${line.means}`, through);
  pairs.push(`| ${line.means} | ${line.behind.join(', ')} | ${listOf([...through.keys()])} |`);
}

if (process.env.UPDATE_DOCS === '1') {
  const page = [
    '# The corpus without each means of the sandbox',
    '',
    `Written by \`UPDATE_DOCS=1 make attacks-means\` from a run ${machineName()}; do not edit. Each row: ${cases.length} attacks that need no upload, played on a seat`,
    'host without one means (`husky_seat --without`). An attack gets through when an attempt succeeds or the match suffers; an attempt that fails with another error does not count.',
    'Means that are listed here stop these attacks alone; most attacks meet more than one.',
    '',
    '| without | contained | groups that do not hold | attacks that get through |',
    '| --- | --- | --- | --- |',
    ...chosen.map((means) => rows.get(means) ?? ''),
    '',
    '## Second lines',
    '',
    'What a means stops when those in front of it are removed, too: held without the means in the second column, through without the first as well.',
    '',
    '| means | behind | attacks that it stops there |',
    '| --- | --- | --- |',
    ...pairs,
    '',
  ];
  writeFileSync(join(import.meta.dirname, '../../docs/attacks-means.md'), page.join('\n'));
}
say(`${chosen.length + lines.length - useless} passed, ${useless} failed`);
process.exitCode = useless > 0 ? 1 : 0;
