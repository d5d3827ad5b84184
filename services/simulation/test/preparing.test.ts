import { DomainError } from '@husky/runtime/errors';
import { afterAll, expect, test, vi } from 'vitest';
import { prepareJobs } from '../src/work/preparer.ts';
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

test('fails a test run with the reason if a package cannot be used', async () => {
  service.doubles.prepare = () => {
    throw new DomainError('FAILED_PRECONDITION', 'package-unresolvable', 'The package x does not exist.');
  };
  const caller = user();
  const { id } = await service.gateway.createTestRun(withPackages, { caller });
  expect(await failed(id, caller)).toMatchObject({ errorMessage: 'The package x does not exist.' });
  expect(await service.claim()).toBeNull();
  expect((await service.events()).at(-1)).toMatchObject({ jobId: id, status: 'Failed', lastOfHolder: true });
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
  service.doubles.prepare = () => {
    if (unavailable)
      throw new DomainError('UNAVAILABLE', 'package-index-away', 'The package index cannot be reached right now.');
    return 'a'.repeat(64);
  };
  const caller = user();
  const tried = () => service.doubles.prepared.length;
  const before = tried();
  const retried = await service.gateway.createTestRun(withPackages, { caller });
  await vi.waitFor(() => expect(tried()).toBeGreaterThan(before), 10_000);
  expect(await service.gateway.getJob({ jobId: retried.id }, { caller })).toMatchObject({ status: 'PENDING' });
  unavailable = false;
  service.clock.advance(60_000);
  await prepareJobs(service.context);
  await vi.waitFor(async () => expect((await service.claim())?.jobId).toBe(retried.id), 10_000);

  unavailable = true;
  const expired = await service.gateway.createTestRun(withPackages, { caller });
  service.clock.advance(6 * 60_000);
  await prepareJobs(service.context);
  const { errorMessage } = await failed(expired.id, caller);
  expect(errorMessage).toBe('The package index cannot be reached right now. It was tried for 5 minutes.');
});
