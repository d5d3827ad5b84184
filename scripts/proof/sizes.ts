// Prints how large the project is at each of the given commits (default: HEAD), as a Markdown table: `make sizes REFS="v0.2.0 HEAD"`. Lines are
// those of text files as committed; words are those of Markdown, as `wc -w` counts them.
import { execFileSync } from 'node:child_process';

const maxBuffer = 2 ** 28;
const git = (...args: readonly string[]) => execFileSync('git', args, { encoding: 'latin1', maxBuffer });

/** The first rule that matches a path names its roof. */
const roofs: readonly (readonly [roof: string, path: RegExp])[] = [
  ['locks', /(^|\/)package-lock\.json$|^scripts\/python\/.*\.txt$/],
  ['rendered', /^k8s\/base\/|^charts\/[^/]+\/ci\/golden-/],
  ['documents', /\.md$|^docs\//],
  ['tests and fixtures', /[.]test[.]tsx?$/],
  ['proof tools', /^scripts\/proof\/|\/bench\//],
  ['tests and fixtures', /\/(test|tests|e2e|fixtures|attacks)\/|^services\/lib\/testkit\/|^charts\/[^/]+\/ci\//],
  ['product', /^(services|gateway|web|proto)\//],
  ['operate', /./],
];

function measure(ref: string): ReadonlyMap<string, number> {
  const paths = git('ls-tree', '-r', '--name-only', '-z', ref).split('\0').filter(Boolean);
  const sizes = new Map<string, number>();
  const add = (name: string, count: number) => void sizes.set(name, (sizes.get(name) ?? 0) + count);
  // Binary files have no lines: their pair of numbers is `- -`.
  const empty = git('hash-object', '-t', 'tree', '/dev/null').trim();
  const lines = new Map(
    git('-c', 'core.quotePath=false', 'diff', '--numstat', '--no-renames', '-z', empty, ref)
      .split('\0')
      .filter(Boolean)
      .map((row) => row.split('\t'))
      .map(([added = '', , path = '']) => [path, Number(added) || 0]),
  );
  add('tracked files', paths.length);
  for (const [roof] of roofs) add(`lines: ${roof}`, 0);
  for (const path of paths) {
    const roof = roofs.find(([, pattern]) => pattern.test(path))?.[0] ?? '';
    add(`lines: ${roof}`, lines.get(path) ?? 0);
    if (path.endsWith('.md'))
      add('words of Markdown', git('show', `${ref}:${path}`).split(/\s+/).filter(Boolean).length);
  }
  const read = (path: string) => (paths.includes(path) ? git('show', `${ref}:${path}`) : '');
  const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
  const variables = paths.find((path) => /lib\/runtime\/src\/process\/variables\.ts$/.test(path)) ?? '';
  add('variables', count(read(variables), /^ {2}[A-Z][A-Z0-9_]+: /gm));
  add('make targets in the root', count(read('Makefile'), /^[a-z-]+:.*##/gm));
  add('make targets of proof', count(read('scripts/proof/Makefile'), /^[a-z-]+:.*##/gm));
  add(
    'tables of the databases',
    paths
      .filter((path) => path.endsWith('schema.prisma'))
      .reduce((sum, path) => sum + count(read(path), /^model /gm), 0),
  );
  add('chart values', count(read('charts/husky-holdem/values.yaml'), /^ *[A-Za-z][\w-]*: *[^#\s]/gm));
  return sizes;
}

const refs = process.argv.length > 2 ? process.argv.slice(2) : ['HEAD'];
const columns = refs.map(measure);
const names = [...new Set(columns.flatMap((column) => [...column.keys()]))];
console.log(`| | ${refs.join(' | ')} |\n|---|${refs.map(() => '---:').join('|')}|`);
for (const name of names) {
  console.log(`| ${name} | ${columns.map((column) => (column.get(name) ?? 0).toLocaleString('en')).join(' | ')} |`);
}
