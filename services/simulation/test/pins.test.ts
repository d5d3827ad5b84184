import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { PoolClient } from 'pg';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { sweep } from '../src/work/sweeper.ts';
import { admin, bot, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
const { doubles, pool } = service;
const sixMinutes = 6 * 60_000;
const asAdmin = { caller: admin };
const rounds = { numRounds: 6 };
afterEach(() => {
  doubles.beforePinning = async () => undefined;
  doubles.beforeReleasing = async () => undefined;
});
afterAll(() => service.stop());

const unavailable = () => new DomainError('UNAVAILABLE', 'service-unavailable', 'unavailable');
const intents = async () => (await pool.query('SELECT FROM pin_intents')).rowCount;

/** Resolves to the holder of the next pins; calls `then` before they are pinned. */
function nextHolder(then: (holderId: string) => Promise<void> = async () => undefined): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  doubles.beforePinning = async (holderId) => {
    resolve(holderId);
    await then(holderId);
  };
  return promise;
}

/**
 * Cuts the connection of the next transactions that close a pin intent when their commit has succeeded, before the response arrives.
 * Returns a function that stops this.
 */
function loseResponsesOfCommits(): () => void {
  type Query = (statement: string | { text: string }, ...rest: unknown[]) => Promise<unknown>;
  const connect = pool.connect.bind(pool) as (callback?: unknown) => Promise<PoolClient>;
  const connectAndCut = async (callback?: unknown) => {
    if (callback !== undefined) return connect(callback);
    const client = await connect();
    const query = client.query.bind(client) as Query;
    let closesIntent = false;
    const cut: Query = async (statement, ...rest) => {
      const response = await query(statement, ...rest);
      const text = typeof statement === 'string' ? statement : statement.text;
      closesIntent ||= text.startsWith('DELETE FROM pin_intents');
      if (text !== 'COMMIT') return response;
      Reflect.deleteProperty(client, 'query');
      if (closesIntent) throw new Error('Connection terminated unexpectedly');
      return response;
    };
    return Object.assign(client, { query: cut });
  };
  Object.assign(pool, { connect: connectAndCut });
  return () => Reflect.deleteProperty(pool, 'connect');
}

test.each([
  ['match', () => service.gateway.createMatch({ userIds: sixUsers(), ...rounds }, asAdmin)],
  [
    'duplicate match',
    () => service.gateway.createMatch({ userIds: sixUsers(), ...rounds, mode: 'duplicate' }, asAdmin),
  ],
  ['batch', () => service.gateway.createBatch({ userIds: sixUsers(), ...rounds }, asAdmin)],
])('keeps the pins of a %s whose commit succeeds without a response', async (_what, create) => {
  const holder = nextHolder();
  const stop = loseResponsesOfCommits();
  await expect(create()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  stop();
  const holderId = await holder;
  const { rowCount } = await pool.query(
    sql`SELECT FROM jobs WHERE holder_id = ${holderId} UNION ALL SELECT FROM batches WHERE id = ${holderId}`,
  );
  expect(rowCount).toBeGreaterThan(0);
  expect(doubles.pins.get(holderId)?.size).toBe(6);
  service.clock.advance(sixMinutes);
  await sweep(service.context);
  expect(doubles.pins.get(holderId)?.size).toBe(6);
  expect(await intents()).toBe(0);
});

test('creates nothing, and leaves no pins, if the sweeper has released the pins meanwhile', async () => {
  const holder = nextHolder(async () => {
    service.clock.advance(sixMinutes);
    await sweep(service.context);
  });
  await expect(service.gateway.createMatch({ userIds: sixUsers(), ...rounds }, asAdmin)).rejects.toMatchObject({
    code: 'ABORTED',
    reason: 'pins-released',
  });
  const holderId = await holder;
  expect((await pool.query(sql`SELECT FROM jobs WHERE id = ${holderId}`)).rowCount).toBe(0);
  expect(doubles.pins.has(holderId)).toBe(false);
  service.clock.advance(sixMinutes);
  await sweep(service.context);
  expect(await intents()).toBe(0);
});

test('releases pins that submission inserts after its call has failed', async () => {
  const holder = nextHolder(async () => {
    throw unavailable();
  });
  await expect(service.gateway.createTestRun(bot, { caller: user() })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const holderId = await holder;
  doubles.pins.set(holderId, new Set(['bot']));
  await sweep(service.context);
  service.clock.advance(sixMinutes);
  await sweep(service.context);
  expect(doubles.pins.has(holderId)).toBe(false);
  expect(await intents()).toBe(0);
});

test('closes the intent of a refused creation at once, and of one whose pins cannot be released later', async () => {
  const userIds = sixUsers();
  doubles.withoutFinal.add(userIds[0] ?? '');
  const create = () => service.gateway.createMatch({ userIds, ...rounds }, asAdmin);
  await expect(create()).rejects.toMatchObject({ reason: 'no-final-submission' });
  expect(await intents()).toBe(0);
  doubles.beforeReleasing = () => Promise.reject(unavailable());
  await expect(create()).rejects.toMatchObject({ reason: 'no-final-submission' });
  expect(await intents()).toBe(1);
  doubles.beforeReleasing = async () => undefined;
  service.clock.advance(sixMinutes);
  await sweep(service.context);
  expect(await intents()).toBe(0);
});

test('releases few pins in a sweep while submission is unavailable, and others while some cannot be released', async () => {
  const holderIds: string[] = Array.from({ length: 120 }, () => randomUUID());
  const open = sql`INSERT INTO pin_intents (holder_id, created_at) SELECT unnest(${holderIds}::uuid[]), 'epoch'`;
  let calls = 0;
  doubles.beforeReleasing = async () => {
    calls++;
    throw unavailable();
  };
  await pool.query(open);
  await sweep(service.context);
  // The service's own sweeper may have run too.
  expect(calls).toBeLessThanOrEqual(20);

  const failing = holderIds.slice(0, 110);
  doubles.beforeReleasing = async (holderId) => {
    if (failing.includes(holderId)) throw new DomainError('INTERNAL', 'internal', 'a defect');
  };
  await vi.waitFor(
    async () => {
      await sweep(service.context);
      expect(await intents()).toBeLessThanOrEqual(failing.length + 5);
    },
    { timeout: 20_000, interval: 1 },
  );
  doubles.beforeReleasing = async () => undefined;
  for (let n = 0; n < 2; n++) await sweep(service.context);
  expect(await intents()).toBe(0);
}, 30_000);
