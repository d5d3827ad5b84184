import { join } from 'node:path';
import { readMigrations } from '@husky/runtime/database/migrations';
import { testDatabase } from '@husky/testkit/servers';
import { afterAll, expect, test } from 'vitest';
import { effectiveQuota, saveEventSettings } from '../src/store/quota.ts';
import { startService } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

test('lets a replica of the previous version read and update the settings by the old name of the table', async () => {
  const { pool } = service;
  await saveEventSettings(pool, { version: 3, frozen: true, maxSubmissions: 9 });
  expect((await pool.query('SELECT frozen, version, max_submissions FROM event_freeze WHERE id = 1')).rows).toEqual([
    { frozen: true, version: 3, max_submissions: 9 },
  ]);
  await pool.query('UPDATE event_freeze SET frozen = false, version = 4, max_uploads_a_day = 7 WHERE version < 4');
  const configured = { maxSubmissions: 5, maxUploadsADay: 100 };
  const user = '00000000-0000-4000-8000-000000000000';
  expect(await effectiveQuota(pool, user, configured)).toEqual({ maxSubmissions: 9, maxUploadsADay: 7 });
});

test('keeps the freeze and the quotas of the previous version in an upgrade', async () => {
  const database = await testDatabase('submission');
  const client = await database.admin.connect();
  try {
    await client.query('BEGIN; CREATE SCHEMA earlier; SET LOCAL search_path TO earlier');
    for (const { name, sql } of readMigrations(join(import.meta.dirname, '../prisma/migrations'))) {
      if (name.endsWith('_event_settings')) {
        await client.query('UPDATE event_freeze SET frozen = true, version = 2, max_submissions = 8');
      }
      await client.query(sql);
    }
    const { rows } = await client.query('SELECT frozen, version, max_submissions FROM event_settings');
    expect(rows).toEqual([{ frozen: true, version: 2, max_submissions: 8 }]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
    await database.drop();
  }
});
