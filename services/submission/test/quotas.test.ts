import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readMigrations } from '@husky/runtime/database/migrations';
import { sql } from '@husky/runtime/database/sql';
import { testDatabase } from '@husky/testkit/servers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteOldUploads, effectiveQuota, saveEventSettings, saveUserQuota } from '../src/store/quota.ts';
import { files, startService, type TestService, user } from './start-service.ts';

let service: TestService;
let version = 0;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => saveEventSettings(service.pool, { version: ++version, frozen: false }));

const dayMs = 24 * 3_600_000;
const setEvent = (quota: { maxSubmissions?: number; maxUploadsADay?: number }) =>
  saveEventSettings(service.pool, { version: ++version, frozen: false, ...quota });
const setOwn = (id: string, of: number, own: { maxSubmissions?: number; maxUploadsADay?: number }) =>
  saveUserQuota(service.pool, id, of, { maxSubmissions: null, maxUploadsADay: null, ...own });

test('never exceeds the quota of submissions with concurrent uploads', async () => {
  await setEvent({ maxSubmissions: 3 });
  const caller = user(randomUUID());
  const uploads = await Promise.allSettled(
    Array.from({ length: 8 }, () => service.gateway.upload(files(), { caller })),
  );
  expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(service.gateway.upload(files(), { caller })).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    reason: 'too-many-submissions',
    message: 'You can keep at most 3 submissions. Delete one first.',
  });
});

test('counts deleted uploads for 24 hours', async () => {
  await setEvent({ maxUploadsADay: 2 });
  const caller = user(randomUUID());
  const upload = () => service.gateway.upload(files(), { caller });
  const first = Date.UTC(2026, 0, 2, 10, 30);
  service.clock.advance(first - service.clock.now());
  const { id } = await upload();
  await service.gateway.deleteSubmission({ submissionId: id }, { caller });
  service.clock.advance(3_600_000);
  await upload();
  await expect(upload()).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
    reason: 'too-many-uploads-today',
    retryAfterS: 23 * 3600,
    message: 'You have used all of your 2 uploads of 24 hours. The next one is possible at 10:30 UTC on 2026-01-03.',
  });
  // Refused uploads do not count.
  service.clock.advance(first + dayMs - service.clock.now());
  await upload();
  await expect(upload()).rejects.toMatchObject({ reason: 'too-many-uploads-today', retryAfterS: 3600 });
  await expect(service.gateway.upload(files('x = 1\n'), { caller })).rejects.toMatchObject({
    code: 'RESOURCE_EXHAUSTED',
  });
  service.clock.advance(3 * dayMs);
  await deleteOldUploads(service.pool, service.clock.now());
  expect((await service.pool.query('SELECT 1 FROM upload_marks')).rows).toEqual([]);
});

test('never exceeds the quota per day with concurrent uploads', async () => {
  await setEvent({ maxUploadsADay: 2, maxSubmissions: 50 });
  const caller = user(randomUUID());
  const uploads = await Promise.allSettled(
    Array.from({ length: 6 }, () => service.gateway.upload(files(), { caller })),
  );
  expect(uploads.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
});

test("applies a user's own quota before the event's, independently of the order of messages", async () => {
  await setEvent({ maxSubmissions: 1 });
  const [id, other] = [randomUUID(), user(randomUUID())];
  const caller = user(id);
  await setOwn(id, 2, { maxSubmissions: 2 });
  await setOwn(id, 1, { maxSubmissions: 50 });
  for (const one of [caller, caller, other]) await service.gateway.upload(files(), { caller: one });
  await expect(service.gateway.upload(files(), { caller })).rejects.toMatchObject({
    message: /at most 2 submissions\./,
  });
  await expect(service.gateway.upload(files(), { caller: other })).rejects.toMatchObject({
    message: 'You can keep at most 1 submission. Delete one first.',
  });
  await setOwn(id, 3, { maxUploadsADay: 0 });
  await expect(service.gateway.upload(files(), { caller })).rejects.toMatchObject({
    message: 'The organisers allow you no uploads at present.',
  });
});

test('applies the configured quotas until simulation has published others', async () => {
  const caller = user(randomUUID());
  for (let time = 0; time < 5; time++) await service.gateway.upload(files(), { caller });
  await expect(service.gateway.upload(files(), { caller })).rejects.toMatchObject({
    message: /at most 5 submissions\./,
  });
});

test('lets a replica of the previous version read and update the settings by the old name of the table', async () => {
  const { pool } = service;
  await saveEventSettings(pool, { version: ++version, frozen: true, maxSubmissions: 9 });
  expect((await pool.query('SELECT frozen, version, max_submissions FROM event_freeze WHERE id = 1')).rows).toEqual([
    { frozen: true, version, max_submissions: 9 },
  ]);
  const next = ++version;
  await pool.query(
    sql`UPDATE event_freeze SET frozen = false, version = ${next}, max_uploads_a_day = 7 WHERE version < ${next}`,
  );
  const configured = { maxSubmissions: 5, maxUploadsADay: 100 };
  const user = '00000000-0000-4000-8000-000000000000';
  expect(await effectiveQuota(pool, user, configured)).toEqual({ maxSubmissions: 9, maxUploadsADay: 7 });
});

test('keeps the freeze and the quotas of the previous version in an upgrade', async () => {
  const database = await testDatabase('submission');
  const client = await database.admin.connect();
  try {
    await client.query('BEGIN; CREATE SCHEMA earlier; SET LOCAL search_path TO earlier');
    for (const { name, sql: migration } of readMigrations(join(import.meta.dirname, '../prisma/migrations'))) {
      if (name.endsWith('_event_settings')) {
        await client.query('UPDATE event_freeze SET frozen = true, version = 2, max_submissions = 8');
      }
      await client.query(migration);
    }
    const { rows } = await client.query('SELECT frozen, version, max_submissions FROM event_settings');
    expect(rows).toEqual([{ frozen: true, version: 2, max_submissions: 8 }]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
    await database.drop();
  }
});
