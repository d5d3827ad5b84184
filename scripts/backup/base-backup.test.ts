import { createHash } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { giveFolder, unprivilegedUser } from '@husky/platform/os-user';
import { s3Store } from '@husky/testkit/s3-store';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBaseBackup, verifyBaseBackup } from './base-backup.ts';
import { fileBucket } from './base-bucket.ts';
import { copyToBucket, fetchFromBucket } from './base-copy.ts';
import { serverOfSegment, tarName } from './base-manifest.ts';
import { restoreBaseBackup } from './restore-base.ts';
import { startArchivingServer } from './test/archiving-server.ts';

const source = await startArchivingServer();
afterAll(() => source.stop());
const { folder, wal, backups, first, client, addFact, waitUntilArchived, readFacts } = source;

test('restores the end of a base backup, and with the archive a point in time between two changes', async () => {
  const between = await addFact('kept');
  await addFact('too late');
  await waitUntilArchived();
  const copy = join(folder, 'copy');
  await restoreBaseBackup({ backup: first, dataDir: copy });
  expect(await readFacts(copy)).toEqual(['old', 'old', 'old']);
  const past = join(folder, 'past');
  await restoreBaseBackup({ backup: first, dataDir: past, walFolder: wal, until: between });
  expect(await readFacts(past)).toEqual(['old', 'old', 'old', 'kept']);
  const newest = join(folder, 'newest');
  await restoreBaseBackup({ backup: first, dataDir: newest, walFolder: wal });
  expect(await readFacts(newest)).toEqual(['old', 'old', 'old', 'kept', 'too late']);
}, 300_000);

test('keeps the newest backups and the archived log that they need', async () => {
  const segments = () => readdirSync(wal).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name));
  const [oldest] = segments().sort();
  for (const at of ['2030-01-01', '2030-01-02']) {
    await addFact(at);
    await waitUntilArchived();
    await createBaseBackup({ url: source.adminUrl, folder: backups, walFolder: wal, keep: 2 }, new Date(at));
  }
  expect(readdirSync(backups).sort()).toEqual(['husky-2030-01-01T00-00-00', 'husky-2030-01-02T00-00-00']);
  expect(segments()).not.toContain(oldest);
  const restored = join(folder, 'pruned');
  await restoreBaseBackup({ backup: join(backups, 'husky-2030-01-01T00-00-00'), dataDir: restored, walFolder: wal });
  expect((await readFacts(restored)).at(-1)).toBe('2030-01-02');
}, 300_000);

test('removes the backups beyond a lowered number before it copies', async () => {
  const kept = ['husky-2030-01-01T00-00-00', 'husky-2030-01-02T00-00-00', 'husky-2030-01-03T00-00-00'];
  const target = join(folder, 'lowered');
  for (const name of kept) mkdirSync(join(target, name), { recursive: true });
  const copied = createBaseBackup({ url: source.adminUrl, password: 'wrong', folder: target, keep: 1 });
  await expect(copied).rejects.toThrow('password');
  expect(readdirSync(target)).toEqual(kept.slice(-1));
});

test('archiving goes on after a crash that lost the note of an archived segment', async () => {
  const status = join(folder, 'data/pg_wal/archive_status');
  const segments = readdirSync(status).filter((name) => /^[0-9A-F]{24}\.done$/.test(name));
  const done = segments.sort().at(-1) ?? '';
  const ready = done.replace('.done', '.ready');
  expect(readdirSync(wal)).toContain(done.replace('.done', '.gz'));
  renameSync(join(status, done), join(status, ready));
  await addFact('after the crash');
  await waitUntilArchived();
  await expect.poll(() => readdirSync(status), { timeout: 60_000 }).not.toContain(ready);
  const { rows } = await client.query('SELECT failed_count::int AS failed FROM pg_stat_archiver');
  expect(rows).toEqual([{ failed: 0 }]);
}, 120_000);

