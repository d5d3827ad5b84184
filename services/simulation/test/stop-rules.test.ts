import { sql } from '@husky/runtime/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';

const world = await startBatchWorld();
afterAll(() => world.service.stop());

const eight = users(8);
const [ann = '', bob = ''] = eight;
const duplicate = { numRounds: 10, mode: 'duplicate' };

test('ends a batch when its pair is decided, and shows the course', async () => {
  // Over six rotations every player wins the same, so that the difference is 0 without variance.
  const stopRule = { alpha: 0.05, margin: 20, userIds: [ann, bob] };
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

test('plays a batch to its end while a pair is undecided', async () => {
  const id = await world.createReady(users(7), {
    ...duplicate,
    stopRule: { alpha: 0.05, margin: 0, userIds: [] },
  });
  expect(await world.play(42)).toBe(42);
  const ended = await world.read(id);
  expect(ended).toMatchObject({ state: 'Ready', finished: 42, stop: { stoppedAt: '' } });
  expect(ended.stop?.pairs).toHaveLength(21);
  expect(ended.stop?.pairs.every(({ course }) => course[0]?.tables === 5)).toBe(true);
  await world.remove(id);
});
