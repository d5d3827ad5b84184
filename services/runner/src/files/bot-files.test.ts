import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { BadArchive, packageLimits } from '@husky/contracts/package-archive';
import type { Seat__Output } from '@husky/contracts/types/simulation/v1/Seat';
import { createLogger } from '@husky/runtime/process/logger';
import { DomainError } from '@husky/runtime/rpc/errors';
import { type Header, pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../context.ts';
import { BotFiles, PackagesUnavailable, unpack } from './bot-files.ts';
import { FolderStore } from './folders.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'husky-files-'));
  mkdirSync(join(root, 'out'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(root, { recursive: true });
});

/** Packs files and, by their headers, other entries. */
async function packed(...entries: (readonly [path: string, content: string | Buffer, more?: Partial<Header>])[]) {
  const archive = pack();
  const packing = (async () => {
    for (const [name, content, more] of entries) {
      await new Promise<unknown>((resolve) => {
        if (more?.type === undefined) archive.entry({ name, ...more }, content, resolve);
        else archive.entry({ name, ...more }, resolve);
      });
    }
    archive.finalize();
  })();
  const parts: Buffer[] = [];
  for await (const part of archive.pipe(createGzip({ level: 1 }))) parts.push(part as Buffer);
  await packing;
  return Buffer.concat(parts);
}
async function* inParts(archive: Buffer, length = 1 << 20) {
  for (let from = 0; from < archive.length; from += length) yield { data: archive.subarray(from, from + length) };
}
const zeros = (length: number) => Buffer.alloc(length);
const files = (count: number, content: string | Buffer = '') =>
  Array.from({ length: count }, (_, index) => [`p/f${index}.py`, content] as const);
const folders = (count: number) =>
  Array.from({ length: count }, (_, index) => [`d${index}`, '', { type: 'directory' }] as const);

describe('an archive of packages', () => {
  it('is unpacked with its subfolders', async () => {
    await unpack(inParts(await packed(['./numbers/more/__init__.py', 'ONE = 1\n']), 7), join(root, 'out'));
    expect(readFileSync(join(root, 'out/numbers/more/__init__.py'), 'utf8')).toBe('ONE = 1\n');
  });

  const { bytes, entries, pathBytes, levels } = packageLimits;
  const pathOf = (length: number) => `${'n'.repeat(200)}/${'n'.repeat(length - 201)}`;
  const atTheLimit: [string, () => Promise<Buffer>][] = [
    ['all allowed bytes, which compress a thousandfold', () => packed(['a', zeros(bytes - 1)], ['b', zeros(1)])],
    ['all allowed files and folders', () => packed(...files(100), ...folders(entries - 101))],
    ['the longest path', () => packed([pathOf(pathBytes), ''])],
    ['the deepest path', () => packed([`${'d/'.repeat(levels - 1)}x`, ''])],
  ];
  it.each(atTheLimit)('with %s is unpacked', async (_, archive) => {
    await unpack(inParts(await archive()), join(root, 'out'));
    expect(readdirSync(join(root, 'out'))).not.toEqual([]);
  });

  const bad: [string, () => Promise<Buffer>, string][] = [
    ['one byte too many', () => packed(['a', zeros(bytes)], ['b', zeros(1)]), 'takes more than 200 MiB unpacked'],
    ['one file too many', () => packed(...folders(entries - 100), ...files(100)), 'more than 20,000 files and folders'],
    ['a path of one byte too many', () => packed([pathOf(pathBytes + 1), '']), 'a path of more than 300 bytes: nnn'],
    ['a path of one level too many', () => packed([`${'d/'.repeat(levels)}x`, '']), 'more than 20 levels: d/d/'],
    ['a link', () => packed(['link', '', { type: 'symlink', linkname: '/etc/passwd' }]), 'holds a symlink: link'],
    ['a path outside of the target', () => packed(['../evil.py', '']), 'leads outside: ../evil.py'],
    ['an absolute path', () => packed(['/evil.py', '']), 'leads outside: /evil.py'],
    ['the same file twice', () => packed(['x', ''], ['./x', '']), 'holds a file twice: x'],
    [
      'headers without files',
      () => packed(...files(100).map(([path]) => [path, '', { pax: { c: 'c'.repeat(3_000_000) } }] as const)),
      'takes more than its files need',
    ],
  ];
  it.each(bad)('with %s is refused', async (_, archive, why) => {
    const unpacked = unpack(inParts(await archive()), join(root, 'out'));
    await expect(unpacked).rejects.toThrow(BadArchive);
    await expect(unpacked).rejects.toThrow(why);
  });

  it('that is truncated or no archive is refused as damaged', async () => {
    const archive = await packed(['data.py', 'x = 1\n'.repeat(20_000)]);
    for (const bad of [archive.subarray(0, archive.length >> 1), Buffer.from('no archive at all')]) {
      const unpacked = unpack(inParts(bad, 50), join(root, 'out'));
      await expect(unpacked).rejects.toThrow(/^the package archive is damaged: /);
    }
  });

  it('whose parts fail ends with their error', async () => {
    const away = new DomainError('UNAVAILABLE', 'away', 'away');
    async function* failing() {
      yield { data: (await packed(['data.py', 'x'])).subarray(0, 20) };
      throw away;
    }
    await expect(unpack(failing(), join(root, 'out'))).rejects.toBe(away);
  });

  it('that is aborted at any point ends with AbortError and leaves no folder', async () => {
    const store = new FolderStore(join(root, 'packages'), 2);
    const archive = await packed(...files(100, zeros(5000)));
    for (let stop = 1; stop <= 40; stop++) {
      const abort = new AbortController();
      let progress = 0;
      const onProgress = () => {
        if (++progress === stop) abort.abort();
      };
      const created = store.getOrCreate('a'.repeat(64), (folder) =>
        unpack(inParts(archive, 50), folder, abort.signal, onProgress),
      );
      await expect(created).rejects.toMatchObject({ name: 'AbortError' });
      expect(readdirSync(join(root, 'packages'))).toEqual([]);
    }
  });
});

describe('fetching the packages of a seat', () => {
  const seat = { packagesHash: 'b'.repeat(64) } as Seat__Output;
  const log = createLogger('test', 'silent');
  /** Fetches parts through the real store; `parts` is what submission sends. */
  const fetch = (
    parts: (signal: AbortSignal) => AsyncIterable<{ data: Buffer }>,
    signal = new AbortController().signal,
  ) => {
    const submission = { fetchPackages: (_: object, options: { signal: AbortSignal }) => parts(options.signal) };
    const botFiles = new BotFiles({ runDir: root, log, submission } as unknown as Context);
    return botFiles.fetchPackages(seat, (more) => more, signal);
  };
  const left = () => readdirSync(join(root, 'packages'));
  /** Ends as a gRPC stream does whose call is aborted. */
  const aborted = async (signal: AbortSignal) => {
    if (!signal.aborted) await once(signal, 'abort');
  };

  it('takes as long as it makes progress', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const archive = await packed(['data.py', 'x = 1\n']);
    async function* slow() {
      for await (const part of inParts(archive, 10)) {
        await vi.advanceTimersByTimeAsync(39_000);
        yield part;
      }
    }
    expect(await fetch(slow)).toBe(`packages/${seat.packagesHash}`);
  });

  it('gives up after 40 s without progress, which is not the fault of the packages', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const archive = await packed(['data.py', 'x = 1\n']);
    async function* stuck(signal: AbortSignal, length = 30) {
      if (length > 0) yield { data: archive.subarray(0, length) };
      void vi.advanceTimersByTimeAsync(40_000);
      await aborted(signal);
    }
    const failed = fetch(stuck);
    await expect(failed).rejects.toThrow('not fetched and unpacked within 40 s of its last progress');
    await expect(failed).rejects.toMatchObject({ name: 'PackagesUnavailable', isFinal: false });
    const nothing = (signal: AbortSignal) => stuck(signal, 0);
    await expect(fetch(nothing)).rejects.toMatchObject({ code: 'DEADLINE_EXCEEDED' });
    expect(left()).toEqual([]);
  });

  it('ends with the match, without blame', async () => {
    const match = new AbortController();
    async function* cancelled(signal: AbortSignal) {
      yield { data: (await packed(['data.py', 'x'])).subarray(0, 30) };
      match.abort(new Error('cancelled'));
      await aborted(signal);
    }
    await expect(fetch(cancelled, match.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(left()).toEqual([]);
  });

  it('blames packages that cannot be stored, without a path of this machine', async () => {
    const archive = await packed(['x', ''], ['x/y', '']);
    const failed = fetch(() => inParts(archive));
    await expect(failed).rejects.toThrow(PackagesUnavailable);
    await expect(failed).rejects.toMatchObject({ isFinal: true, message: 'the runner failed with EEXIST' });
    expect(left()).toEqual([]);
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

  it('reports why filling failed although the folder cannot be removed', async () => {
    const left: unknown[] = [];
    const store = new FolderStore(join(root, 'bots'), 2, (error) => left.push(error));
    const failing = async () => {
      rmSync(join(root, 'bots'), { recursive: true });
      writeFileSync(join(root, 'bots'), '');
      throw new Error('away');
    };
    await expect(store.getOrCreate(hash('1'), failing)).rejects.toThrow('away');
    expect(left).toMatchObject([{ code: 'ENOTDIR' }]);
  });

  it('fills a new folder in each try and removes what an earlier process has left', async () => {
    const store = new FolderStore(join(root, 'bots'), 9);
    mkdirSync(join(root, 'bots', `.incoming-${hash('1')}`, 'numpy'), { recursive: true });
    mkdirSync(join(root, 'bots', '.incoming-x2'));
    const folders: string[] = [];
    await store.getOrCreate(hash('1'), async (folder) => void folders.push(folder));
    await store.getOrCreate(hash('2'), async (folder) => void folders.push(folder));
    expect(new Set(folders).size).toBe(2);
    await store.trim(new Set());
    expect(readdirSync(join(root, 'bots')).sort()).toEqual([hash('1'), hash('2')]);
  });

  it('removes the least recently used folders beyond its limit, except those in use', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    for (const digit of ['1', '2', '3', '4']) await store.getOrCreate(hash(digit), fill);
    await store.trim(new Set([hash('1')]));
    const left = readdirSync(join(root, 'bots')).sort();
    expect(left).toHaveLength(2);
    expect(left[0]).toBe(hash('1'));
  });

  it('does not change a folder that is used again: the seat host knows its copy of packages by the time', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    const path = await store.getOrCreate(hash('1'), fill);
    utimesSync(path, 1, 1);
    await store.getOrCreate(hash('1'), fill);
    expect(statSync(path).mtimeMs).toBe(1000);
  });

  it('refuses a name that is not a hash', async () => {
    const store = new FolderStore(join(root, 'bots'), 2);
    await expect(store.getOrCreate('../../etc', fill)).rejects.toThrow(RangeError);
  });
});
