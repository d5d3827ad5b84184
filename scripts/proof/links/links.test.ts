import { expect, test } from 'vitest';
import { findLinkProblems } from './links.ts';

const files = (entries: Record<string, string>) => new Map(Object.entries(entries));

test('accepts links to files, folders, headings, sites and paths of the site', () => {
  const problems = findLinkProblems(
    files({
      'README.md':
        '# Top\n[a](docs/a.md) [b](docs/a.md#two-words--more) [c](docs) [d](#top) [e](https://x.org/y.md) [f](/docs)',
      'docs/a.md': '## Two `words` & more\n[up](../README.md#top)\n',
    }),
  );
  expect(problems).toEqual([]);
});

test('reports links to a missing file or heading, with file and line', () => {
  const problems = findLinkProblems(
    files({ 'README.md': '# Top\n\n[a](docs/gone.md)\n[b](docs/a.md#three)\n[c](#bottom)', 'docs/a.md': '# One' }),
  );
  expect(problems).toEqual([
    'README.md:3: links to docs/gone.md: there is no such file',
    'README.md:4: links to docs/a.md#three: there is no such heading',
    'README.md:5: links to #bottom: there is no such heading',
  ]);
});

test('numbers the anchors of equal headings and ignores code', () => {
  const text = '# Run\n# Run\n[second](#run-1)\n```\n# Not a heading\n[x](missing.md)\n```\n`[y](missing)`';
  expect(findLinkProblems(files({ 'README.md': text }))).toEqual([]);
});

test('reports files and folders in comments and inline code that are not in the repository', () => {
  const problems = findLinkProblems(
    files({
      'src/a.ts': "// As in docs/gone.md.\nconst b = 'x/y.ts'; /* see src/b.ts\n and src/c.ts */\n",
      'src/b.ts': '// https://example.org/z.md and <name>.ts and {x,y}.ts are no files of ours; b.ts is\n',
      'tool.py': '"""Reads other.proto."""\n',
      'README.md': '`src/d.ts` and `b.ts` in `docs/old/`, not in `docs/<name>/`',
      'docs/new/b/a.md': 'As in `docs/new/` and `docs/new/b/`.',
    }),
  );
  expect(problems).toEqual([
    'src/a.ts:1: names docs/gone.md, which is not in the repository',
    'src/a.ts:3: names src/c.ts, which is not in the repository',
    'tool.py:1: names other.proto, which is not in the repository',
    'README.md:1: names src/d.ts, which is not in the repository',
    'README.md:1: names `docs/old/`, which is not in the repository',
  ]);
});

test('reports decisions that are not numbered from 1 without gaps', () => {
  const text = '# A\n1. x\n3. y\n## Decisions\n1. **One.**\n2. Two\n2. Two again\n4. Four\n## Measured\n7. z\n';
  expect(findLinkProblems(files({ 'README.md': text }))).toEqual(['README.md:7: decision 2 is out of order']);
});
