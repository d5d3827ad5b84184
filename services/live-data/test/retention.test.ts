import { houseUserId } from '@husky/contracts/house-user';
import { join, sql } from '@husky/runtime/database/sql';
import { createLogger } from '@husky/runtime/process/logger';
import { afterAll, expect, test } from 'vitest';
import { clientOver } from '../src/store/database.ts';
import { WorkLocks } from '../src/store/work-locks.ts';
import { applyRetention } from '../src/work/apply-retention.ts';
import { admin, anonymous, type LiveDataUnderTest, leaseOf, settingsOf, startLiveData, user } from './service.ts';
import { userIdOf } from './simulation.ts';

const live = await startLiveData();
afterAll(() => live.stop());

const ann = user('ann');
const testRun = { playerIds: [userIdOf('ann'), houseUserId], ownerId: userIdOf('ann'), numRounds: 12 };

const logOf = (jobId: string, log: string) => ({
  jobId,
  seat: 0,
  log,
  verdict: '',
  cpuMs: 5,
  peakKib: 9,
  faults: 0,
});

/** Moves a match and its attempts into the past. */
async function moveIntoPast(jobId: string, days: number): Promise<void> {
  const { admin: pool } = live.database;
  await pool.query(
    sql`UPDATE live_data.matches SET created_at = now() - ${days} * interval '1 day' WHERE job_id = ${jobId}`,
  );
  await pool.query(
    sql`UPDATE live_data.attempts SET started_at = now() - ${days} * interval '1 day' WHERE job_id = ${jobId}`,
  );
}

/** Finishes a match with a log of its first seat and moves it `days` into the past. */
async function finishMatchBefore(
  days: number,
  change: Parameters<LiveDataUnderTest['finishMatch']>[0],
): Promise<string> {
  const { match } = await live.deliverMatch(change, {});
  const { jobId } = match;
  const caller = leaseOf(match);
  await live.runner.deliverSeatReport(logOf(jobId, 'a log of the bot'), { caller });
  const { rows } = await live.database.admin.query<{ hands: number; digest: Buffer }>(
    sql`SELECT hands, digest FROM live_data.attempts WHERE job_id = ${jobId}`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no attempt');
  const endedEarly = row.hands < match.numRounds ? 'One player holds every chip.' : '';
  await live.runner.completeMatch(
    { handsPlayed: row.hands, digest: row.digest.toString('hex'), endedEarly },
    { caller },
  );
  await moveIntoPast(jobId, days);
  return jobId;
}

async function apply(rules: { keepTestRunsDays: number; keepLogsDays: number }): Promise<void> {
  const { admin: pool } = live.database;
  const prisma = clientOver(pool);
  const stopping = new AbortController().signal;
  const workLocks = new WorkLocks(settingsOf(live.database));
  const context = {
    db: { prisma, pool },
    workLocks,
    log: createLogger('live-data', 'fatal'),
    now: Date.now,
    relay: { kick: () => undefined },
    stopping,
  };
  await applyRetention(context, rules);
  await workLocks.close();
  await prisma.$disconnect();
}

const rowsOf = async (jobId: string) => {
  const counts = [sql`chunks`, sql`series`, sql`hand_indexes`, sql`matches`, sql`attempts`, sql`play_counters`].map(
    (table) => sql`(SELECT count(*)::int FROM live_data.${table} WHERE job_id = ${jobId}) AS ${table}`,
  );
  const { rows } = await live.database.admin.query<Record<string, number>>(sql`SELECT ${join(counts)}`);
  return rows[0];
};

test('removes hands and logs of old private test runs, with a sentence for their readers and an audit record', async () => {
  const old = await finishMatchBefore(100, testRun);
  const young = await finishMatchBefore(10, testRun);
  await apply({ keepTestRunsDays: 90, keepLogsDays: 0 });
  expect(await rowsOf(old)).toMatchObject({ chunks: 0, series: 0, hand_indexes: 0, matches: 1, attempts: 1 });
  const removed = /^The hands of this test run were removed on \d{4}-\d\d-\d\d/;
  for (const call of [
    () => live.gateway.listHands({ jobId: old, page: 1, pageSize: 10 }, { caller: ann }),
    () => live.gateway.getPerformance({ jobId: old }, { caller: ann }),
    () => live.gateway.getMatchLuck({ jobId: old }, { caller: admin }),
    () => live.gateway.getBotReport({ jobId: old, userId: userIdOf('ann') }, { caller: ann }),
    () => live.gateway.toggleVisibility({ jobId: old, public: true }, { caller: admin }),
  ]) {
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND', message: expect.stringMatching(removed) });
  }
  await expect(live.gateway.getSeatLog({ jobId: old, userId: userIdOf('ann') }, { caller: ann })).rejects.toThrow(
    'The log was removed on',
  );
  expect(await live.gateway.getMatchAccess({ jobId: old }, { caller: ann })).toMatchObject({ canRead: true });
  await expect(live.gateway.listHands({ jobId: old }, { caller: anonymous })).rejects.toThrow('private');
  expect((await live.gateway.listHands({ jobId: young }, { caller: ann })).hands.length).toBeGreaterThan(0);
  const retention = await live.gateway.getRetention({}, { caller: admin });
  expect(retention.lastRun).toMatchObject({ testRuns: 1, logMatches: 0, keepTestRunsDays: 90 });
  expect(retention.hands).toBeGreaterThan(0);
});

test('keeps the hands of public test runs, of batches and of matches between users, however old', async () => {
  const publicRun = await finishMatchBefore(200, testRun);
  await live.gateway.toggleVisibility({ jobId: publicRun, public: true }, { caller: admin });
  const match = await finishMatchBefore(200, { numRounds: 12 });
  const inBatch = await finishMatchBefore(200, { numRounds: 12, batchId: crypto.randomUUID() });
  await apply({ keepTestRunsDays: 7, keepLogsDays: 0 });
  for (const jobId of [publicRun, match, inBatch]) {
    expect(await rowsOf(jobId)).toMatchObject({ series: 1, hand_indexes: 1, play_counters: 1 });
  }
});

test('removes logs and lost attempts of old matches and keeps the accepted hands', async () => {
  const jobId = await finishMatchBefore(40, { numRounds: 12 });
  await live.database.admin.query(
    sql`INSERT INTO live_data.attempts (job_id, attempt, started_at, hands, digest) VALUES (${jobId}, 7, now(), 3, '');`,
  );
  await live.database.admin.query(
    sql`INSERT INTO live_data.chunks (job_id, attempt, first_hand, hands, bytes) VALUES (${jobId}, 7, 1, 3, 'x')`,
  );
  const before = await live.gateway.listHands({ jobId }, { caller: admin });
  await apply({ keepTestRunsDays: 0, keepLogsDays: 30 });
  expect(await live.gateway.listHands({ jobId }, { caller: admin })).toEqual(before);
  const { rows } = await live.database.admin.query(
    sql`SELECT 1 FROM live_data.chunks WHERE job_id = ${jobId} AND attempt = 7`,
  );
  expect(rows).toEqual([]);
  const [owner = ''] = (
    await live.database.admin.query<{ id: string }>(
      sql`SELECT player_ids[1] AS id FROM live_data.matches WHERE job_id = ${jobId}`,
    )
  ).rows.map((row) => row.id);
  await expect(live.gateway.getSeatLog({ jobId, userId: owner }, { caller: admin })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('The log was removed on'),
  });
  const report = await live.gateway.getBotReport({ jobId, userId: owner }, { caller: admin });
  expect(report.log?.log).toContain('The log was removed on');
  expect(report.hands).toBeGreaterThan(0);
});

