import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSourceArchive } from './archive.ts';

let folder: string;
let root: string;
let out: string;
const write = (name: string, text: string) => {
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
};
const archivePath = () => join(out, 'husky-holdem-1.2.3.tar.gz');
const listArchive = () => execFileSync('tar', ['-tzf', archivePath()], { encoding: 'utf8' }).trim().split('\n');

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

test('packs exactly the tracked files into one folder', () => {
  writeSourceArchive(root, out);
  const names = ['.source-files', '.gitignore', 'package.json', 'src/a file.ts'];
  expect(listArchive()).toEqual(names.map((name) => `husky-holdem-1.2.3/${name}`));
});

test('rebuilds the archive only if a file is changed, removed or added, or the archive is damaged', () => {
  const later = new Date(Date.now() + 60_000);
  writeSourceArchive(root, out);
  const first = readFileSync(archivePath());
  utimesSync(archivePath(), later, later);
  writeSourceArchive(root, out);
  expect(statSync(archivePath()).mtimeMs).toBe(later.getTime());
  utimesSync(join(root, 'src/a file.ts'), later, new Date(later.getTime() + 1000));
  writeSourceArchive(root, out);
  expect(statSync(archivePath()).mtimeMs).toBeLessThan(later.getTime());
  rmSync(join(root, 'src/a file.ts'));
  writeSourceArchive(root, out);
  expect(listArchive()).not.toContain('husky-holdem-1.2.3/src/a file.ts');
  execFileSync('git', ['-C', root, 'add', 'notes.txt']);
  writeSourceArchive(root, out);
  expect(listArchive()).toContain('husky-holdem-1.2.3/notes.txt');
  writeFileSync(archivePath(), first.subarray(0, 100));
  writeSourceArchive(root, out);
  expect(listArchive()).toContain('husky-holdem-1.2.3/notes.txt');
});

test('packs the same archive from an unpacked archive', () => {
  writeSourceArchive(root, out);
  const first = readFileSync(archivePath());
  execFileSync('tar', ['-xzf', archivePath(), '-C', folder]);
  root = join(folder, 'husky-holdem-1.2.3');
  write('.data/secrets/admin-password', 'secret');
  rmSync(out, { recursive: true });
  writeSourceArchive(root, out);
  expect(readFileSync(archivePath()).equals(first)).toBe(true);
});

test('packs no archive of a folder that is neither a git checkout nor an unpacked archive', () => {
  rmSync(join(root, '.git'), { recursive: true });
  writeSourceArchive(root, out);
  expect(existsSync(archivePath())).toBe(false);
});
