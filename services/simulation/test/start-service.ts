import { randomUUID } from 'node:crypto';
import { audited, jobEnded } from '@husky/contracts/events';
import { simulationService } from '@husky/contracts/services';
import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { testClock } from '@husky/testkit/clock';
import { testClient, testDatabase } from '@husky/testkit/servers';
import { testLife, testVariables } from '@husky/testkit/service-under-test';
import { type Config, readConfig } from '../src/config.ts';
import type { Context } from '../src/context.ts';
import { start } from '../src/start.ts';
import { QueueWaiters } from '../src/work/queue-waiters.ts';
import { sweep } from '../src/work/sweeper.ts';
import { manualTimers } from './manual-timers.ts';
import { startServiceDoubles } from './service-doubles.ts';

export const user = (id: string = randomUUID(), more: Partial<Extract<Caller, { kind: 'user' }>> = {}) =>
  ({ kind: 'user', id, username: `user-${id.slice(0, 4)}`, admin: false, verified: true, ...more }) as const;
export const admin = user(randomUUID(), { admin: true });
export const sixUsers = () => Array.from({ length: 6 }, () => randomUUID());
export const bot = { playerFile: Buffer.from('a bot'), requirementsFile: Buffer.alloc(0) };

/**
 * Starts the real service, as one or several replicas on one database, with doubles of the services that it calls. `databaseClock`:
 * uses the database's clock, as in production, instead of the test's.
 */
export async function startService(
  variables: Record<string, string> = {},
  replicas = 1,
  { databaseClock = false, ...settings }: { databaseClock?: boolean } & Partial<Config['settings']> = {},
) {
  const timers = manualTimers();
  const doubles = await startServiceDoubles();
  const database = await testDatabase('simulation');
  await database.admin.query(`
    CREATE TABLE simulation.emitted (id bigserial PRIMARY KEY, subject text, payload bytea);
    CREATE FUNCTION simulation.record_emitted() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS
      'BEGIN INSERT INTO simulation.emitted (subject, payload) VALUES (NEW.subject, NEW.payload); RETURN NEW; END';
    CREATE TRIGGER record_emitted AFTER INSERT ON simulation.outbox FOR EACH ROW EXECUTE FUNCTION simulation.record_emitted();`);
  const clock = testClock();
  const read = readConfig({
    ...(await testVariables('simulation', database)),
    ...doubles.addresses,
    LADDER: 'false',
    ...variables,
  });
  const config = { ...read, settings: { ...read.settings, ...settings } };
  const life = testLife('simulation');
  const started: { port: number; context: Context }[] = [];
  const now = databaseClock ? undefined : clock.now;
  for (let n = 0; n < replicas; n++) started.push(await start(config, life, now, new QueueWaiters(timers)));
  const [first] = started;
  if (!first) throw new Error('no replica');
  const client = (issuer: string, replica = 0) => {
    const made = testClient(simulationService, started[replica]?.port ?? 0, issuer);
    life.onStop('client', () => made.close());
    return made;
  };
  const gateway = client('gateway');
  const liveData = client('live-data');
  const runners = started.map((_, replica) => client('runner', replica));

  async function claim(
    runner = 'runner-1',
    waitMs = 0,
    replica = 0,
    rulesVersion = RULES_VERSION,
  ): Promise<Assignment__Output | null> {
    const caller = { kind: 'runner', name: runner } as const;
    const rpc = runners[replica];
    if (!rpc) throw new Error('no such replica');
    const request = { runner, waitMs, version: 'test', rulesVersion };
    return (await rpc.claimMatch(request, { caller, timeoutMs: 30_000 })).assignment;
  }

  return {
    doubles: doubles.state,
    pool: first.context.pool,
    context: first.context,
    clock,
    timers,
    database,
    gateway,
    liveData,
    client,
    claim,
    lease: runners[0] ?? gateway,
    /** Claims the next job. Throws if there is none. */
    async mustClaim(runner = 'runner-1'): Promise<Assignment__Output> {
      const assignment = await claim(runner);
      if (!assignment) throw new Error('there is nothing to claim');
      return assignment;
    },
    /** Reports a claimed match as complete, as live-data does, with all results 0. */
    accept: (assignment: Assignment__Output, handsPlayed = assignment.numRounds, attempt = assignment.attempt) =>
      liveData.acceptResult({
        jobId: assignment.jobId,
        attempt,
        handsPlayed,
        results: assignment.seats.map((seat) => ({ userId: seat.userId, delta: 0 })),
        digest: 'd',
      }),
    /** Creates a test run and returns its id. */
    newRun: async (caller = user()) => (await gateway.createTestRun(bot, { caller })).id,
    read: (jobId: string) => gateway.getJob({ jobId }, { caller: admin }),
    beat: (token: string, more: object = {}) =>
      (runners[0] ?? gateway).heartbeat({ state: 'ACTIVE', ...more }, { token }),
    /** Lets all leases end. */
    async expire() {
      clock.advance(31_000);
      await sweep(first.context);
    },
    async events() {
      const { rows } = await database.admin.query<{ payload: Buffer }>(
        sql`SELECT payload FROM emitted WHERE subject = ${jobEnded.subject} ORDER BY id`,
      );
      return rows.map((row) => jobEnded.decode(row.payload));
    },
    /** Returns the emitted audit records, oldest first. */
    async audited() {
      const event = audited('simulation');
      const { rows } = await database.admin.query<{ payload: Buffer }>(
        sql`SELECT payload FROM emitted WHERE subject = ${event.subject} ORDER BY id`,
      );
      return rows.map((row) => event.decode(row.payload));
    },
    async stop() {
      await life.stop();
      await doubles.stop();
      await database.drop();
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startService>>;
