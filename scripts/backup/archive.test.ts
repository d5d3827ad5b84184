// Archives that `make restore` must refuse before it writes anything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { postgresMajor } from '@husky/platform/postgres-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ArchiveWriter } from './archive-writer.ts';
import { createHeader, type Header, headerName, trailer } from './manifest.ts';
import { restore, verifyBackup } from './restore.ts';

let folder: string;
const quiet = () => undefined;
const validHeader = () => createHeader(postgresMajor(), {}, 1000);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'husky-archive-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a complete archive with a valid manifest. Returns its path. */
async function writeArchive(header: string): Promise<string> {
  const file = join(mkdtempSync(join(folder, 'archive-')), 'platform.tar.zst');
  const archive = new ArchiveWriter(file, quiet);
  await archive.addText(headerName, header);
  await archive.addFolder('secrets');
  await archive.addText('secrets/admin-password', 'secret');
  await archive.finish();
  return file;
}

async function expectRefusal(file: string, sentence: string | RegExp): Promise<void> {
  const target = join(folder, 'target');
  await expect(restore(file, target, quiet)).rejects.toThrow(sentence);
  expect(existsSync(target)).toBe(false);
  await expect(verifyBackup(file, quiet)).rejects.toThrow(sentence);
}

const headers: [string, Partial<Header>, string][] = [
  ['of a newer format', { format: 2 }, 'has format 2 of a newer version, this version reads format 1'],
  [
    'with a migration of a newer version',
    { migrations: { auth: ['20990101000000_more'] } },
    'is of a newer version: its schema auth has migration 20990101000000_more',
  ],
  ['of a newer service', { migrations: { chat: ['1_init'] } }, 'its schema chat has migration 1_init'],
  ['of another PostgreSQL', { postgres: '99' }, 'is of PostgreSQL 99, but this is PostgreSQL'],
  ['of another processor', { arch: 's390x' }, 'is of a machine with s390x processors'],
];

test.each(headers)('refuses a complete archive %s', async (_case, header, sentence) => {
  await expectRefusal(await writeArchive(JSON.stringify({ ...validHeader(), ...header })), sentence);
});

test('refuses an archive that needs more disk space than is free, and leaves no folder', async () => {
  const file = await writeArchive(JSON.stringify({ ...validHeader(), bytes: 1e18 }));
  const target = join(folder, 'small');
  await expect(restore(file, target, quiet)).rejects.toThrow('MiB are free');
  expect(existsSync(target)).toBe(false);
});

test('refuses an archive without a database', async () => {
  const target = join(folder, 'without');
  const file = await writeArchive(JSON.stringify(validHeader()));
  await expect(restore(file, target, quiet)).rejects.toThrow('is not a backup of this platform');
  expect(existsSync(target)).toBe(false);
});

test('refuses files that are not backups', async () => {
  const complete = await writeArchive(JSON.stringify(validHeader()));
  const file = join(folder, 'other');
  const refuse = async (bytes: Buffer, sentence: string | RegExp) => {
    writeFileSync(file, bytes);
    await expectRefusal(file, sentence);
  };
  await refuse(
    gzipSync(readFileSync(complete)),
    'is compressed by gzip, which a backup is not: unpack it by gunzip first',
  );
  await refuse(Buffer.concat([zstdCompressSync('no tar'), trailer]), /is not a backup|truncated or damaged/);
  await refuse(Buffer.concat([zstdCompressSync(''), trailer]), /is not a backup|truncated/);
  await expectRefusal(await writeArchive('no JSON'), 'is not a backup of this platform');
  await expectRefusal(join(folder, 'missing'), 'There is no file');
});

test('refuses an archive with bytes after its end', async () => {
  const file = await writeArchive(JSON.stringify(validHeader()));
  appendFileSync(file, 'more');
  await expectRefusal(file, 'is truncated: its end is missing');
});

test('a killed backup leaves only an unfinished file, which is refused and which the next backup replaces', async () => {
  const file = join(mkdtempSync(join(folder, 'killed-')), 'platform.tar.zst');
  const writer = JSON.stringify(join(import.meta.dirname, 'archive-writer.ts'));
  // Writes until it is killed.
  const program = `
    const { ArchiveWriter } = await import(${writer});
    const { randomBytes } = await import('node:crypto');
    const archive = new ArchiveWriter(${JSON.stringify(file)}, () => undefined);
    await archive.addText('header.json', ${JSON.stringify(JSON.stringify(validHeader()))});
    for (let n = 0; ; n++) {
      await archive.addText('file-' + n, randomBytes(1 << 20).toString('base64'));
      console.log(n);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  for await (const chunk of child.stdout) {
    if (Number(String(chunk).trim().split('\n').at(-1)) >= 8) break;
  }
  child.kill('SIGKILL');
  await ended;
  expect(readdirSync(join(file, '..'))).toEqual(['platform.tar.zst.unfinished']);
  await expectRefusal(`${file}.unfinished`, /is truncated/);
  const next = new ArchiveWriter(file, quiet);
  await next.addText(headerName, JSON.stringify(validHeader()));
  await next.finish();
  expect(readdirSync(join(file, '..'))).toEqual(['platform.tar.zst']);
  await verifyBackup(file, quiet);
});
