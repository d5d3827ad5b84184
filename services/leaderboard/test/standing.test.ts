import { randomUUID } from 'node:crypto';
import { houseUserId } from '@husky/contracts/house-user';
import { simulationService } from '@husky/contracts/services';
import { expectHoldsContract } from '@husky/testkit/contracts';
import { refusal } from '@husky/testkit/refusal';
import { testClient } from '@husky/testkit/servers';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { settleHolds } from '../src/holds.ts';
import { admin, anonymous, startLeaderboard, verified } from './service.ts';
import { startSimulationDouble } from './simulation-double.ts';

const board = await startLeaderboard();
afterAll(() => board.stop());
beforeEach(async () => {
  await board.empty('entries', 'applied_jobs', 'applied_deltas', 'batch_deltas', 'unsettled_holds');
  board.simulation.jobs.clear();
  board.simulation.held.clear();
});

const asAdmin = { caller: admin };
const apply = (jobId: string) => board.client.applyJob({ jobId }, asAdmin);
const unapply = (jobId: string) => board.client.unapplyJob({ jobId }, asAdmin);
const alreadyApplied = 'FAILED_PRECONDITION already-applied: This job is already on the 2025 leaderboard';
const notApplied = 'FAILED_PRECONDITION not-applied: This job is not on the 2025 leaderboard';
const [ann, ben, cat] = [randomUUID(), randomUUID(), randomUUID()].sort() as [string, string, string];

test("adds each player's result once, in cents", async () => {
  const first = board.finishedJob({ [ann]: 10, [ben]: -4 });
  const { created, updated } = await apply(first);
  expect(updated).toEqual([]);
  expect(created.map(({ userId, scoreCents, tag }) => [userId, scoreCents, tag])).toEqual([
    [ann, 1000, '2025'],
    [ben, -400, '2025'],
  ]);
  const second = board.finishedJob({ [ben]: 1, [cat]: 0 });
  const result = await apply(second);
  expect([result.updated.map((entry) => entry.userId), result.created.map((entry) => entry.userId)]).toEqual([
    [ben],
    [cat],
  ]);
  expect(await board.standing()).toEqual({ [ann]: 1000, [ben]: -300, [cat]: 0 });
  expect(board.simulation.held).toEqual(new Set([first, second]));
  expect(await refusal(apply(first))).toBe(alreadyApplied);
  const request = { jobIds: [first, second, randomUUID(), 'no id'] };
  expect((await board.client.listAppliedJobs(request, asAdmin)).jobIds.sort()).toEqual([first, second].sort());
});

test('removes exactly what a job added, and deletes entries without a remaining job', async () => {
  const first = board.finishedJob({ [ann]: 10, [ben]: -10 });
  const second = board.finishedJob({ [ann]: -10, [cat]: 10 });
  await apply(first);
  const before = await board.standing();
  await apply(second);
  const { updated, skippedUserIds } = await unapply(second);
  expect(updated.map(({ userId, scoreCents }) => [userId, scoreCents])).toEqual([
    [ann, 1000],
    [cat, 0],
  ]);
  expect(skippedUserIds).toEqual([]);
  expect(await board.standing()).toEqual(before);
  expect(board.simulation.held).toEqual(new Set([first]));
  expect(await refusal(unapply(second))).toBe(notApplied);
  await unapply(first);
  expect(await board.standing()).toEqual({});
  expect(await refusal(apply(second))).toBe('OK');
});

test('skips users whose entry an admin has removed, even if they have a new entry', async () => {
  const first = board.finishedJob({ [ann]: 10, [ben]: -10 });
  const { created } = await apply(first);
  await board.client.removeEntry({ id: created.find((entry) => entry.userId === ann)?.id ?? '' }, asAdmin);
  await apply(board.finishedJob({ [ann]: 3 }));
  const { updated, skippedUserIds } = await unapply(first);
  expect(skippedUserIds).toEqual([ann]);
  expect(updated.map((entry) => entry.userId)).toEqual([ben]);
  expect(await board.standing()).toEqual({ [ann]: 300 });
});