test('keeps the log of a failed match that is played again after its logs were removed, until that attempt is old', async () => {
  const { match } = await live.deliverMatch({}, { hands: 10 });
  const { jobId } = match;
  const [userId = ''] = match.playerIds;
  const readLog = () => live.gateway.getSeatLog({ jobId, userId }, { caller: admin });
  const rules = { keepTestRunsDays: 0, keepLogsDays: 30 };
  await live.runner.deliverSeatReport(logOf(jobId, 'the first log'), { caller: leaseOf(match) });
  await live.database.admin.query(sql`UPDATE live_data.matches SET status = 'Failed' WHERE job_id = ${jobId}`);
  await moveIntoPast(jobId, 40);
  await apply(rules);
  await expect(readLog()).rejects.toThrow('The log was removed on');

  const caller = leaseOf(match, 2);
  await live.runner.openAttempt({ startedAtMs: Date.now() }, { caller });
  await live.runner.deliverSeatReport(logOf(jobId, 'the second log'), { caller });
  await live.database.admin.query(sql`UPDATE live_data.matches SET status = 'Failed' WHERE job_id = ${jobId}`);
  expect((await readLog()).log).toBe('the second log');
  await apply(rules);
  expect((await readLog()).log).toBe('the second log');
  await moveIntoPast(jobId, 40);
  await apply(rules);
  await expect(readLog()).rejects.toThrow('The log was removed on');
});

test('removes nothing a second time and nothing without rules', async () => {
  const before = await live.gateway.getRetention({}, { caller: admin });
  await apply({ keepTestRunsDays: 7, keepLogsDays: 30 });
  const after = await live.gateway.getRetention({}, { caller: admin });
  await apply({ keepTestRunsDays: 7, keepLogsDays: 30 });
  expect(await live.gateway.getRetention({}, { caller: admin })).toEqual(after);
  expect(after.testRuns).toBe(before.testRuns);
  await finishMatchBefore(4000, testRun);
  await apply({ keepTestRunsDays: 0, keepLogsDays: 0 });
  expect(await live.gateway.getRetention({}, { caller: admin })).toEqual(after);
});
