import { createLogger } from '@husky/runtime/logger';
import { testDatabase } from '@husky/testkit/servers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, isBusy, openAuthDatabase } from '../src/store/database.ts';
import { rotateSigningKeys } from '../src/store/signing-keys.ts';
import { whenReached } from '../src/when-reached.ts';

const log = createLogger('test', 'fatal');
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  const made = await testDatabase('auth');
  const { url, password } = made;
  drop = () => made.drop();
  database = await openAuthDatabase({ url, password, schema: 'auth', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await drop();
});

/** As at a start under load: the only connection is somebody else's until the second try. */
test('a database that is too busy for a transaction is tried again', async () => {
  const taken = await database.pool.connect();
  const seen: unknown[] = [];
  await whenReached(log, async () => {
    try {
      await rotateSigningKeys(database.db, 30, new Date(), { maxWait: 200, timeout: 5000 });
    } catch (error) {
      seen.push(error);
      taken.release();
      throw error;
    }
  });
  expect(seen).toHaveLength(1);
  expect(isBusy(seen[0])).toBe(true);
  expect(await database.db.signingKey.count()).toBe(1);
});

test('gives up with a sentence when it stays busy, and at once for anything else', async () => {
  const taken = await database.pool.connect();
  const renew = () => rotateSigningKeys(database.db, 30, new Date(), { maxWait: 50, timeout: 5000 });
  await expect(whenReached(log, renew, 0)).rejects.toThrow(/^gave up after 0 s: .*Unable to start a transaction/s);
  taken.release();
  let tries = 0;
  const broken = async () => {
    tries++;
    throw new Error('wrong');
  };
  await expect(whenReached(log, broken)).rejects.toThrow('wrong');
  expect(tries).toBe(1);
});
