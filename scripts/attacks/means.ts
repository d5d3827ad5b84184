// `make attacks-means`: plays the corpus on a seat host once for each means of the sandbox, without that means, and lists the
// attacks that then succeed: each means must stop at least one that no other means stops. Then removes a means together with
// the ones that hide its effect, to show what it stops behind them. CASES and MEANS select (default all); UPDATE_DOCS=1
// writes docs/attacks-means.md. The last line is `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttackCase, groups, readCases } from './case-files.ts';
import { runDirectly, runsDirectly } from './direct.ts';
import type { Outcome } from './outcome.ts';
import { machineName } from './results.ts';
import { TableOfSix } from './table-of-six.ts';

/** Values of `husky_seat --without` (services/runner/seat/husky_seat/survey.py). */
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

/** Means that are missing on a machine without user namespaces when the host is not root. */
const noNamespaces = ['own_root', 'pid_namespace'];

/** Second lines of defence: means that act behind others. Their cases only read, since they can reach the whole machine. */
const secondLines = [
  { means: 'own_uid', behind: ['landlock', 'own_root'], cases: 'files/private-files' },
  { means: 'own_uid', behind: ['seccomp'], cases: 'collusion/user-keyring' },
  { means: 'own_uid', behind: ['seccomp', 'pid_namespace'], cases: 'processes/limits-of-others' },
  { means: 'pid_namespace', behind: ['seccomp'], cases: 'others/thinking-times,others/schedulers-of-others' },
  { means: 'own_root', behind: ['landlock'], cases: 'files/secrets-of-the-machine,others/proc-of-others' },
];

const say = (text: string) => process.stdout.write(`${text}\n`);
const nameOf = ({ attack }: Outcome) => `${attack.group}/${attack.name}`;
// Except cases that are open on every machine: no means stops them.
const cases = readCases(process.env.CASES).filter(
  (attack) => runsDirectly(attack) && (attack.open === undefined || attack.openWithout !== undefined),
);
const isRoot = process.getuid?.() === 0;
const chosen = process.env.MEANS?.split(/[\s,]+/) ?? allMeans.filter((means) => means !== 'own_uid' || isRoot);

/** Plays cases without these means. Restarts the host if an attack has ended it. */
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

/** Returns whether an attempt succeeded or the match was affected. Attempts that prove nothing do not count. */
const isThrough = ({ problems, escaped, unsure }: Outcome) => escaped.length > 0 || problems.length > unsure.length;

/** Returns the successful attacks that are not in `known`: name -> first success or problem. */
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
const throughWithout = new Map<string, string[]>();
let useless = 0;

async function remove(means: readonly string[]): Promise<void> {
  const through = newlyThrough(await play(means), failing);
  if (through.size === 0) useless += 1;
  report(`without ${means.join(' and ')}`, through);
  throughWithout.set(means.join(' and '), [...through.keys()]);
}

// Three at a time: a match mostly waits.
const waiting = [...chosen.map((means) => [means]), ...(process.env.MEANS ? [] : [noNamespaces])];
const columns = waiting.map((means) => means.join(' and '));
await Promise.all(
  [1, 2, 3].map(async () => {
    for (let means = waiting.shift(); means !== undefined; means = waiting.shift()) await remove(means);
  }),
);

const secondRows: string[] = [];
const checkedLines = secondLines.filter(({ means }) => chosen.includes(means));
for (const line of checkedLines) {
  const attacks = readCases(line.cases);
  const before = new Set((await play(line.behind, attacks)).filter(isThrough).map(nameOf));
  const through = newlyThrough(await play([...line.behind, line.means], attacks), before);
  if (through.size === 0) useless += 1;
  report(`without ${line.behind.join(', ')} and ${line.means}`, through);
  secondRows.push(`| ${line.means} | ${line.behind.join(', ')} | ${listOf([...through.keys()])} |`);
}

/** Returns the number of attacks of a group that succeed without these means. */
function countOf(group: string, means: string): string {
  const count = (throughWithout.get(means) ?? []).filter((name) => name.startsWith(`${group}/`)).length;
  return count === 0 ? 'held' : `${count}`;
}

function pageOf(): string {
  const inGroup = (group: string) => cases.filter((attack) => attack.group === group).length;
  const lines = [
    '# The corpus without each means of the sandbox',
    '',
    `Written by \`UPDATE_DOCS=1 make attacks-means\` from a run ${machineName()}; do not edit. Each row: ${cases.length} attacks that need no upload, played on a seat`,
    'host without one means (`husky_seat --without`). An attack gets through when an attempt succeeds or the match suffers; an attempt that fails with another error does not count.',
    'These attacks are stopped by that means alone; most attacks meet more than one. The last row is a machine without user namespaces.',
    '',
    '| without | contained | attacks that get through |',
    '| --- | --- | --- |',
  ];
  for (const means of columns) {
    const names = throughWithout.get(means) ?? [];
    lines.push(`| ${means} | ${cases.length - names.length} of ${cases.length} | ${listOf(names)} |`);
  }
  lines.push(
    '',
    '## By group',
    '',
    'How many attacks of each group get through without the means at the top.',
    '',
    `| group | attacks | ${columns.join(' | ')} |`,
    `|${' --- |'.repeat(columns.length + 2)}`,
    ...groups
      .filter((group) => inGroup(group) > 0)
      .map(
        (group) => `| ${group} | ${inGroup(group)} | ${columns.map((means) => countOf(group, means)).join(' | ')} |`,
      ),
    '',
    '## Second lines',
    '',
    'What a means stops when those in front of it are removed, too: held without the means in the second column, through without the first as well.',
    '',
    '| means | behind | attacks that it stops there |',
    '| --- | --- | --- |',
    ...secondRows,
    '',
  );
  return lines.join('\n');
}

if (process.env.UPDATE_DOCS === '1') writeFileSync(join(import.meta.dirname, '../../docs/attacks-means.md'), pageOf());
const removals = columns.length + checkedLines.length;
say(`${removals - useless} passed, ${useless} failed`);
process.exitCode = useless > 0 ? 1 : 0;
