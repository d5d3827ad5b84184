import { randomUUID } from 'node:crypto';
import { leaderboardService } from '@husky/contracts/services';
import type { LeaderboardServiceDefinition } from '@husky/contracts/types/leaderboard/v1/LeaderboardService';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { type TestClock, testClock } from '@husky/testkit/clock';
import { type TestDatabase, testClient, testDatabase, testNats } from '@husky/testkit/servers';
import { testLife, testSettings } from '@husky/testkit/service-under-test';
import type { Context } from '../src/context.ts';
import { start } from '../src/start.ts';
import { entriesLock } from '../src/store/entries.ts';
import { type SimulationDouble, startSimulationDouble } from './simulation-double.ts';

const user = (username: string, admin: boolean, verified: boolean): Caller & { id: string } => ({
  kind: 'user',
  id: randomUUID(),
  username,
  admin,
  verified,
});
export const anonymous: Caller = { kind: 'anonymous' };
export const admin = user('admin', true, true);
export const verified = user('verified', false, true);
export const unverified = user('unverified', false, false);

export interface LeaderboardUnderTest {
  readonly client: RpcClient<LeaderboardServiceDefinition>;
  readonly context: Context;
  readonly database: TestDatabase;
  readonly simulation: SimulationDouble;
  readonly clock: TestClock;
  /** Creates a finished job at simulation with these deltas in chips. */
  finishedJob(deltas: Readonly<Record<string, number>>): string;
  /** Returns the 2025 standing in cents by user id. */
  standing(): Promise<Record<string, number>>;
  /** Empties the tables under the entries lock, because a settled hold may be written at any time. */
  empty(...tables: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startLeaderboard(): Promise<LeaderboardUnderTest> {
  const database = await testDatabase('leaderboard');
  const simulation = await startSimulationDouble();
  const clock = testClock(Date.now());
  const life = testLife('leaderboard');
  const { port, context } = await start(
    {
      service: testSettings('leaderboard'),
      database: { url: database.url, password: database.password, schema: 'leaderboard', poolSize: 6 },
      nats: await testNats('leaderboard'),
      simulationAddress: simulation.address,
    },
    life,
    { now: clock.now, settleMs: 3_600_000 },
  );
  const client = testClient(leaderboardService, port);
  return {
    client,
    context,
    database,
    simulation,
    clock,
    finishedJob(deltas) {
      const id = randomUUID();
      const results = Object.entries(deltas).map(([userId, delta]) => ({ userId, delta }));
      simulation.jobs.set(id, { id, status: 'FINISHED', results });
      return id;
    },
    async standing() {
      const { entries } = await client.getTop({ n: 1000, tag: '2025' }, { caller: anonymous });
      return Object.fromEntries(entries.map((entry) => [entry.userId, entry.scoreCents]));
    },
    async empty(...tables) {
      await database.admin.query(`${entriesLock.text}; TRUNCATE ${tables.join(', ')}`);
    },
    async stop() {
      client.close();
      await life.stop();
      await simulation.stop();
      await database.drop();
    },
  };
}
