// The caches of applied jobs and of names, over a real gRPC server.
import { authService, leaderboardService } from '@husky/contracts/services';
import { admin, anyone } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { testClient, testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAppliedJobs } from '../src/applied-jobs.ts';
import { createNames } from '../src/names.ts';

const caller = { kind: 'user', id: 'a', username: 'ada', admin: true, verified: true } as const;

async function open() {
  const requested: string[][] = [];
  const applied = new Set(['one']);
  let gate: Promise<void> | undefined;
  const leaderboard = await startDouble(leaderboardService, admin, {
    async listAppliedJobs({ jobIds }) {
      requested.push(jobIds);
      const response = { jobIds: jobIds.filter((id) => applied.has(id)) };
      await gate;
      return response;
    },
  });
  const client = createRpcClient(leaderboardService, leaderboard.address, testIdentities().signerOf('gateway'));
  onTestFinished(async () => {
    client.close();
    await leaderboard.stop();
  });
  let nowMs = 1;
  const jobs = createAppliedJobs(client, () => nowMs);
  const read = async (...ids: string[]) => [...(await jobs.findApplied(ids, caller))].sort();
  return {
    jobs,
    read,
    requested,
    applied,
    advance: (ms: number) => (nowMs += ms),
    holdResponses: (until: Promise<void>) => {
      gate = until;
    },
  };
}

test('queries unknown jobs only, and all again after a change and after 60 s', async () => {
  const { jobs, read, requested, applied, advance } = await open();
  expect(await read('one', 'two')).toEqual(['one']);
  expect(await read('one', 'two', 'three')).toEqual(['one']);
  applied.add('two');
  expect(await read('two')).toEqual([]);
  jobs.forget();
  expect(await read('one', 'two')).toEqual(['one', 'two']);
  applied.clear();
  advance(59_999);
  expect(await read('one', 'two')).toEqual(['one', 'two']);
  advance(2);
  expect(await read('one', 'two')).toEqual([]);
  expect(requested).toEqual([['one', 'two'], ['three'], ['one', 'two'], ['one', 'two']]);
});

test('does not cache a result that was read before a change', async () => {
  const { jobs, read, requested, applied, holdResponses } = await open();
  const held = Promise.withResolvers<void>();
  holdResponses(held.promise);
  const before = read('two');
  await expect.poll(() => requested.length, { timeout: 20_000 }).toBe(1);
  applied.add('two');
  jobs.forget();
  held.resolve();
  expect(await before).toEqual([]);
  expect(await read('two')).toEqual(['two']);
});

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
