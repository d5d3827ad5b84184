import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

const eight = users(8);
const [ann = '', bob = ''] = eight;
const duplicate = { numRounds: 10, mode: 'duplicate', stacks: 'carry' };

test('ends a batch when its pair is decided, and shows the course', async () => {
  // Over six rotations every player wins the same. The margin is 300 stacks in 100 hands, three tables' worth.
  const stopRule = { alpha: 0.05, margin: 1_000_000, userIds: [ann, bob] };
  const id = await world.createReady(eight, { ...duplicate, stopRule });
  expect((await world.read(id)).stop).toMatchObject({ rule: stopRule, stoppedAt: '' });
  for (let table = 0; table < 28; table++) {
    if ((await world.read(id)).state === 'Stopped') break;
    await world.play(6);
    await vi.waitFor(async () => {
      const { rows } = await world.service.pool.query(sql`SELECT work_after FROM batches WHERE id = ${id}`);
      expect(rows).toEqual([{ work_after: null }]);
    }, 10_000);
  }
  const ended = await world.read(id);
  expect(ended).toMatchObject({ state: 'Stopped', pending: 0, running: 0, stop: { rule: stopRule } });
  expect(ended.finished).toBeLessThan(168);
  expect(ended.finished + ended.failed).toBe(168);
  expect(ended.stop?.stoppedAt).not.toBe('');
  const course = ended.stop?.pairs[0]?.course ?? [];
  expect(course.at(-1)).toMatchObject({ mean: 0, decision: 'equivalent' });
  expect(course.slice(0, -1).every(({ decision }) => decision === 'continue')).toBe(true);
  const { jobs } = await world.service.gateway.listBatchJobs({ batchId: id, status: 'Failed' }, asAdmin);
  expect(jobs[0]?.errorMessage).toBe('Not played: the stopping rule has ended the batch.');
  await expect(world.service.gateway.retryBatch({ batchId: id }, asAdmin)).rejects.toMatchObject({
    reason: 'batch-stopped',
  });
  await world.remove(id);
});

const balanced = { numRounds: 10, design: 'balanced', handBudget: 210 };

test('plays a batch to its end while a pair is undecided', async () => {
  const id = await world.createReady(users(7), { ...balanced, stopRule: { alpha: 0.05, margin: 0, userIds: [] } });
  expect(await world.play(21)).toBe(21);
  const { state, finished, stop } = await world.read(id);
  expect({ state, finished }).toEqual({ state: 'Ready', finished: 21 });
  expect(stop).toMatchObject({ stoppedAt: '', outdated: false });
  expect(stop?.pairs).toHaveLength(21);
  expect(stop?.pairs.every(({ course }) => course.length === 1 && course[0]?.tables === 21)).toBe(true);
  expect(stop?.players.map(({ tables }) => tables)).toEqual(new Array(7).fill(18));
  expect(stop?.players.every(({ mean, low, high }) => low < mean && mean < high)).toBe(true);
  await world.remove(id);
});

test('plays a batch with a rule of an earlier version to its end, and says that it decides nothing', async () => {
  const stopRule = { alpha: 0.05, margin: 1_000_000, userIds: [ann, bob] };
  const id = await world.createReady(eight, { ...balanced, stopRule });
  const earlier = { alpha: 0.05, margin: 1_000_000, pair: [ann, bob], plannedTables: 15 };
  await world.service.pool.query(
    sql`UPDATE batches SET stop_rule = ${JSON.stringify(earlier)}::jsonb, stacks = 'reset' WHERE id = ${id}`,
  );
  expect(await world.play(21)).toBe(21);
  const { state, finished, stop } = await world.read(id);
  expect({ state, finished }).toEqual({ state: 'Ready', finished: 21 });
  expect(stop).toEqual({ rule: stopRule, stoppedAt: '', pairs: [], players: [], outdated: true });
  await world.service.pool.query(sql`UPDATE batches SET stopped_at = now(), state = 'CANCELLED' WHERE id = ${id}`);
  expect(await world.read(id)).toMatchObject({ state: 'Stopped', stop: { outdated: true, pairs: [] } });
  await world.remove(id);
});
