import { randomUUID } from 'node:crypto';
import { entriesChanged, userChanged } from '@husky/contracts/events';
import { houseUserId } from '@husky/contracts/house-user';
import { sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { refusal } from '@husky/testkit/refusal';
import { testNats } from '@husky/testkit/servers';
import { type ServiceProcess, startService } from '@husky/testkit/service-process';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { addEntry, changeEntries } from '../src/store/entries.ts';
import { admin, anonymous, startLeaderboard, unverified, verified } from './service.ts';

const board = await startLeaderboard();
afterAll(() => board.stop());

const asAdmin = { caller: admin };
const add = (userId: string, scoreCents: number, tag: string) =>
  board.client.addEntry({ userId, scoreCents, tag }, asAdmin);

test('orders entries by score, then by id; without a tag returns all', async () => {
  const [low, high, other] = [randomUUID(), randomUUID(), randomUUID()];
  const first = await add(low, -5_00, 'spring');
  const best = await add(high, 12_34, 'spring');
  const tie = await add(low, 12_34, 'spring');
  await add(other, 99_00, 'summer');
  const top = async (n: number, tag: string) =>
    (await board.client.getTop({ n, tag }, { caller: anonymous })).entries.map((entry) => entry.id);
  const tied = [best.id, tie.id].sort();
  expect(await top(10, 'spring')).toEqual([...tied, first.id]);
  expect(await top(1, 'spring')).toEqual(tied.slice(0, 1));
  expect(await top(10, '')).toHaveLength(4);
  expect(await top(10, 'no such tag')).toEqual([]);
  for (const n of [0, -1, 1001]) {
    expect(await refusal(board.client.getTop({ n, tag: '' }, { caller: anonymous }))).toMatch(/^INVALID_ARGUMENT/);
  }
});

test('pages entries and returns their total', async () => {
  const userId = randomUUID();
  for (const cents of [3, 2, 1]) await add(userId, cents, 'paged');
  const top = await board.client.getTop({ n: 2, tag: 'paged', page: 2 }, { caller: anonymous });
  expect(top).toMatchObject({ entries: [{ scoreCents: 1 }], total: 3 });
  const request = { userId, tag: '', page: 2, pageSize: 1 };
  const own = await board.client.listUserEntries(request, { caller: anonymous });
  expect(own).toMatchObject({ entries: [{ scoreCents: 2 }], total: 3 });
  for (const wrong of [{ page: -1 }, { pageSize: 1001 }]) {
    expect(await refusal(board.client.listUserEntries({ ...request, ...wrong }, { caller: anonymous }))).toMatch(
      /^INVALID_ARGUMENT page-invalid/,
    );
  }
});

test("lists tags for verified users, and a user's entries for anyone", async () => {
  const userId = randomUUID();
  const entry = await add(userId, 1, ' autumn ');
  expect(entry).toMatchObject({ userId, scoreCents: 1, tag: 'autumn' });
  expect(new Date(entry.timeCreated).toISOString()).toBe(entry.timeCreated);
  expect((await board.client.listTags({}, { caller: verified })).tags).toContain('autumn');
  expect(await refusal(board.client.listTags({}, { caller: unverified }))).toMatch(/^PERMISSION_DENIED not-verified/);
  const list = async (tag: string) =>
    (await board.client.listUserEntries({ userId, tag }, { caller: anonymous })).entries;
  expect(await list('')).toEqual([entry]);
  expect(await list('spring')).toEqual([]);
});

test('lets only admins add and remove, within the bounds', async () => {
  const userId = randomUUID();
  for (const caller of [anonymous, unverified, verified]) {
    expect(await refusal(board.client.addEntry({ userId, scoreCents: 1, tag: 'x' }, { caller }))).toMatch(
      /^(UNAUTHENTICATED|PERMISSION_DENIED)/,
    );
    expect(await refusal(board.client.removeEntry({ id: randomUUID() }, { caller }))).toMatch(
      /^(UNAUTHENTICATED|PERMISSION_DENIED)/,
    );
  }
  for (const tag of ['2025', 'llm-batch', ' 2025 ', 'LLM-Batch', '２０２５']) {
    expect(await refusal(add(userId, 1, tag))).toMatch(/^FAILED_PRECONDITION tag-reserved/);
  }
  await add(userId, 1, 'Caf\u00e9');
  await add(userId, 1, ' Cafe\u0301 ');
  for (const tag of ['caf\u00e9', 'CAFÉ', 'Ｃafé']) {
    expect(await refusal(add(userId, 1, tag)), tag).toBe(
      'ALREADY_EXISTS tag-taken: There is a board Café: write its tag in the same way',
    );
  }
  for (const tag of ['', '  ', 'x'.repeat(65), 'a\0b']) {
    expect(await refusal(add(userId, 1, tag))).toMatch(/^INVALID_ARGUMENT tag-invalid/);
  }
  expect(await refusal(add(userId, 1e14 + 100, 'x'))).toMatch(/^INVALID_ARGUMENT score-out-of-range/);
  expect(await refusal(add(houseUserId, 1, 'x'))).toMatch(/^FAILED_PRECONDITION house-account/);
  expect(await refusal(add('nobody', 1, 'x'))).toMatch(/^NOT_FOUND user-not-found/);

  const entry = await add(userId, -1e14, 'x'.repeat(64));
  await board.client.removeEntry({ id: entry.id }, asAdmin);
  for (const id of [entry.id, 'no id', '']) {
    expect(await refusal(board.client.removeEntry({ id }, asAdmin))).toBe(
      'NOT_FOUND entry-not-found: Leaderboard entry not found',
    );
  }
});

test('deletes the entries of a deleted user, adds no new ones, and emits the change', async () => {
  const [deleted, other] = [randomUUID(), randomUUID()];
  await add(deleted, 100, 'winter');
  const kept = await add(other, 100, 'winter');
  const job = board.finishedJob({ [deleted]: 5, [other]: -5 });
  const auth = await connectNats(await testNats('auth'), createLogger('test', 'fatal'), 'auth');
  const publishDeletion = () =>
    auth.publish(userChanged.subject, userChanged.encode({ userId: deleted, change: 'DELETED' }), randomUUID(), '');
  const entriesOf = async (userId: string) =>
    (await board.client.listUserEntries({ userId, tag: '' }, { caller: anonymous })).entries;
  await publishDeletion();
  await vi.waitFor(async () => expect(await entriesOf(deleted)).toEqual([]), 15_000);
  await publishDeletion();
  expect(await entriesOf(other)).toEqual([kept]);
  await auth.close();

  expect(await refusal(add(deleted, 1, 'winter'))).toMatch(/^NOT_FOUND user-not-found/);
  const { created } = await board.client.applyJob({ jobId: job }, asAdmin);
  expect(created.map((entry) => entry.userId)).toEqual([other]);
  const { skippedUserIds } = await board.client.unapplyJob({ jobId: job }, asAdmin);
  expect(skippedUserIds).toEqual([deleted]);
});

test('emits the users and tags of each change', async () => {
  const userId = randomUUID();
  const rollback = new Error('rolled back by the test');
  const change = changeEntries(board.context.pool, async (client) => {
    await addEntry(client, { userId, scoreCents: 1, tag: 'emitted' }, Date.now());
    const { rows } = await client.query<{ payload: Buffer }>(
      sql`SELECT payload FROM outbox WHERE subject = ${entriesChanged.subject}`,
    );
    expect(rows.map((row) => entriesChanged.decode(row.payload))).toContainEqual({
      userIds: [userId],
      tags: ['emitted'],
    });
    throw rollback;
  });
  await expect(change).rejects.toBe(rollback);

  await add(userId, 1, 'emitted');
  await vi.waitFor(async () => {
    const left = await board.database.admin.query('SELECT 1 FROM outbox');
    expect(left.rowCount).toBe(0);
  }, 10_000);
});

let service: ServiceProcess | undefined;
afterEach(() => service?.stop());

test('starts with its variables only, becomes ready and shuts down gracefully', async () => {
  service = await startService('leaderboard', { SIMULATION_ADDRESS: '127.0.0.1:1' });
  expect(await service.end()).toEqual([0, null]);
}, 60_000);