test('adds a job once under concurrent calls, and many jobs of the same players exactly', async () => {
  const one = board.finishedJob({ [ann]: 1, [ben]: -1 });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => refusal(apply(one))));
  expect(outcomes.filter((outcome) => outcome === 'OK')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === alreadyApplied)).toHaveLength(9);

  const jobs = Array.from({ length: 20 }, (_, index) => board.finishedJob({ [ann]: index, [ben]: -index, [cat]: 1 }));
  await Promise.all(jobs.map(apply));
  expect(await board.standing()).toEqual({ [ann]: 19_100, [ben]: -19_100, [cat]: 2000 });
  const undone = await Promise.all(jobs.flatMap((id) => [refusal(unapply(id)), refusal(unapply(id))]));
  expect(undone.filter((outcome) => outcome === 'OK')).toHaveLength(20);
  expect(await board.standing()).toEqual({ [ann]: 100, [ben]: -100 });
  expect(board.simulation.held).toEqual(new Set([one]));
});

test('refuses unfinished, failed and unknown jobs, and releases them', async () => {
  for (const status of ['PENDING', 'RUNNING', 'FAILED'] as const) {
    const id = board.finishedJob({ [ann]: 1 });
    board.simulation.jobs.set(id, { ...board.simulation.jobs.get(id), status });
    expect(await refusal(apply(id))).toBe(
      'FAILED_PRECONDITION job-not-finished: Only a finished job can be put on a leaderboard.',
    );
  }
  for (const id of [randomUUID(), 'no id', '']) expect(await refusal(apply(id))).toMatch(/^NOT_FOUND job-not-found/);
  expect(board.simulation.held.size).toBe(0);
  expect(await board.standing()).toEqual({});
  const { rowCount } = await board.database.admin.query('SELECT 1 FROM unsettled_holds');
  expect(rowCount).toBe(0);
});

test('refuses test runs and matches with the house bot, and releases them', async () => {
  const testRun = board.finishedJob({ [ann]: 60, [ben]: -60 });
  board.simulation.jobs.set(testRun, { ...board.simulation.jobs.get(testRun), kind: 'TEST_RUN' });
  const withHouse = board.finishedJob({ [ann]: 60, [houseUserId]: -60 });
  for (const id of [testRun, withHouse]) {
    expect(await refusal(apply(id))).toBe(
      'FAILED_PRECONDITION test-run: A test run against the house bot cannot be added to the 2025 leaderboard',
    );
  }
  expect(await board.standing()).toEqual({});
  expect(board.simulation.held.size).toBe(0);
});

test('refuses callers who are not admins', async () => {
  const jobId = board.finishedJob({ [ann]: 1 });
  for (const caller of [anonymous, verified]) {
    const outcomes = await Promise.all([
      refusal(board.client.applyJob({ jobId }, { caller })),
      refusal(board.client.unapplyJob({ jobId }, { caller })),
      refusal(board.client.listAppliedJobs({ jobIds: [jobId] }, { caller })),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatch(/^(UNAUTHENTICATED|PERMISSION_DENIED)/);
  }
});

test('releases a job once simulation is available again, and keeps the hold of a job applied again', async () => {
  const [removed, reapplied] = [board.finishedJob({ [ann]: 1 }), board.finishedJob({ [ben]: 1 })];
  await apply(removed);
  await apply(reapplied);
  board.simulation.setUnavailable(true);
  await unapply(removed);
  await unapply(reapplied);
  expect(await refusal(apply(reapplied))).toMatch(/^UNAVAILABLE/);
  board.simulation.setUnavailable(false);
  await apply(reapplied);
  await settleHolds(board.context);
  expect(board.simulation.held).toEqual(new Set([removed, reapplied]));
  board.clock.advance(30_000);
  await settleHolds(board.context);
  expect(board.simulation.held).toEqual(new Set([reapplied]));
  expect(await board.standing()).toEqual({ [ben]: 100 });
});

test('the double of simulation fulfils the contract that leaderboard relies on', async () => {
  const simulation = await startSimulationDouble();
  const client = testClient(simulationService, Number(simulation.address.split(':')[1]), 'leaderboard');
  const [finishedJobId, unfinishedJobId, batchId] = [randomUUID(), randomUUID(), randomUUID()];
  const results = [{ userId: randomUUID(), delta: 5 }];
  simulation.jobs.set(finishedJobId, { id: finishedJobId, status: 'FINISHED', results });
  simulation.jobs.set(unfinishedJobId, { id: unfinishedJobId, status: 'RUNNING' });
  const games = [1, 3].map((gameNumber) => ({ jobId: randomUUID(), gameNumber, results }));
  simulation.batches.set(batchId, { total: 4, games });
  const finishedGames = games.map(({ gameNumber }) => gameNumber);
  await expectHoldsContract(client, { finishedJobId, unfinishedJobId, batchId, totalJobs: 4, finishedGames });
  client.close();
  await simulation.stop();
});
