// PostgreSQL's clock goes back by hours, such as in a failover, so that stored times lie in the future; the machine's clock is wrong.
import { sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { prepareJobs } from '../src/work/preparer.ts';
import { sweep } from '../src/work/sweeper.ts';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { admin, bot, startService, user } from './start-service.ts';

const world = await startBatchWorld();
const { clock, context, doubles, gateway, pool } = world.service;
afterAll(() => world.service.stop());

const goBack = () => clock.advance(-3 * 3_600_000);
const withPackages = { playerFile: Buffer.from('a bot'), requirementsFile: Buffer.from('numpy') };
const indexAway = () => {
  throw new DomainError('UNAVAILABLE', 'package-index-away', 'The package index cannot be reached right now.');
};

test('prepares a job immediately', async () => {
  const caller = user();
  doubles.prepare = indexAway;
  const { id } = await gateway.createTestRun(withPackages, { caller });
  // During the try it is half a minute ahead.
  const failing = sql`SELECT FROM jobs WHERE id = ${id} AND prepare_after < ${new Date(clock.now() + 20_000)}
    AND prepare_tries > 0`;
  await vi.waitFor(async () => expect((await pool.query(failing)).rowCount).toBe(1), 10_000);
  doubles.prepare = () => 'a'.repeat(64);
  goBack();
  await prepareJobs(context);
  const assignment = await vi.waitFor(() => world.service.mustClaim(), 10_000);
  expect(assignment.jobId).toBe(id);
  await world.service.accept(assignment);
});

test('works on a batch immediately', async () => {
  const seven = users(7);
  doubles.requirements.set(seven[0] ?? '', 'numpy');
  doubles.prepare = indexAway;
  const { id } = await world.create(seven);
  const failing = sql`SELECT FROM batches WHERE id = ${id} AND work_tries > 0`;
  await vi.waitFor(async () => expect((await pool.query(failing)).rowCount).toBe(1), 10_000);
  doubles.prepare = () => 'a'.repeat(64);
  goBack();
  await vi.waitFor(async () => expect(await world.read(id)).toMatchObject({ state: 'Ready' }), 10_000);
  await gateway.deleteBatch({ batchId: id }, asAdmin);
});

test('ends a lease without heartbeats after one lease time, and keeps one with heartbeats', async () => {
  const caller = user();
  for (let n = 0; n < 2; n++) await gateway.createTestRun(bot, { caller });
  const silent = await world.service.mustClaim('silent');
  const beating = await world.service.mustClaim('beating');
  goBack();
  await sweep(context);
  const beat = () => world.service.lease.heartbeat({ state: 'ACTIVE' }, { token: beating.leaseToken });
  clock.advance(20_000);
  await beat();
  clock.advance(11_000);
  await sweep(context);
  expect(await beat()).toMatchObject({ cancel: false });
  expect(await gateway.getJob({ jobId: silent.jobId }, { caller })).toMatchObject({ status: 'PENDING' });
  expect(await gateway.getJob({ jobId: beating.jobId }, { caller })).toMatchObject({ status: 'RUNNING', attempt: 1 });
});

const hourMs = 3_600_000;
const service = await startService({}, 1, { databaseClock: true });
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => service.stop());

test.each([3 * hourMs, -3 * hourMs])(
  'a clock that is wrong by %i ms neither ends a lease nor prolongs it',
  async (ms) => {
    const { id: jobId } = await service.gateway.createTestRun(bot, { caller: user() });
    const claimed = await service.mustClaim();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    await sweep(service.context);
    const beat = await service.lease.heartbeat({ state: 'ACTIVE' }, { token: claimed.leaseToken });
    await sweep(service.context);
    vi.useRealTimers();
    expect(beat).toMatchObject({ cancel: false });
    expect(await service.gateway.getJob({ jobId }, { caller: admin })).toMatchObject({ status: 'RUNNING' });
    const { rows } = await service.pool.query<{ seconds: number }>(
      sql`SELECT extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS seconds FROM jobs WHERE id = ${jobId}`,
    );
    expect(rows[0]?.seconds).toSatisfy((seconds: number) => seconds > 0 && seconds <= 31);
    expect(await service.accept(claimed)).toEqual({ accepted: true, acceptedAttempt: 1 });
  },
);
