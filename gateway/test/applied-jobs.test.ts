// The cache of applied jobs, over a real gRPC server, with a clock of the test.
import { leaderboardService } from '@husky/contracts/services';
import { admin } from '@husky/runtime/access';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { testIdentities } from '@husky/testkit/servers';
import { startDouble } from '@husky/testkit/service-double';
import { expect, onTestFinished, test } from 'vitest';
import { createAppliedJobs } from '../src/applied-jobs.ts';

const caller = { kind: 'user', id: 'a', username: 'ada', admin: true, verified: true } as const;

async function open() {
  const asked: string[][] = [];
  const applied = new Set(['one']);
  let gate: Promise<void> | undefined;
  const leaderboard = await startDouble(leaderboardService, admin, {
    async listAppliedJobs({ jobIds }) {
      asked.push(jobIds);
      const answer = { jobIds: jobIds.filter((id) => applied.has(id)) };
      await gate;
      return answer;
    },
  });
  const client = createRpcClient(leaderboardService, leaderboard.address, testIdentities().signerOf('gateway'));
  onTestFinished(async () => {
    client.close();
    await leaderboard.stop();
  });
  let nowMs = 1;
  const jobs = createAppliedJobs(client, () => nowMs);
  const ask = async (...ids: string[]) => [...(await jobs.among(ids, caller))].sort();
  return {
    jobs,
    ask,
    asked,
    applied,
    pass: (ms: number) => (nowMs += ms),
    holdAnswers: (until: Promise<void>) => {
      gate = until;
    },
  };
}

test('asks for unknown jobs only, and again after a change and after 60 s', async () => {
  const { jobs, ask, asked, applied, pass } = await open();
  expect(await ask('one', 'two')).toEqual(['one']);
  expect(await ask('one', 'two', 'three')).toEqual(['one']);
  applied.add('two');
  expect(await ask('two')).toEqual([]);
  jobs.forget();
  expect(await ask('one', 'two')).toEqual(['one', 'two']);
  applied.clear();
  pass(59_999);
  expect(await ask('one', 'two')).toEqual(['one', 'two']);
  pass(2);
  expect(await ask('one', 'two')).toEqual([]);
  expect(asked).toEqual([['one', 'two'], ['three'], ['one', 'two'], ['one', 'two']]);
});

test('does not keep an answer that was read before a change', async () => {
  const { jobs, ask, asked, applied, holdAnswers } = await open();
  const held = Promise.withResolvers<void>();
  holdAnswers(held.promise);
  const before = ask('two');
  await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(1);
  applied.add('two');
  jobs.forget();
  held.resolve();
  expect(await before).toEqual([]);
  expect(await ask('two')).toEqual(['two']);
});
