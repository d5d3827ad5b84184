import { liveDataService } from '@husky/contracts/services';
import type { MatchEvent__Output } from '@husky/contracts/types/live/v1/MatchEvent';
import type { Caller } from '@husky/runtime/rpc/caller';
import type { ClientOf } from '@husky/runtime/rpc/grpc-client';
import { type TestDatabase, testClient, testDatabase, testNats } from '@husky/testkit/servers';
import { testLife, testSettings } from '@husky/testkit/service-under-test';
import type { Config } from '../src/config.ts';
import { start } from '../src/start.ts';
import { type PlayedMatch, playMatch } from './play.ts';
import { type FakeSimulation, newMatch, startSimulation, type TestMatch, userIdOf } from './simulation.ts';

export const anonymous: Caller = { kind: 'anonymous' };
export const admin: Caller = { kind: 'user', id: userIdOf('boss'), username: 'boss', admin: true, verified: true };
export const user = (name: string): Caller => ({
  kind: 'user',
  id: userIdOf(name),
  username: name,
  admin: false,
  verified: true,
});
export const leaseOf = (match: TestMatch, attempt = 1): Caller => ({
  kind: 'lease',
  jobId: match.jobId,
  attempt,
  runner: 'runner-1',
});

type Client = ClientOf<typeof liveDataService>;

export interface LiveDataUnderTest {
  readonly port: number;
  readonly database: TestDatabase;
  readonly simulation: FakeSimulation;
  /** `gateway` calls for users, `runner` for leases and simulation. */
  readonly gateway: Client;
  readonly runner: Client;
  /** Starts another replica on the same database and NATS. */
  startReplica(): Promise<{ client: Client; runner: Client; stop(): Promise<void> }>;
  /** Opens attempt 1 of a new match and delivers hands, by default all of them. */
  deliverMatch(
    change?: Partial<TestMatch>,
    options?: Parameters<typeof playMatch>[1],
  ): Promise<{ match: TestMatch; play: PlayedMatch }>;
  /** Like `deliverMatch`, and completes the match. */
  finishMatch(
    change?: Partial<TestMatch>,
    options?: Parameters<typeof playMatch>[1],
  ): Promise<{ match: TestMatch; play: PlayedMatch }>;
  stop(): Promise<void>;
}

/** Returns the settings of the service's connections to its database. */
export const settingsOf = ({ url, password }: TestDatabase, poolSize = 6): Config['database'] => ({
  url,
  password,
  schema: 'live_data',
  poolSize,
});

/** Starts the real service with real PostgreSQL and NATS, and a double of simulation with two calls. */
export async function startLiveData({
  poolSize,
  ...change
}: Partial<Pick<Config, 'exports'>> & {
  poolSize?: number;
} = {}): Promise<LiveDataUnderTest> {
  const database = await testDatabase('live-data');
  const simulation = await startSimulation();
  const config = {
    service: testSettings('live-data'),
    database: settingsOf(database, poolSize),
    nats: await testNats('live-data'),
    simulationAddress: simulation.address,
    exports: { keepDays: 30, maxBytes: 2 ** 30, stepHands: 100 },
    archive: undefined,
    ...change,
  };
  const launch = async () => {
    const life = testLife('live-data');
    return { port: await start(config, life), stop: life.stop };
  };
  const first = await launch();
  const gateway = testClient(liveDataService, first.port);
  const runner = testClient(liveDataService, first.port, 'simulation');

  const deliverMatch: LiveDataUnderTest['deliverMatch'] = async (change = {}, options = {}) => {
    const match = newMatch(change);
    simulation.put(match);
    const play = playMatch(match, options);
    const caller = leaseOf(match, options.attempt);
    await runner.openAttempt({ startedAtMs: Date.now() }, { caller });
    for (const { bytes } of play.chunks) await runner.deliverChunk({ chunk: bytes }, { caller });
    return { match, play };
  };
  return {
    port: first.port,
    database,
    simulation,
    gateway,
    runner,
    deliverMatch,
    async finishMatch(change, options) {
      const { match, play } = await deliverMatch(change, options);
      const endedEarly = play.over ? 'One player holds every chip.' : '';
      const request = { handsPlayed: play.records.length, digest: play.digest, endedEarly };
      await runner.completeMatch(request, { caller: leaseOf(match, options?.attempt) });
      return { match, play };
    },
    async startReplica() {
      const replica = await launch();
      const client = testClient(liveDataService, replica.port);
      const runner = testClient(liveDataService, replica.port, 'simulation');
      return {
        client,
        runner,
        async stop() {
          client.close();
          runner.close();
          await replica.stop();
        },
      };
    },
    async stop() {
      gateway.close();
      runner.close();
      await first.stop();
      await simulation.stop();
      await database.drop();
    },
  };
}

/** Returns the first message of a stream and ends the stream. */
export async function firstOf<Message>(stream: AsyncIterable<Message>): Promise<Message | undefined> {
  for await (const message of stream) return message;
  return undefined;
}

/** Collects the events of a stream as they arrive. */
export function collect(stream: AsyncIterable<MatchEvent__Output>) {
  const events: MatchEvent__Output[] = [];
  const ended = (async () => {
    for await (const event of stream) events.push(event);
  })();
  ended.catch(() => undefined);
  return {
    events,
    ended,
    hands: () =>
      events.filter((event) => event.event === 'handPlayed').map((event) => `${event.attempt}:${event.hand}`),
    kinds: () => events.filter((event) => event.event !== 'progress').map((event) => event.event),
  };
}
