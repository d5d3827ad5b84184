// `make attacks-means`: for each means of the sandbox, plays the corpus on a seat host without that means and lists the attacks that
// then succeed: each means must stop at least one attack that no other means stops. Then removes a means together with those that hide
// its effect, to show what it stops as a second line of defence. CASES and MEANS select (default all). Writes
// test-results/attacks-means.md. The last line is `N passed, N failed`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AttackCase, groups, readCases } from './case-files.ts';
import type { Outcome } from './judge.ts';
import { machineName, resultsFolder } from './results.ts';
import { canRunDirectly, runDirectly } from './run-case.ts';
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

/** Means that are missing if the machine has no user namespaces and the host is not root. */
const noNamespaces = ['own_root', 'pid_namespace'];

/** Second lines of defence: means that take effect only without others. Their cases only read, because they can reach the whole machine. */
const secondLines = [
  { means: 'own_uid', behind: ['landlock', 'own_root'], cases: 'files/private-files' },
  { means: 'own_uid', behind: ['seccomp'], cases: 'collusion/user-keyring' },
  { means: 'own_uid', behind: ['seccomp', 'pid_namespace'], cases: 'processes/limits-of-others' },
  { means: 'pid_namespace', behind: ['seccomp'], cases: 'others/thinking-times,others/schedulers-of-others' },
  { means: 'own_root', behind: ['landlock'], cases: 'files/secrets-of-the-machine,others/proc-of-others' },
];

const print = (text: string) => process.stdout.write(`${text}\n`);
const nameOf = ({ attack }: Outcome) => `${attack.group}/${attack.name}`;
// Without the cases that are open on every machine, because no means stops them.
const cases = readCases(process.env.CASES).filter(
  (attack) => canRunDirectly(attack) && (attack.open === undefined || attack.openWithout !== undefined),
);
const isRoot = process.getuid?.() === 0;
const selected = process.env.MEANS?.split(/[\s,]+/) ?? allMeans.filter((means) => means !== 'own_uid' || isRoot);

/** Plays cases without these means. Restarts the host if an attack has terminated it. */
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

/** Returns whether an attempt succeeded or the match was affected. Inconclusive attempts do not count. */
const hasSucceeded = ({ problems, escaped, unsure }: Outcome) => escaped.length > 0 || problems.length > unsure.length;

/** Returns the successful attacks that are not in `known`: name -> first success or problem. */
function findNewSuccesses(outcomes: readonly Outcome[], known: ReadonlySet<string>): Map<string, string> {
  const successes = outcomes.filter((outcome) => hasSucceeded(outcome) && !known.has(nameOf(outcome)));
  return new Map(
    successes.map((outcome) => [
      nameOf(outcome),
      outcome.escaped[0] ?? outcome.problems[0] ?? 'the match was affected',
    ]),
  );
}

function report(title: string, successes: ReadonlyMap<string, string>): void {
  print(`${title}: ${successes.size} get through`);
  for (const [name, how] of successes) print(`  ${name}: ${how.slice(0, 160)}`);
}

const maxListed = 8;

function formatList(names: readonly string[]): string {
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return names.length === 0 ? 'none' : names.slice(0, maxListed).join(', ') + more;
}

const withAllMeans = await play([]);
const failing = new Set(withAllMeans.filter(hasSucceeded).map(nameOf));
print(`with all means: ${cases.length - failing.size} of ${cases.length} contained; not: ${formatList([...failing])}`);
const successesWithout = new Map<string, string[]>();
/** Number of means whose removal lets no further attack succeed. */
let useless = 0;

async function playWithout(means: readonly string[]): Promise<void> {
  const successes = findNewSuccesses(await play(means), failing);
  if (successes.size === 0) useless += 1;
  report(`without ${means.join(' and ')}`, successes);
  successesWithout.set(means.join(' and '), [...successes.keys()]);
}

// Three at a time, because a match mostly waits.
const pending = [...selected.map((means) => [means]), ...(process.env.MEANS ? [] : [noNamespaces])];
const columns = pending.map((means) => means.join(' and '));
await Promise.all(
  [1, 2, 3].map(async () => {
    for (let means = pending.shift(); means !== undefined; means = pending.shift()) await playWithout(means);
  }),
);

const secondRows: string[] = [];
const checkedLines = secondLines.filter(({ means }) => selected.includes(means));
for (const line of checkedLines) {
  const attacks = readCases(line.cases);
  const before = new Set((await play(line.behind, attacks)).filter(hasSucceeded).map(nameOf));
  const successes = findNewSuccesses(await play([...line.behind, line.means], attacks), before);
  if (successes.size === 0) useless += 1;
  report(`without ${line.behind.join(', ')} and ${line.means}`, successes);
  secondRows.push(`| ${line.means} | ${line.behind.join(', ')} | ${formatList([...successes.keys()])} |`);
}

/** Returns the number of attacks of a group that succeed without these means; `held` if there are none. */
function countOf(group: string, means: string): string {
  const count = (successesWithout.get(means) ?? []).filter((name) => name.startsWith(`${group}/`)).length;
  return count === 0 ? 'held' : `${count}`;
}

function formatPage(): string {
  const inGroup = (group: string) => cases.filter((attack) => attack.group === group).length;
  const lines = [
    '# The corpus without each means of the sandbox',
    '',
    `Written by \`make attacks-means\` from a run ${machineName()}. Each row: ${cases.length} attacks that need no upload, played on a seat`,
    'host without one means (`husky_seat --without`). An attack gets through if an attempt succeeds or the match is affected; an attempt that fails with another error does not count.',
    'These attacks are stopped by that means alone; most attacks meet more than one. The last row is a machine without user namespaces.',
    '',
    '| without | contained | attacks that get through |',
    '| --- | --- | --- |',
  ];
  for (const means of columns) {
    const names = successesWithout.get(means) ?? [];
    lines.push(`| ${means} | ${cases.length - names.length} of ${cases.length} | ${formatList(names)} |`);
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

mkdirSync(resultsFolder, { recursive: true });
writeFileSync(join(resultsFolder, 'attacks-means.md'), formatPage());
const removals = columns.length + checkedLines.length;
print(`${removals - useless} passed, ${useless} failed`);
process.exitCode = useless > 0 ? 1 : 0;
