import { join } from 'node:path';
import { settingsChanged } from '@husky/contracts/events';
import { readMigrations } from '@husky/runtime/database/migrations';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const asAdmin = { caller: admin };
const anonymous = { caller: { kind: 'anonymous' } } as const;
const developmentPhase = 'This test phase is the development phase. The official start is in July 2025.';
const change = (request: object) => service.gateway.updateSettings(request, asAdmin);

test("starts with the specification's dates and banner, which everybody can read and admins can change", async () => {
  const settings = await service.gateway.getSettings({}, anonymous);
  expect(settings).toMatchObject({
    banner: developmentPhase,
    frozen: false,
    maxTestRuns: 3,
    homeBoard: '',
    version: 1,
    updatedById: '',
    tournamentStart: '2025-07-12T07:00:00.000Z',
    tournamentEnd: '2025-07-22T06:59:59.000Z',
  });
  await expect(service.gateway.updateSettings({ banner: 'x' }, { caller: user() })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  const banner = 'Maintenance at noon.';
  expect(await change({ banner: ` ${banner} `, expectedVersion: 1 })).toMatchObject({
    banner,
    version: 2,
    frozen: false,
    updatedById: admin.id,
    tournamentEnd: settings.tournamentEnd,
  });
  await expect(change({ banner: 'late', expectedVersion: 1 })).rejects.toMatchObject({ reason: 'settings-changed' });
  expect((await service.gateway.getSettings({}, anonymous)).banner).toBe(banner);
  expect(await change({ banner: '' })).toMatchObject({ banner: '', version: 3 });
  const published = (await service.audited()).length;
  expect(await change({})).toMatchObject({ banner: '', version: 3 });
  expect(await change({ banner: ' ', tournamentEnd: settings.tournamentEnd })).toMatchObject({ version: 3 });
  expect(await service.audited()).toHaveLength(published);
});

test('refuses settings outside their bounds', async () => {
  for (const [request, reason] of [
    [{ banner: 'x'.repeat(501) }, 'banner-invalid'],
    [{ tournamentStart: 'tomorrow' }, 'time-invalid'],
    [{ tournamentStart: '2025-07-12T00:00:00' }, 'time-invalid'],
    [{ tournamentEnd: '2024-07-12T00:00:00Z' }, 'window-invalid'],
    [{ homeBoard: 'x'.repeat(65) }, 'home-board-invalid'],
    [{ maxTestRuns: 0 }, 'quota-invalid'],
    [{ maxTestRuns: 101 }, 'quota-invalid'],
    [{ maxTestRunsADay: 0 }, 'quota-invalid'],
    [{ maxSubmissions: 101 }, 'quota-invalid'],
    [{ maxUploadsADay: -1 }, 'quota-invalid'],
  ] as const) {
    await expect(change(request), JSON.stringify(request)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason });
  }
});

test('changes the board of the home page with an audit record', async () => {
  const { version } = await service.gateway.getSettings({}, anonymous);
  expect(await change({ homeBoard: ' spring ' })).toMatchObject({ homeBoard: 'spring', version: version + 1 });
  expect(await change({ homeBoard: 'spring' })).toMatchObject({ version: version + 1 });
  const published = (await service.audited()).at(-1);
  expect(JSON.parse(published?.beforeJson ?? '')).toMatchObject({ home_board: '' });
  expect(JSON.parse(published?.afterJson ?? '')).toMatchObject({ home_board: 'spring' });
});

test.each([
  ['settings that were never saved get the banner of the development phase', 'SELECT 1', developmentPhase, ''],
  [
    "an admin's banner stays",
    "UPDATE settings SET banner = 'Ours', version = 2, updated_by = gen_random_uuid()",
    'Ours',
    '',
  ],
  ["an admin's board stays", "UPDATE settings SET banner = '', version = 3, home_board = 'spring'", '', 'spring'],
])('upgrade: %s', async (_name, before, after, board) => {
  const client = await service.database.admin.connect();
  try {
    await client.query('BEGIN; CREATE SCHEMA earlier; SET LOCAL search_path TO earlier');
    for (const { name, sql } of readMigrations(join(import.meta.dirname, '../prisma/migrations'))) {
      await client.query(sql);
      if (name.endsWith('_home_board_and_batch_numbers')) await client.query(before);
    }
    const { rows } = await client.query('SELECT banner, home_board FROM settings');
    expect(rows).toEqual([{ banner: after, home_board: board }]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('refuses new matches of everybody during a freeze, and publishes it to submission', async () => {
  const caller = user();
  const { version, frozenAt } = await change({ frozen: true });
  expect(Date.parse(frozenAt)).not.toBeNaN();
  const frozen = { code: 'FAILED_PRECONDITION', message: 'New matches are frozen by the organisers.' };
  const userIds = sixUsers();
  const creations = () => [
    () => service.gateway.createTestRun(bot, { caller }),
    () => service.gateway.createMatch({ userIds, numRounds: 6, blinds: null }, asAdmin),
    () => service.gateway.createBatch({ userIds }, asAdmin),
  ];
  for (const create of creations()) await expect(create()).rejects.toMatchObject(frozen);
  expect(service.doubles.pins.size).toBe(0);
  expect((await service.gateway.getSettings({}, anonymous)).frozenAt).toBe(frozenAt);
  expect((await change({ frozen: false })).frozenAt).toBe('');
  for (const create of creations()) await create();
  const { rows } = await service.database.admin.query<{ payload: Buffer }>(
    sql`SELECT payload FROM emitted WHERE subject = ${settingsChanged.subject} ORDER BY id`,
  );
  const published = rows.map((row) => settingsChanged.decode(row.payload)).filter((event) => event.version >= version);
  expect(published).toEqual([
    { version, frozen: true, maxSubmissions: 5, maxUploadsADay: 100 },
    { version: version + 1, frozen: false, maxSubmissions: 5, maxUploadsADay: 100 },
  ]);
});

test('applies the quota of unfinished test runs from the settings, and audits every change', async () => {
  const caller = user();
  await change({ maxTestRuns: 1 });
  await service.gateway.createTestRun(bot, { caller });
  await expect(service.gateway.createTestRun(bot, { caller })).rejects.toMatchObject({ reason: 'too-many-test-runs' });
  await change({ maxTestRuns: 2 });
  await service.gateway.createTestRun(bot, { caller });
  const published = (await service.audited()).filter((one) => one.action === 'settings.changed');
  expect(JSON.parse(published.at(-1)?.beforeJson ?? '')).toMatchObject({ max_test_runs: 1 });
  expect(JSON.parse(published.at(-1)?.afterJson ?? '')).toMatchObject({ max_test_runs: 2, frozen: false });
});
