import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigrated, type ServiceDatabase } from '@husky/runtime/database/postgres';
import { createLogger } from '@husky/runtime/process/logger';
import { isTransient } from '@husky/runtime/process/retry';
import { testDatabase } from '@husky/testkit/servers';
import { type ServiceProcess, startService } from '@husky/testkit/service-process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { PrismaClient } from '../src/generated/client.ts';
import { retryAtStart } from '../src/retry-at-start.ts';
import { clientOver, migrations } from '../src/store/database.ts';
import { rotateSigningKeys } from '../src/store/signing-keys.ts';

const log = createLogger('test', 'fatal');
let database: ServiceDatabase<PrismaClient>;
let drop: () => Promise<void>;
beforeAll(async () => {
  const created = await testDatabase('auth');
  const { url, password } = created;
  drop = () => created.drop();
  database = await openMigrated({ url, password, schema: 'auth', poolSize: 1 }, migrations, clientOver);
});
afterAll(async () => {
  await database.close();
  await drop();
});

// Simulates a start under load: the only connection is in use until the second attempt.
test('a database that is too busy for a transaction is retried', async () => {
  const connection = await database.pool.connect();
  const errors: unknown[] = [];
  await retryAtStart(log, async () => {
    try {
      await rotateSigningKeys(database.prisma, 30, new Date(), { maxWait: 200, timeout: 5000 });
    } catch (error) {
      errors.push(error);
      connection.release();
      throw error;
    }
  });
  expect(errors).toHaveLength(1);
  expect(isTransient(errors[0])).toBe(true);
  expect(await database.prisma.signingKey.count()).toBe(1);
});

test('an error that is not transient ends the start at once', async () => {
  let attempts = 0;
  const broken = async () => {
    attempts++;
    throw new Error('wrong');
  };
  await expect(retryAtStart(log, broken)).rejects.toThrow('wrong');
  expect(attempts).toBe(1);
});

let service: ServiceProcess | undefined;
afterEach(() => service?.stop());

test('starts with its variables only, becomes ready and shuts down gracefully', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'husky-mail-'));
  service = await startService('auth', { PUBLIC_URL: 'http://husky.test', MAIL_OUTBOX_DIR: folder });
  expect(await service.end()).toEqual([0, null]);
}, 60_000);
