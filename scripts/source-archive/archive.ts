import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The list of files in the archive. An unpacked archive, which has no git, needs it to create the same archive. */
const listName = '.source-files';

/**
 * Returns the project's files that git tracks, or in an unpacked archive those of its list; undefined if there is neither. Files that git
 * ignores (data, secrets, packages) are never included.
 */
export function sourceFiles(root: string): string[] | undefined {
  const list = join(root, listName);
  const text = existsSync(join(root, '.git'))
    ? execFileSync('git', ['-C', root, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    : existsSync(list)
      ? readFileSync(list, 'utf8')
      : undefined;
  return text?.split('\0').filter((name) => name !== '' && lstatSync(join(root, name), { throwIfNoEntry: false }));
}

/**
 * Writes `husky-holdem-<version>.tar.gz` into the folder unless it exists and is newer than every source file. Equal files result in equal
 * archives. A failure is printed, not thrown, because the site does not need the archive: it then links to its About page.
 */
export function writeSourceArchive(root: string, folder: string): void {
  try {
    const files = sourceFiles(root);
    if (files === undefined) {
      process.stdout.write(`no source archive: ${root} is neither a git checkout nor an unpacked source archive\n`);
      return;
    }
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const name = `husky-holdem-${version}`;
    const archive = join(folder, `${name}.tar.gz`);
    if (isUpToDate(archive, name, root, files)) return;
    for (const old of globSync('*.tar.gz', { cwd: folder })) rmSync(join(folder, old));
    mkdirSync(folder, { recursive: true });
    pack(root, files, name, archive);
  } catch (error) {
    process.stdout.write(`no source archive: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function isUpToDate(archive: string, name: string, root: string, files: readonly string[]): boolean {
  const writtenMs = lstatSync(archive, { throwIfNoEntry: false })?.mtimeMs;
  if (writtenMs === undefined || files.some((file) => lstatSync(join(root, file)).mtimeMs > writtenMs)) return false;
  const readList = ['-xzOf', archive, '--occurrence=1', `${name}/${listName}`];
  try {
    return execFileSync('tar', readList, { encoding: 'utf8', stdio: 'pipe' }) === files.join('\0');
  } catch {
    return false; // The archive is truncated or damaged.
  }
}

function pack(root: string, files: readonly string[], name: string, archive: string): void {
  const work = mkdtempSync(join(tmpdir(), 'husky-source-'));
  try {
    const list = join(work, listName);
    writeFileSync(list, files.join('\0'));
    const reproducible = [
      '--format=ustar',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rw,go=rX',
    ];
    const prefix = ['--transform', `flags=r;s,^,${name}/,`];
    const sources = ['-C', work, listName, '-C', root, '--null', '--no-recursion', '--verbatim-files-from', '-T', list];
    const part = `${archive}.${process.pid}.part`;
    execFileSync('tar', [...reproducible, ...prefix, '-I', 'gzip -n9', '-cf', part, ...sources]);
    renameSync(part, archive);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
