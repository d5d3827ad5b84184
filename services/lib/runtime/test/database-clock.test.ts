// The clock of a service against a real PostgreSQL.
import { openDatabaseClock } from '@husky/runtime/database/database-clock';
import { testDatabase } from '@husky/testkit/servers';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.useRealTimers();
});

const hourMs = 3_600_000;

test('has the time of PostgreSQL, which a step of the machine clock does not move', async () => {
  const { admin, drop } = await testDatabase('auth');
  const clock = await openDatabaseClock(admin);
  const databaseMs = async () =>
    Number((await admin.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')).rows[0].ms);
  // Readings take some milliseconds each.
  const differenceMs = async () => Math.abs(clock.now() - (await databaseMs()));
  expect(await differenceMs()).toBeLessThan(60_000);
  for (const stepMs of [hourMs, -hourMs]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + stepMs });
    expect(await differenceMs()).toBeLessThan(60_000);
    await clock.read();
    expect(await differenceMs()).toBeLessThan(60_000);
    vi.useRealTimers();
  }
  await drop();
});

test('follows the clock of PostgreSQL, but ignores differences within the error of a reading', async () => {
  let monotonicMs = 0;
  let serverMs = 1_000_000;
  let takesMs = 0;
  const query = async () => {
    monotonicMs += takesMs;
    serverMs += takesMs;
    return { rows: [{ ms: serverMs - takesMs / 2 }] };
  };
  const clock = await openDatabaseClock({ query } as never, () => monotonicMs);
  expect(clock.now()).toBe(1_000_000);
  takesMs = 100;
  serverMs += 40;
  await clock.read();
  expect(clock.now()).toBe(1_000_100);
  takesMs = 10;
  await clock.read();
  expect(clock.now()).toBe(1_000_150);
  serverMs -= hourMs;
  await clock.read();
  expect(clock.now()).toBe(1_000_160 - hourMs);
});
