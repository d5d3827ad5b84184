import { afterEach, beforeEach, expect, test } from 'vitest';
import { asAdmin, eventually, type LaunchedPool, launchPool, type TestWorld, testWorld } from './launch-pool.ts';
import { startRealSimulation } from './real-simulation.ts';

let world: TestWorld;
let simulation: Awaited<ReturnType<typeof startRealSimulation>>;
let pool: LaunchedPool;
beforeEach(async () => {
  [world, simulation] = await Promise.all([testWorld(), startRealSimulation()]);
  pool = await launchPool(world, { simulation: simulation.address });
});
afterEach(async () => {
  await pool?.stop();
  await simulation?.stop();
  await world?.stop();
});

/** Makes every runner of the fleet play one match after another until `over` returns true. */
async function playUntil(over: () => Promise<boolean>): Promise<void> {
  while (!(await over())) {
    const { containers } = await pool.client.getStatus({}, asAdmin);
    await Promise.all(containers.map(({ containerName }) => simulation.playOne(containerName)));
  }
}

test('scales with the queue of the real service, up and down, without losing a match', async () => {
  await simulation.queueMatches(60, 4000);
  const on = await pool.client.setAutoscaling({ enabled: true }, asAdmin);
  expect(on.view).toMatchObject({ backlogHands: 240_000, desiredSize: 6, handsPerSecond: 0 });
  expect(on.view?.reason).toMatch(
    /^Backlog 240,000 hands, 300 hands\/s a runner \(assumed, none is measured yet\): wants 6, the maximum \(60 would be right\)/,
  );
  await eventually(async () => expect((await pool.client.getStatus({}, asAdmin)).containers).toHaveLength(6));
  await playUntil(async () => (await simulation.outcomes()).FINISHED === 60);
  await playUntil(async () => (await pool.client.getStatus({}, asAdmin)).containers.length === 3);
  expect(await simulation.outcomes()).toEqual({ FINISHED: 60 });
  const { jobs } = await pool.client.listScalingJobs({}, asAdmin);
  expect(jobs.map(({ userId, fromSize, targetSize }) => [userId, fromSize, targetSize]).at(-1)).toEqual(['', 3, 6]);
  expect(jobs[0]).toMatchObject({ userId: '', targetSize: 3 });
  await eventually(async () => {
    const { view } = await pool.client.getAutoscaling({}, asAdmin);
    expect(view).toMatchObject({ state: 'steady', backlogHands: 0, desiredSize: 3 });
    expect(view?.reason).toMatch(/^No backlog \([\d,]+ hands\/s a runner lately\): wants 3, the minimum\.$/);
  });
}, 300_000);
