import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BadArchive, unpack } from './bot-files.ts';
import { FolderStore } from './folders.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'husky-files-'));
  for (const name of ['in', 'out']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

async function* packed(names: readonly string[], options: object = {}): AsyncGenerator<{ data: Buffer }> {
  for await (const data of create({ cwd: join(root, 'in'), gzip: true, ...options }, [...names]))
    yield { data: data as Buffer };
}

describe('an archive of packages', () => {
  it('is unpacked with its subfolders', async () => {
    mkdirSync(join(root, 'in/numbers'));
    writeFileSync(join(root, 'in/numbers/__init__.py'), 'ONE = 1\n');
    await unpack(packed(['numbers']), join(root, 'out'));
    expect(readFileSync(join(root, 'out/numbers/__init__.py'), 'utf8')).toBe('ONE = 1\n');
  });

  it('with a link is refused', async () => {
    symlinkSync('/etc/passwd', join(root, 'in/link'));
    await expect(unpack(packed(['link']), join(root, 'out'))).rejects.toThrow(BadArchive);
    expect(readdirSync(join(root, 'out'))).toEqual([]);
  });

  it('with a path outside of the target is refused', async () => {
    writeFileSync(join(root, 'evil.py'), '');
    await expect(unpack(packed(['../evil.py'], { preservePaths: true }), join(root, 'out'))).rejects.toThrow(
      BadArchive,
    );
  });

  it('that is truncated is refused', async () => {
    writeFileSync(join(root, 'in/data.py'), 'x = 1\n'.repeat(20_000));
    async function* cut() {
      for await (const { data } of packed(['data.py'])) yield { data: data.subarray(0, data.length >> 1) };
    }
    await expect(unpack(cut(), join(root, 'out'))).rejects.toThrow(BadArchive);
  });
});

describe('the store of folders', () => {
  const hash = (digit: string) => digit.repeat(64);
  const fill = async (folder: string) => writeFileSync(join(folder, 'player.py'), '', { mode: 0o600 });

  it('fills a folder once and makes it readable', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    let filled = 0;
    const count = async (folder: string) => {
      filled += 1;
      await fill(folder);
    };
    const first = await store.getOrCreate(hash('1'), count);
    expect(await store.getOrCreate(hash('1'), count)).toBe(first);
    expect(filled).toBe(1);
    expect(statSync(join(first, 'player.py')).mode & 0o777).toBe(0o644);
  });

  it('does not change the permissions of an existing folder, which the fleet has created', async () => {
    mkdirSync(join(root, 'bots'), { mode: 0o700 });
    await new FolderStore(join(root, 'bots'), 2).getOrCreate(hash('1'), fill);
    expect(statSync(join(root, 'bots')).mode & 0o777).toBe(0o700);
  });

  it('leaves nothing behind when filling fails', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    const failing = async () => {
      throw new Error('away');
    };
    await expect(store.getOrCreate(hash('1'), failing)).rejects.toThrow('away');
    expect(readdirSync(join(root, 'bots'))).toEqual([]);
  });

  it('removes the least recently used folders beyond its limit, except those in use', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    for (const digit of ['1', '2', '3', '4']) await store.getOrCreate(hash(digit), fill);
    await store.trim(new Set([hash('1')]));
    const left = readdirSync(join(root, 'bots')).sort();
    expect(left).toHaveLength(2);
    expect(left[0]).toBe(hash('1'));
  });

  it('refuses a name that is not a hash', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    await expect(store.getOrCreate('../../etc', fill)).rejects.toThrow(RangeError);
  });
});
