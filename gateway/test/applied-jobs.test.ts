// The cache of applied jobs, over a real gRPC server, with an injected clock.
import { leaderboardService } from '@husky/contracts/services';
import { admin } from '@husky/runtime/rpc/access';
import { createRpcClient } from '@husky/runtime/rpc/grpc-client';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';
import { createAppliedJobs } from '../src/applied-jobs.ts';

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
