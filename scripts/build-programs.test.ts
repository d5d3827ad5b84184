import { globSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { buildPrograms } from './build-programs.ts';

const root = join(import.meta.dirname, '..');
let folder = '';
beforeAll(async () => {
  folder = dirname(await buildPrograms());
});

test('bundles every service, the gateway, the dealer and their threads as programs of their own', () => {
  const services = globSync('services/*/src/start.ts', { cwd: root }).map((file) => basename(join(file, '../..')));
  const programs = [...services, 'gateway', 'runner', 'hash-worker', 'standings-thread', 'values-thread'];
  const files = globSync('*.js', { cwd: folder });
  expect(files).toEqual(expect.arrayContaining(programs.map((name) => `${name}.js`)));
});

test('writes only ASCII, so that V8 stores a character in a byte', () => {
  const wide = globSync('*.js', { cwd: folder }).filter((file) =>
    /[^\0-\x7f]/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(wide).toEqual([]);
});

test('maps a place in a bundle to file and line of its source', () => {
  const text = 'submissions in preparation';
  const lineOf = (code: string) => code.slice(0, code.indexOf(text)).split('\n').length - 1;
  const bundle = readFileSync(join(folder, 'submission.js'), 'utf8');
  const line = lineOf(bundle);
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, 'submission.js.map'), 'utf8')));
  const entry = map.findEntry(line, bundle.split('\n')[line]?.indexOf(text) ?? 0);
  const source = 'services/submission/src/start.ts';
  expect(entry).toMatchObject({
    originalSource: expect.stringContaining(source),
    originalLine: lineOf(readFileSync(join(root, source), 'utf8')),
  });
});
