// Base backups of a real PostgreSQL over the replication protocol, and point-in-time recovery from the archived write-ahead log.

import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { freePort } from '@husky/platform/free-port';
import { giveFolder, unprivilegedUser } from '@husky/platform/os-user';
import { type PostgresServer, startPostgres } from '@husky/platform/postgres-server';
import { sql } from '@husky/runtime/sql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { renderedScript, withBackups } from '../../k8s/rendered-script.ts';
import { s3Store } from '../../services/live-data/test/object-stores.ts';
import { createBaseBackup, verifyBaseBackup } from './base-backup.ts';
import { fileBucket } from './base-bucket.ts';
import { copyToBucket, fetchFromBucket } from './base-copy.ts';
import { findBackup, serverOfSegment, tarName } from './base-manifest.ts';
import { waitForRecovery } from './recovery.ts';
import { restoreBaseBackup, undoRestore } from './restore-base.ts';

const password = randomBytes(8).toString('hex');
let folder: string;
let wal: string;
let backups: string;
let server: PostgresServer;
let client: pg.Client;
let first: string;

/** Archives with the chart's script. */
function archiving(): string[] {
  const script = join(folder, 'archive.sh');
  writeFileSync(script, renderedScript(withBackups, 'archive.sh', { '/var/lib/husky-backups': folder }));
  return ['archive_mode=on', `archive_command=sh ${script} %p %f`, 'wal_level=replica'];
}

async function connect(to: PostgresServer): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: to.adminUrl });
  connected.on('error', () => undefined);
  await connected.connect();
  return connected;
}

/** Adds a row. Returns a time after its commit and before that of the next row, in full milliseconds, as in JavaScript. */
async function addFact(text: string): Promise<Date> {
  await client.query(sql`INSERT INTO facts (text) VALUES (${text})`);
  const { rows } = await client.query<{ at: Date }>(
    `SELECT date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond' AS at FROM (SELECT pg_sleep(0.002)) AS paused`,
  );
  await client.query('SELECT pg_sleep(0.003)');
  return rows[0]?.at ?? new Date();
}

/** Waits until the current write-ahead log has been archived. */
async function waitUntilArchived(): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
  const name = rows[0]?.name ?? '';
  await expect.poll(() => readdirSync(wal), { timeout: 60_000 }).toContain(`${name}.gz`);
}

/** Starts PostgreSQL on a restored data folder and returns the rows after recovery. */
async function readFacts(dataDir: string): Promise<string[]> {
  giveFolder(dataDir, unprivilegedUser());
  const restored = await startPostgres({ dataDir, port: await freePort(), password });
  try {
    const reader = await connect(restored);
    await expect
      .poll(async () => (await reader.query('SELECT pg_is_in_recovery() AS busy')).rows[0].busy, { timeout: 60_000 })
      .toBe(false);
    const { rows } = await reader.query<{ text: string }>('SELECT text FROM facts ORDER BY id');
    await reader.end();
    return rows.map((row) => row.text);
  } finally {
    await restored.stop();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'husky-base-'));
  chmodSync(folder, 0o755);
  wal = join(folder, 'wal');
  backups = join(folder, 'backups');
  mkdirSync(wal);
  giveFolder(wal, unprivilegedUser());
  server = await startPostgres({
    dataDir: join(folder, 'data'),
    port: await freePort(),
    password,
    settings: archiving(),
  });
  client = await connect(server);
  await client.query('CREATE TABLE facts (id serial PRIMARY KEY, text text, filler text)');
  await client.query(
    `INSERT INTO facts (text, filler) SELECT 'old', repeat(md5(n::text), 30) FROM generate_series(1, 3) AS n`,
  );
  // As in a server that was itself restored to a point in time.
  await client.query(`ALTER SYSTEM SET recovery_target_time = '2020-01-01 00:00:00+00'`);
  first = await createBaseBackup({ url: server.adminUrl, folder: backups, walFolder: wal, keep: 2 });
}, 120_000);

