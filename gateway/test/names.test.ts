import { authService } from '@husky/contracts/services';
import { anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { testClient } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createNames } from '../src/names.ts';

/** Creates the name cache with an auth service that knows every user: `id-7` has the name `name-7`. */
async function startNames() {
  const requestedIds: string[] = [];
  const state = { authUnavailable: false };
  const auth = await startDouble(authService, anyone, {
    async getNames({ ids }) {
      requestedIds.push(...ids);
      if (state.authUnavailable) throw new DomainError('UNAVAILABLE', 'overloaded', 'Too many requests');
      return { names: ids.map((id) => ({ id, username: nameOf(id) })) };
    },
  });
  const client = testClient(authService, auth.port);
  onTestFinished(async () => {
    client.close();
    await auth.stop();
  });
  return { names: createNames(client), requestedIds, state };
}
const nameOf = (id: string) => id.replace('id', 'name');
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

test('resolves all names of a response with more users than the cache holds', async () => {
  const { names } = await startNames();
  const [first = ''] = ids(1);
  await names.of([first]);
  const all = ids(20_100);
  const name = await names.of(all);
  expect(all.filter((id) => name(id) !== nameOf(id))).toEqual([]);
  expect((await names.known(all)).size).toBe(all.length);
});

test('keeps the names of a response in progress when other names evict them from the cache', async () => {
  const { names } = await startNames();
  const name = await names.of(['id-of-a-user']);
  await names.of(ids(20_100));
  names.forget('id-of-a-user');
  expect(name('id-of-a-user')).toBe('name-of-a-user');
});

test('keeps the most recently used names when the cache is full', async () => {
  const { names, requestedIds } = await startNames();
  await names.of(ids(20_000));
  await names.of(['id-0']);
  await names.of(['another-id']);
  requestedIds.length = 0;
  await names.of(['id-0', 'id-1', 'another-id']);
  expect(requestedIds).toEqual(['id-1']);
});

test('uses expired names while auth is unavailable, and requests them again', async () => {
  const { names, requestedIds, state } = await startNames();
  // lru-cache reads this clock.
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  onTestFinished(() => void vi.restoreAllMocks());
  await names.of(['id-1']);
  nowMs += 61_000;
  state.authUnavailable = true;
  expect((await names.of(['id-1']))('id-1')).toBe('name-1');
  await expect(names.of(['id-1', 'id-2'])).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  state.authUnavailable = false;
  requestedIds.length = 0;
  expect((await names.of(['id-1']))('id-1')).toBe('name-1');
  expect(requestedIds).toEqual(['id-1']);
});
