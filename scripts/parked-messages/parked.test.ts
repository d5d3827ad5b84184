import { join } from 'node:path';
import { applyMigrations } from '@husky/runtime/database/migrations';
import { park } from '@husky/runtime/messages/parked-messages';
import { type TestDatabase, testDatabase } from '@husky/testkit/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseServices, schemaOf } from '../up/database.ts';
import { listParked, requestReplay } from './parked.ts';

const services = join(import.meta.dirname, '../../services');
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase('leaderboard');
  const client = await database.admin.connect();
  try {
    for (const service of databaseServices.filter((name) => name !== 'leaderboard')) {
      const set = { schema: schemaOf(service), folder: join(services, service, 'prisma/migrations') };
      await applyMigrations(client, set, new URL(database.url).username);
    }
  } finally {
    client.release(true);
  }
});

afterAll(() => database?.drop());

test('lists parked messages of every service with their reason and requests their replay', async () => {
  const poison = {
    durable: 'leaderboard_user_changed',
    subject: 'husky.auth.user_changed',
    payload: Buffer.from('x'),
    traceContext: '',
    reason: 'no such user',
    deliveries: 8,
    publishedAt: new Date(),
  };
  await park(database.admin, { ...poison, messageId: 'one' });
  // A message that is parked again has one entry.
  await park(database.admin, { ...poison, messageId: 'one', reason: 'index out of range' });
  const client = await database.admin.connect();
  try {
    const [message, ...more] = await listParked(client);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ service: 'leaderboard', reason: 'index out of range', replaying: false });
    await expect(requestReplay(client, ['one'])).rejects.toThrow('There is no parked message one.');
    expect(await requestReplay(client, [message?.id ?? ''])).toBe(1);
    expect(await listParked(client)).toMatchObject([{ replaying: true }]);
  } finally {
    client.release();
  }
});
