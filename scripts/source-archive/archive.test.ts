import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSourceArchive } from './archive.ts';

let folder: string;
let root: string;
let out: string;
const write = (name: string, text: string) => {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
};
const archive = () => join(out, 'husky-holdem-1.2.3.tar.gz');
const listed = () => execFileSync('tar', ['-tzf', archive()], { encoding: 'utf8' }).trim().split('\n');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-archive-'));
  root = join(folder, 'project');
  out = join(folder, 'out');
  write('package.json', '{"version":"1.2.3"}');
  write('src/a file.ts', 'one');
  write('.gitignore', '.data/\nnode_modules/\n');
  write('.data/secrets/admin-password', 'secret');
  write('node_modules/x/index.js', '');
  execFileSync('git', ['init', '-q', root]);
  execFileSync('git', ['-C', root, 'add', '.']);
  write('notes.txt', 'not tracked');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('packs exactly the files that git tracks, below one folder', () => {
  makeSourceArchive(root, out);
  const names = ['.source-files', '.gitignore', 'package.json', 'src/a file.ts'];
  expect(listed()).toEqual(names.map((name) => `husky-holdem-1.2.3/${name}`));
});

test('rebuilds the archive only if a file is changed, removed or added, or the archive is damaged', () => {
  const later = new Date(Date.now() + 60_000);
  makeSourceArchive(root, out);
  const first = readFileSync(archive());
  utimesSync(archive(), later, later);
  makeSourceArchive(root, out);
  expect(statSync(archive()).mtimeMs).toBe(later.getTime());
  utimesSync(join(root, 'src/a file.ts'), later, new Date(later.getTime() + 1000));
  makeSourceArchive(root, out);
  expect(statSync(archive()).mtimeMs).toBeLessThan(later.getTime());
  rmSync(join(root, 'src/a file.ts'));
  makeSourceArchive(root, out);
  expect(listed()).not.toContain('husky-holdem-1.2.3/src/a file.ts');
  execFileSync('git', ['-C', root, 'add', 'notes.txt']);
  makeSourceArchive(root, out);
  expect(listed()).toContain('husky-holdem-1.2.3/notes.txt');
  writeFileSync(archive(), first.subarray(0, 100));
  makeSourceArchive(root, out);
  expect(listed()).toContain('husky-holdem-1.2.3/notes.txt');
});

test('packs the same archive from an unpacked archive without git', () => {
  makeSourceArchive(root, out);
  const first = readFileSync(archive());
  execFileSync('tar', ['-xzf', archive(), '-C', folder]);
  root = join(folder, 'husky-holdem-1.2.3');
  write('.data/secrets/admin-password', 'secret');
  rmSync(out, { recursive: true });
  makeSourceArchive(root, out);
  expect(readFileSync(archive()).equals(first)).toBe(true);
});

test('packs no archive of other folders, without failing', () => {
  rmSync(join(root, '.git'), { recursive: true });
  makeSourceArchive(root, out);
  expect(existsSync(archive())).toBe(false);
});
