import { randomUUID } from 'node:crypto';
import { simulationService } from '@husky/contracts/services';
import { RULES_VERSION } from '@husky/match/rules-version';
import { sql } from '@husky/runtime/database/sql';
import { testClient } from '@husky/testkit/servers';
import { startService } from '@husky/testkit/service-process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asAdmin, eventually, type LaunchedPool, launchPool, type TestWorld, testWorld } from './launch-pool.ts';

/** Starts the simulation service as a process with a real database. Matches are inserted into its queue by SQL. */
async function startRealSimulation() {
  const unreachable = '127.0.0.1:1';
  const addresses = { AUTH_ADDRESS: unreachable, SUBMISSION_ADDRESS: unreachable, LIVE_DATA_ADDRESS: unreachable };
  const service = await startService('simulation', addresses);
  const { database, grpcPort: port } = service;
  const runner = testClient(simulationService, port, 'runner');
  const liveData = testClient(simulationService, port, 'live-data');
  return {
    address: `127.0.0.1:${port}`,
    database,
    async queueMatches(count: number, hands: number): Promise<void> {
      const dealSet = randomUUID();
      await database.admin.query(sql`INSERT INTO deal_sets (id, seed) VALUES (${dealSet}, decode('00', 'hex'))`);
      await database.admin.query(
        sql`WITH made AS (INSERT INTO jobs (id, kind, state, owner_id, holder_id, deal_set_id, num_rounds, big_blind, blind_multiplier,
           blind_interval, starting_stack, rules_version, profile, limits, queue_tag)
         SELECT gen_random_uuid(), 'MATCH', 'QUEUED', ${dealSet}, ${dealSet}, ${dealSet}, ${hands}, 10, '1', 1, 10000, 1, 'documented', '{}', n
         FROM generate_series(1, ${count}) AS n RETURNING id)
         INSERT INTO job_seats (job_id, seat, user_id, bot_hash, packages_hash)
         SELECT id, seat, gen_random_uuid(), repeat('a', 64), '' FROM made, generate_series(0, 5) AS seat`,
      );
    },
    /** Claims a match and reports its result like a dealer, but deals no cards. Returns false when there is no match. */
    async playOne(name: string): Promise<boolean> {
      const caller = { kind: 'runner', name } as const;
      const request = { runner: name, waitMs: 0, version: 'test', rulesVersion: RULES_VERSION };
      const { assignment } = await runner.claimMatch(request, { caller });
      if (assignment === null) return false;
      const { jobId, attempt, numRounds, leaseToken, seats } = assignment;
      await runner.heartbeat({ state: 'ACTIVE', handsDone: 1 }, { token: leaseToken });
      const results = seats.map(({ userId }) => ({ userId, delta: 0 }));
      await liveData.acceptResult({ jobId, attempt, handsPlayed: numRounds, digest: 'd', results });
      return true;
    },
    async outcomes(): Promise<Record<string, number>> {
      const { rows } = await database.admin.query<{ outcome: string; count: number }>(
        'SELECT outcome, count(*)::int FROM attempts GROUP BY outcome',
      );
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
    },
    async stop() {
      for (const client of [runner, liveData]) client.close();
      await service.end();
      await service.stop();
    },
  };
}

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