test('refuses a damaged backup, a folder that is not empty and a wrong password', async () => {
  const newest = join(backups, 'husky-2030-01-02T00-00-00');
  const broken = join(folder, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, tarName), readFileSync(join(newest, tarName)).subarray(0, 100_000));
  writeFileSync(join(broken, 'backup_manifest'), readFileSync(join(newest, 'backup_manifest')));
  await expect(verifyBaseBackup(broken)).rejects.toThrow('truncated or damaged');
  await expect(restoreBaseBackup({ backup: newest, dataDir: backups })).rejects.toThrow('is not empty');
  await expect(restoreBaseBackup({ backup: newest, dataDir: broken, until: new Date() })).rejects.toThrow(
    'is not empty',
  );
  await expect(createBaseBackup({ url: source.adminUrl, password: 'wrong', folder: backups, keep: 2 })).rejects.toThrow(
    'password',
  );
  expect(readdirSync(backups).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
});

describe('a bucket', () => {
  async function openStore() {
    const store = await s3Store({ acceptsAnySignature: true });
    onTestFinished(() => store.stop());
    const bucket = fileBucket(store.settings);
    const copy = async (change: { folder?: string; walFolder?: string; keep?: number } = {}) => {
      const changes: string[] = [];
      const onChange = (kind: string, key: string) => changes.push(`${kind} ${key.split('/').slice(1).join('/')}`);
      await copyToBucket({ bucket, folder: backups, walFolder: wal, keep: 2, onChange, ...change });
      return changes;
    };
    return { store, bucket, copy };
  }

  test('gets what is new, and keeps what a lost volume had: a point in time is restored from it', async () => {
    const { bucket, copy } = await openStore();
    const everything = await copy();
    expect(everything.slice(-4)).toEqual([
      'copied base/husky-2030-01-01T00-00-00/base.tar.zst',
      'copied base/husky-2030-01-01T00-00-00/backup_manifest',
      'copied base/husky-2030-01-02T00-00-00/base.tar.zst',
      'copied base/husky-2030-01-02T00-00-00/backup_manifest',
    ]);
    expect(everything.some((change) => /^copied wal\/[0-9A-F]{24}\.gz$/.test(change))).toBe(true);
    expect(await copy()).toEqual([]);
    const until = await addFact('in the bucket');
    await addFact('too late');
    await waitUntilArchived();
    expect(await copy()).toEqual([expect.stringMatching(/^copied wal/)]);
    expect(await copy({ folder: join(folder, 'nothing'), walFolder: join(folder, 'nothing') })).toEqual([]);
    const [fetched, log] = [join(folder, 'fetched'), join(folder, 'fetched-wal')];
    const backup = await fetchFromBucket({ bucket, folder: fetched, walFolder: log });
    expect(backup).toBe(join(fetched, 'husky-2030-01-02T00-00-00'));
    const restored = join(folder, 'from-bucket');
    giveFolder(log, unprivilegedUser());
    await restoreBaseBackup({ backup, dataDir: restored, walFolder: log, until });
    expect((await readFacts(restored)).at(-1)).toBe('in the bucket');
    await expect(fetchFromBucket({ bucket, folder: fetched, backup: 'husky-1999' })).rejects.toThrow(
      /does not have the backup husky-1999: .* They are: \d+\/husky-2030-01-01T00-00-00, \d+\/husky-2030-01-02T00-00-00\.$/,
    );
  }, 300_000);

  test('refuses a file that differs from the one of the same name, and does not get segments of another server', async () => {
    const { bucket, copy } = await openStore();
    await copy();
    const segments = readdirSync(wal).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name));
    const last = segments.sort().at(-1) ?? '';
    const walFolder = join(folder, 'mixed-wal');
    mkdirSync(walFolder);
    const content = gunzipSync(readFileSync(join(wal, last)));
    const [server = ''] = [...(await bucket.list('')).keys()].map((key) => key.split('/')[0]);
    writeFileSync(join(walFolder, last), gzipSync(content));
    expect(serverOfSegment(join(walFolder, last))).toBe(server);
    content.writeUInt8(content.readUInt8(24) ^ 1, 24);
    writeFileSync(join(walFolder, '0000000100000000000000FE.gz'), gzipSync(content));
    writeFileSync(join(walFolder, last), gzipSync(content, { level: 1 }));
    expect(await copy({ walFolder })).toEqual([]);
    writeFileSync(join(walFolder, last), 'short');
    await expect(copy({ walFolder })).rejects.toThrow();
    const named = `${server}/base/husky-2030-01-02T00-00-00/backup_manifest`;
    await bucket.delete(named);
    const other = join(folder, 'other-manifest');
    writeFileSync(other, `${readFileSync(join(backups, named.split('/base/')[1] ?? ''), 'utf8')} `);
    await bucket.upload(named, other);
    await expect(copy()).rejects.toThrow(`${named} in the bucket is another file than`);
  }, 300_000);

  test('keeps the newest backups, also those that are only there: an older one on the volume is not copied', async () => {
    const { bucket, copy } = await openStore();
    await copy();
    const volume = join(folder, 'restored-volume');
    await fetchFromBucket({ bucket, folder: volume, backup: 'husky-2030-01-01T00-00-00' });
    const changes = await copy({ folder: volume, walFolder: join(folder, 'nothing'), keep: 1 });
    const deletedSegments = changes.filter((change) => change.startsWith('deleted wal/'));
    expect(changes).toEqual([
      'deleted base/husky-2030-01-01T00-00-00/backup_manifest',
      'deleted base/husky-2030-01-01T00-00-00/base.tar.zst',
      ...deletedSegments,
    ]);
    expect(await copy({ folder: volume, walFolder: join(folder, 'nothing'), keep: 1 })).toEqual([]);
    await bucket.upload(
      '1234/base/husky-2031-01-01T00-00-00/backup_manifest',
      join(volume, 'husky-2030-01-01T00-00-00/backup_manifest'),
    );
    await expect(fetchFromBucket({ bucket, folder: volume })).rejects.toThrow('has backups of several servers');
  }, 300_000);

  test('loses its old backups with the log that only they need, after new ones are complete', async () => {
    const { store, bucket, copy } = await openStore();
    const [first, second] = ['base/husky-2030-01-01T00-00-00', 'base/husky-2030-01-02T00-00-00'];
    await copy({ keep: 1 });
    expect([...(await bucket.list('')).keys()].filter((key) => key.includes(first))).toEqual([]);
    await createBaseBackup({ url: source.adminUrl, folder: backups, walFolder: wal, keep: 2 }, new Date('2030-01-03'));
    await store.interrupt();
    await expect(copy({ keep: 1 })).rejects.toThrow(/^LIST \d+\/: /);
    await store.resume();
    const changes = await copy({ keep: 1 });
    expect(changes).toContain('copied base/husky-2030-01-03T00-00-00/backup_manifest');
    const deleted = changes.filter((change) => change.startsWith('deleted'));
    expect(deleted.slice(0, 2)).toEqual([`deleted ${second}/backup_manifest`, `deleted ${second}/base.tar.zst`]);
    expect(deleted.slice(2).every((change) => change.startsWith('deleted wal/'))).toBe(true);
    expect(await copy({ keep: 1 })).toEqual([]);
  }, 300_000);
});

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

test('a file that needs several parts is stored and read back whole; a key without an object is an error with its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'husky-parts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await s3Store({ acceptsAnySignature: true });
  onTestFinished(() => store.stop());
  const bucket = fileBucket(store.settings);
  const [file, copy] = [join(folder, 'file'), join(folder, 'copy')];
  writeFileSync(file, 'start');
  const bytes = (130 << 20) + 5;
  truncateSync(file, bytes);
  await bucket.upload('1/base/one/base.tar.zst', file);
  expect(await bucket.list('1/')).toEqual(new Map([['1/base/one/base.tar.zst', bytes]]));
  await bucket.download('1/base/one/base.tar.zst', copy);
  expect(await sha256Of(copy)).toBe(await sha256Of(file));
  await bucket.delete('1/base/one/base.tar.zst');
  expect(await bucket.list('')).toEqual(new Map());
  await expect(bucket.read('1/base/one/backup_manifest')).rejects.toThrow(
    'GET 1/base/one/backup_manifest: 404 NoSuchKey',
  );
}, 60_000);
