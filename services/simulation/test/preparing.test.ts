import { at, sql } from '@husky/runtime/database/sql';
import { DomainError } from '@husky/runtime/rpc/errors';
import { afterAll, expect, test, vi } from 'vitest';
import { renewPreparation } from '../src/store/preparing.ts';
import { prepareJobs, resolvePackages } from '../src/work/preparer.ts';
import { reservedMs } from '../src/work/reservation.ts';
import { admin, sixUsers, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const withPackages = { playerFile: Buffer.from('a bot'), requirementsFile: Buffer.from('numpy') };
const failed = (id: string, caller: ReturnType<typeof user>) =>
  vi.waitFor(async () => {
    const job = await service.gateway.getJob({ jobId: id }, { caller });
    expect(job.status).toBe('FAILED');
    return job;
  }, 10_000);

const refuse = () => {
  throw new DomainError('FAILED_PRECONDITION', 'package-unresolvable', 'The package x does not exist.');
};
const indexAway = () => {
  throw new DomainError('UNAVAILABLE', 'package-index-away', 'The package index cannot be reached right now.');
};
/** Waits until a number of tries to prepare a job have ended without success. */
const tried = (id: string, tries: number) =>
  vi.waitFor(async () => {
    const { rows } = await service.pool.query<{ tries: number; dueAt: Date | null }>(
      sql`SELECT prepare_tries AS tries, prepare_after AS "dueAt" FROM jobs WHERE id = ${id}`,
    );
    expect(rows[0]?.tries).toBeGreaterThanOrEqual(tries);
    // During a try it is half a minute ahead.
    expect(Number(rows[0]?.dueAt)).toBeLessThan(service.clock.now() + 20_000);
  }, 10_000);

test('fails a test run with the reason if a package cannot be used', async () => {
  service.doubles.prepare = refuse;
  const caller = user();
  const { id } = await service.gateway.createTestRun(withPackages, { caller });
  expect(await failed(id, caller)).toMatchObject({ errorMessage: 'The package x does not exist.' });
  expect(await service.claim()).toBeNull();
  expect((await service.events()).at(-1)).toMatchObject({ jobId: id, status: 'Failed', lastOfHolder: true });
});

test('names the packages, not a service, when preparing them takes too long', async () => {
  service.doubles.prepare = () => {
    throw new DomainError('DEADLINE_EXCEEDED', 'deadline-exceeded', 'The submission service did not answer in time');
  };
  service.doubles.requirements.set('bot', 'x');
  await expect(resolvePackages(service.context, 'bot')).rejects.toMatchObject({
    code: 'DEADLINE_EXCEEDED',
    message: 'Preparing the packages took longer than 4 minutes.',
  });
  service.doubles.prepare = refuse;
});

test('names the seat in the reason of a failed match', async () => {
  const six = sixUsers();
  service.doubles.requirements.set(six[2] ?? '', 'x');
  const { id } = await service.gateway.createMatch({ userIds: six, numRounds: 6 }, { caller: admin });
  const { errorMessage } = await failed(id, admin);
  expect(errorMessage).toBe('The bot in seat 3 cannot be played: The package x does not exist.');
});

test('retries an unavailable index for some minutes, then fails the job with the reason', async () => {
  let unavailable = true;
  service.doubles.prepare = () => (unavailable ? indexAway() : 'a'.repeat(64));
  const caller = user();
  const retried = await service.gateway.createTestRun(withPackages, { caller });
  await tried(retried.id, 1);
  expect(await service.gateway.getJob({ jobId: retried.id }, { caller })).toMatchObject({ status: 'PENDING' });
  unavailable = false;
  service.clock.advance(60_000);
  await prepareJobs(service.context);
  await vi.waitFor(async () => expect((await service.claim())?.jobId).toBe(retried.id), 10_000);

  unavailable = true;
  const expired = await service.gateway.createTestRun(withPackages, { caller });
  await tried(expired.id, 1);
  service.clock.advance(6 * 60_000);
  await prepareJobs(service.context);
  const { errorMessage } = await failed(expired.id, caller);
  expect(errorMessage).toBe('The package index cannot be reached right now. It was tried for 5 minutes.');
});

test('retries a job that was created long before its first failure', async () => {
  const caller = user();
  service.doubles.prepare = indexAway;
  const { id } = await service.gateway.createTestRun(withPackages, { caller });
  await tried(id, 1);
  // As if it had been created while the platform was down, and this were the first try.
  await service.pool.query(sql`UPDATE jobs SET failing_since = NULL WHERE id = ${id}`);
  service.clock.advance(6 * 60_000);
  await prepareJobs(service.context);
  await tried(id, 2);
  expect(await service.gateway.getJob({ jobId: id }, { caller })).toMatchObject({ status: 'PENDING' });
  service.doubles.prepare = () => 'a'.repeat(64);
  service.clock.advance(60_000);
  await prepareJobs(service.context);
  await vi.waitFor(async () => expect((await service.claim())?.jobId).toBe(id), 10_000);
});

test('prepares the job of a process that died half a minute after the last renewal', async () => {
  const caller = user();
  service.doubles.prepare = indexAway;
  const { id } = await service.gateway.createTestRun(withPackages, { caller });
  await tried(id, 1);
  service.doubles.prepare = () => 'a'.repeat(64);
  const until = service.clock.now() + reservedMs;
  await service.pool.query(sql`UPDATE jobs SET prepare_after = ${at(until)} WHERE id = ${id}`);
  await renewPreparation(service.pool, id, until, until + 10_000);
  service.clock.advance(reservedMs);
  expect(await prepareJobs(service.context)).toBe(false);
  // One that has lost its reservation does not get it back.
  await renewPreparation(service.pool, id, until, until + 60_000);
  service.clock.advance(10_000);
  await prepareJobs(service.context);
  await vi.waitFor(async () => expect((await service.claim())?.jobId).toBe(id), 10_000);
});

test('slow packages of others delay no test run, and each owner has at most two prepared at a time', async () => {
  const released = Promise.withResolvers<string>();
  const withFiles = (requirements: string) => ({ ...withPackages, requirementsFile: Buffer.from(requirements) });
  service.doubles.prepare = (requirements) => (requirements === 'slow' ? released.promise : 'b'.repeat(64));
  service.doubles.prepared.length = 0;
  const prepared = (requirements: string) => service.doubles.prepared.filter((one) => one === requirements).length;
  const callers = Array.from({ length: 20 }, () => user());
  for (const caller of callers) {
    for (let run = 0; run < 2; run++) await service.gateway.createTestRun(withFiles('slow'), { caller });
  }
  await vi.waitFor(() => expect(prepared('slow')).toBe(40), 10_000);
  const caller = user();
  const { id } = await service.gateway.createTestRun(withFiles('quick'), { caller });
  await vi.waitFor(async () => expect((await service.claim())?.jobId).toBe(id), 10_000);
  released.resolve('a'.repeat(64));
  await vi.waitFor(async () => expect(await service.claim()).toBeDefined(), 10_000);
});
