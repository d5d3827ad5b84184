// What backup and restore say about hands in the archive of old hands.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@husky/runtime/database/sql';
import { testDatabase } from '@husky/testkit/servers';
import { afterAll, expect, test } from 'vitest';
import { openObjects } from '../../services/live-data/src/archive/open-objects.ts';
import { packObject, sha256Of } from '../../services/live-data/src/domain/archive-object.ts';
import { checkArchived, countArchived } from './archived-hands.ts';

const database = await testDatabase('live-data');
const folder = mkdtempSync(join(tmpdir(), 'husky-archived-'));
const objects = await openObjects({ folder });
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const url = (() => {
  const { password } = database;
  const withPassword = new URL(database.url);
  withPassword.password = password;
  return withPassword.href;
})();
const check = () => checkArchived(url, { folder });

/** Stores an object and its row. Returns the id of its match. */
async function archive(state: 'archived' | 'being written' | 'deleted'): Promise<string> {
  const jobId = crypto.randomUUID();
  const chunks = [{ firstHand: 1, hands: 2, bytes: Buffer.alloc(2 ** 20) }];
  const object = packObject({ jobId, attempt: 1, chunks });
  await objects.put(`hands/${jobId}`, object);
  await database.admin.query(
    sql`INSERT INTO live_data.archived_hands (job_id, attempt, hands, bytes, sha256, archived_at, deleted_at)
      VALUES (${jobId}, 1, 2, ${object.length}, ${sha256Of(object)}, ${state === 'being written' ? null : new Date()},
        ${state === 'deleted' ? new Date() : null})`,
  );
  return jobId;
}

test('says nothing without archived hands, as in a database without the table', async () => {
  expect(await check()).toEqual([]);
  await database.admin.query('ALTER TABLE live_data.archived_hands RENAME TO later');
  expect(await countArchived(url)).toEqual({ matches: 0, bytes: 0 });
  expect(await check()).toEqual([]);
  await database.admin.query('ALTER TABLE live_data.later RENAME TO archived_hands');
});

test('compares every archived object with the database and names those that cannot be read', async () => {
  const [missing, damaged] = [await archive('archived'), await archive('archived')];
  await archive('archived');
  for (const state of ['being written', 'deleted'] as const) await objects.delete(`hands/${await archive(state)}`);
  const text = 'the hands of 3 matches (3.0 MiB) are in the archive of old hands, which is not part of the backup';
  expect((await countArchived(url)).matches).toBe(3);
  expect(await check()).toEqual([`${text}: every object is intact`]);
  expect(await checkArchived(url, undefined)).toEqual([`${text}: set ARCHIVE_URL to compare it, and for make up`]);
  await objects.delete(`hands/${missing}`);
  await objects.put(`hands/${damaged}`, Buffer.from('another object'));
  const [summary, ...problems] = await check();
  expect(summary).toBe(`${text}: 2 objects cannot be read`);
  expect(problems.sort()).toEqual(
    [
      `The hands of match ${missing} cannot be read: their file in the archive of old matches is missing. Please tell an administrator.`,
      `The hands of match ${damaged} cannot be read: their file in the archive of old matches is damaged. Please tell an administrator.`,
    ].sort(),
  );
});

test('says that the archive cannot be reached', async () => {
  const lines = await checkArchived(url, { folder: join(folder, 'nowhere') });
  expect(lines[0]).toContain(': 3 objects cannot be read');
  expect(lines[1]).toContain('which cannot be reached');
});
