// Restoring the base backups of a real PostgreSQL in the place of a data folder, and choosing backups and timelines.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@husky/platform/free-port';
import { afterAll, expect, test } from 'vitest';
import { findBackup } from './base-manifest.ts';
import { waitForRecovery } from './recovery.ts';
import { restoreBaseBackup, undoRestore } from './restore-base.ts';
import { startArchivingServer } from './test/archiving-server.ts';

const source = await startArchivingServer();
afterAll(() => source.stop());
const { folder, wal, backups, first, archiving, addFact, waitUntilArchived, readFacts, startRestored } = source;

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
  // It archives its new timeline, as a restored release does.
  const restored = await startRestored(dataDir, archiving);
  await waitForRecovery({ url: restored.adminUrl, seconds: 60, onProgress: () => undefined });
  await expect.poll(() => readdirSync(wal), { timeout: 60_000 }).toContain('00000002.history.gz');
  await restored.stop();
  const again = join(folder, 'again');
  await restoreBaseBackup({ backup: first, dataDir: again, walFolder: wal, until: later, timeline: 'current' });
  expect((await readFacts(again)).at(-1)).toBe('needed after all');
}, 300_000);

test('waits for the end of a recovery, and gives up without progress', async () => {
  const lines: string[] = [];
  const onProgress = (line: string) => void lines.push(line);
  await waitForRecovery({ url: source.adminUrl, seconds: 10, onProgress });
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
