import { LUCK_VERSION } from '@husky/estimate/luck-match';
import { type Sql, sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, expect, test, vi } from 'vitest';
import { admin, anonymous, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const query = (statement: Sql) => live.database.admin.query(statement);
const luckOf = (jobId: string, caller = user('ann')) => live.gateway.getMatchLuck({ jobId }, { caller });
const readyLuckOf = (jobId: string) =>
  vi.waitFor(
    async () => {
      const luck = await luckOf(jobId);
      expect(luck.ready).toBe(true);
      return luck;
    },
    { timeout: 150_000, interval: 50 },
  );

test('computes the values of a finished match', async () => {
  const { match, play } = await live.finishMatch({ numRounds: 150 });
  const { version, players } = await readyLuckOf(match.jobId);
  expect(version).toBe(LUCK_VERSION);
  expect(players.map(({ userId }) => userId)).toEqual(match.playerIds);
  expect(players.map(({ raw }) => raw.at(-1))).toEqual(play.stacks.map((chips) => chips - 10_000));
  for (const { adjusted, raw } of players) {
    expect(adjusted).toHaveLength(play.records.length);
    expect(adjusted).not.toEqual(raw);
  }
}, 200_000);

test('computes missing values before it removes those of an earlier version', async () => {
  const { match } = await live.finishMatch({ numRounds: 40 });
  const { jobId } = match;
  const before = await readyLuckOf(jobId);
  const earlier = LUCK_VERSION - 1;
  await query(sql`UPDATE live_data.match_values SET version = ${earlier} WHERE job_id = ${jobId}`);
  expect(await luckOf(jobId)).toEqual({ ...before, version: earlier });
  const replica = await live.startReplica();
  const versions = async () =>
    (await query(sql`SELECT version FROM live_data.match_values WHERE job_id = ${jobId}`)).rows;
  await vi.waitFor(async () => expect(await versions()).toEqual([{ version: LUCK_VERSION }]), {
    timeout: 150_000,
    interval: 50,
  });
  expect(await luckOf(jobId)).toEqual(before);
  await replica.stop();
  await live.gateway.purgeMatch({ jobId }, { caller: admin });
  expect(await versions()).toEqual([]);
}, 200_000);

test('shows nothing of a match in play or of a private match', async () => {
  const { match } = await live.deliverMatch({ numRounds: 100 }, { hands: 70 });
  expect(await refusal(luckOf(match.jobId))).toMatch(/^FAILED_PRECONDITION match-not-finished/);
  for (const caller of [anonymous, user('zoe')]) {
    expect(await refusal(luckOf(match.jobId, caller))).toMatch(/^PERMISSION_DENIED private-match/);
  }
  expect(await refusal(luckOf(userIdOf('nobody')))).toMatch(/^NOT_FOUND job-not-found/);
});