afterAll(async () => {
  await client?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

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

test('replaces a data folder as the last step, and brings it back', async () => {
  const dataDir = join(folder, 'replaced');
  mkdirSync(join(`${dataDir}.restoring`, 'of a killed restore'), { recursive: true });
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'PG_VERSION'), '17');
  const damaged = join(folder, 'damaged');
  mkdirSync(damaged);
  await expect(restoreBaseBackup({ backup: damaged, dataDir, replace: true })).rejects.toThrow(
    'not a complete base backup',
  );
  expect(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8')).toBe('17');
  const at = new Date('2030-01-01T10:00:00Z');
  const before = await restoreBaseBackup({ backup: first, dataDir, replace: true }, at);
  expect(before).toBe(`${dataDir}.replaced-2030-01-01T10-00-00`);
  expect(readFileSync(join(before ?? '', 'PG_VERSION'), 'utf8')).toBe('17');
  expect(await readFacts(dataDir)).toEqual(['old', 'old', 'old']);
  expect(undoRestore(dataDir, at)).toEqual({ from: before, present: `${dataDir}.undone-2030-01-01T10-00-00` });
  expect(readFileSync(join(dataDir, 'PG_VERSION'), 'utf8')).toBe('17');
  expect(() => undoRestore(dataDir)).toThrow('There is no folder');
  expect(readdirSync(folder).filter((name) => name.endsWith('.restoring'))).toEqual([]);
}, 120_000);

test('follows the chosen timeline: a later time of the first server after a restore to an earlier one', async () => {
  const earlier = await addFact('before the first restore');
  const later = await addFact('needed after all');
  await addFact('after both');
  await waitUntilArchived();
  const dataDir = join(folder, 'second');
  await restoreBaseBackup({ backup: first, dataDir, walFolder: wal, until: earlier });
  giveFolder(dataDir, unprivilegedUser());
  // It archives its new timeline, as a restored release does.
  const restored = await startPostgres({ dataDir, port: await freePort(), password, settings: archiving() });
  await waitForRecovery({ url: restored.adminUrl, seconds: 60, onProgress: () => undefined });
  await expect.poll(() => readdirSync(wal), { timeout: 60_000 }).toContain('00000002.history.gz');
  await restored.stop();
  const again = join(folder, 'again');
  await restoreBaseBackup({ backup: first, dataDir: again, walFolder: wal, until: later, timeline: 'current' });
  expect((await readFacts(again)).at(-1)).toBe('needed after all');
  // Later tests restore the newest state of the first server.
  rmSync(join(wal, '00000002.history.gz'));
}, 300_000);

test('waits for the end of a recovery, and gives up without progress', async () => {
  const lines: string[] = [];
  const onProgress = (line: string) => void lines.push(line);
  await waitForRecovery({ url: server.adminUrl, seconds: 10, onProgress });
  expect(lines).toEqual(['the recovery has ended: PostgreSQL accepts changes']);
  const url = `postgres://postgres@127.0.0.1:${await freePort()}/postgres`;
  await expect(waitForRecovery({ url, seconds: 1, onProgress })).rejects.toThrow(
    /^PostgreSQL has made no progress for 1 s: .*ECONNREFUSED/,
  );
}, 60_000);

test('finds a backup by its name, and the newest one before a time', () => {
  expect(findBackup(backups, 'newest')).toBe(first);
  const name = first.split('/').at(-1) ?? '';
  expect(findBackup(backups, name)).toBe(first);
  expect(() => findBackup(backups, 'husky-2020-01-01T00-00-00')).toThrow(`The backups in ${backups} are: ${name}.`);
  expect(() => findBackup(backups, name, new Date('2020-01-01'))).toThrow('was begun after 2020-01-01T00:00:00.000Z');
  expect(() => findBackup(backups, 'newest', new Date('2999-01-01'))).toThrow('UNTIL is in the future');
  expect(() => findBackup(backups, 'newest', new Date('2020-01-01'))).toThrow(
    'no backup before 2020-01-01T00:00:00.000Z',
  );
});

test('keeps the newest backups and the archived log that they need', async () => {
  const segments = () => readdirSync(wal).filter((name) => /^[0-9A-F]{24}\.gz$/.test(name));
  const [oldest] = segments().sort();
  for (const at of ['2030-01-01', '2030-01-02']) {
    await addFact(at);
    await waitUntilArchived();
    await createBaseBackup({ url: server.adminUrl, folder: backups, walFolder: wal, keep: 2 }, new Date(at));
  }
  expect(readdirSync(backups).sort()).toEqual(['husky-2030-01-01T00-00-00', 'husky-2030-01-02T00-00-00']);
  expect(segments()).not.toContain(oldest);
  const restored = join(folder, 'pruned');
  await restoreBaseBackup({ backup: join(backups, 'husky-2030-01-01T00-00-00'), dataDir: restored, walFolder: wal });
  expect((await readFacts(restored)).at(-1)).toBe('2030-01-02');
}, 300_000);

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
  await expect(createBaseBackup({ url: server.adminUrl, password: 'wrong', folder: backups, keep: 2 })).rejects.toThrow(
    'password',
  );
  expect(readdirSync(backups).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
});

describe('a bucket', () => {
  async function openStore() {
    const store = await s3Store({ acceptsAnySignature: true });
    onTestFinished(() => store.stop());
    const bucket = fileBucket(store.settings.s3);
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
    await createBaseBackup({ url: server.adminUrl, folder: backups, walFolder: wal, keep: 2 }, new Date('2030-01-03'));
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
