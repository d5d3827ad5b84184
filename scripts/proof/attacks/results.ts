import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCases } from './case-files.ts';
import type { Outcome } from './judge.ts';

/** Where runs write their results. */
export const resultsFolder = join(import.meta.dirname, '../../../test-results');
const resultsFile = join(resultsFolder, 'attacks.json');
const tableFile = join(resultsFolder, 'attacks.md');

/** Kinds of machine, each with a column of the table. */
export const machines = ['as root', 'as a user', 'in pods'] as const;
export type Machine = (typeof machines)[number];

/** Returns the kind of machine of a platform that runs as this user (default: this process's). */
export const machineName = (uid = process.getuid?.()): Machine => (uid === 0 ? 'as root' : 'as a user');

/** Where a match was played: on a platform, or on a seat host alone. */
type By = 'platform' | 'seat host';

interface Result {
  readonly by: By;
  readonly seen: string;
  readonly held: number;
  readonly escaped: number;
  readonly passed: boolean;
}
type Results = Record<string, Partial<Record<Machine, Result>>>;

/** Merges the outcomes of a run into test-results/attacks.json and writes the table of all cases beside it. */
export function writeResults(outcomes: readonly Outcome[], machine: Machine, by: By = 'platform'): void {
  mkdirSync(resultsFolder, { recursive: true });
  const results: Results = existsSync(resultsFile) ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as Results) : {};
  for (const { attack, seen, held, escaped, problems } of outcomes) {
    const key = `${attack.group}/${attack.name}`;
    results[key] = {
      ...results[key],
      [machine]: { by, seen, held: held.length, escaped: escaped.length, passed: problems.length === 0 },
    };
  }
  const cases = readCases();
  const known = new Set(cases.map(({ group, name }) => `${group}/${name}`));
  const kept = Object.fromEntries(
    Object.entries(results)
      .filter(([key]) => known.has(key))
      .sort(),
  );
  writeFileSync(resultsFile, `${JSON.stringify(kept, null, 2)}\n`);
  writeFileSync(tableFile, formatTable(cases, kept));
}

function formatCell(result: Result | undefined): string {
  if (result === undefined) return '';
  const state = !result.passed ? 'FAILED' : result.escaped > 0 ? 'open' : 'held';
  return `${state}: ${result.seen}${result.by === 'platform' ? '' : ' (seat host)'}`;
}

function formatTable(cases: ReturnType<typeof readCases>, results: Results): string {
  const lines = [
    '# The attack corpus, as last run',
    '',
    'Written by `make attacks` or `attacks-host`. *held*: every attempt was refused or bounded, the verdict was as expected, the match',
    "complete, the honest bots' results equal to those without the attacker. *open*: not contained, as documented in docs/security.md. The last word is the bot's verdict.",
    'Each case is a file of services/runner/attacks. *(seat host)*: played by `make attacks-host`, without uploads and services. An empty field: not run there.',
  ];
  let group = '';
  for (const attack of cases) {
    if (attack.group !== group) {
      group = attack.group;
      const columns = ['attack', 'what it tries', 'idea', 'expected', 'stopped by', ...machines];
      lines.push('', `## ${group}`, '', `| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`);
    }
    const result = results[`${attack.group}/${attack.name}`] ?? {};
    const expected = attack.refusal === undefined ? attack.verdict.join(' or ') : 'refused upload';
    const fields = [attack.name, attack.tries, attack.idea, expected, attack.means.join(', ')];
    lines.push(`| ${[...fields, ...machines.map((machine) => formatCell(result[machine]))].join(' | ')} |`);
  }
  const count = cases.length;
  const open = cases.filter((attack) => attack.open !== undefined);
  lines.push('', `${count} attacks, ${open.length} of them not contained.`, '');
  return lines.join('\n');
}
