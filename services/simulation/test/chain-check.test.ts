import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test, vi } from 'vitest';
import { linkRecords } from '../src/domain/commitment-chain.ts';
import { brokenChainRetryMs } from '../src/store/chain-check.ts';
import { readHead } from '../src/store/commitments.ts';
import { checkChain } from '../src/work/chain-checker.ts';
import { asAdmin, startBatchWorld, users } from './batch-world.ts';
import { bot, sixUsers, user } from './start-service.ts';

const world = await startBatchWorld();
const { service } = world;
afterAll(() => service.stop());

const anonymous = { caller: { kind: 'anonymous' } } as const;
const status = async () => {
  const { check, lastNumber } = await service.gateway.listCommitments({ after: 0, limit: 1 }, anonymous);
  return { ...check, lastNumber };
};

/** Changes the chain as only somebody with the database's owner rights can. */
const tamper = (change: string) =>
  service.database.admin.query(
    `ALTER TABLE commitments DISABLE TRIGGER commitments_append_only; ${change};
     ALTER TABLE commitments ENABLE TRIGGER commitments_append_only`,
  );

test('finds the chain intact at the start and names the record that it has verified', async () => {
  await vi.waitFor(async () => expect(await status()).toMatchObject({ verifiedNumber: 1, problem: '' }), 10_000);
  await world.createReady(users(7), { numRounds: 10 });
  expect(await checkChain(service.context)).toBe('');
  const { lastNumber, ...check } = await status();
  expect(lastNumber).toBe(9);
  expect(check).toMatchObject({ verifiedNumber: 9, problem: '' });
});

test('a broken chain stops new commitments; what waits says why, and continues when the chain is restored', async () => {
  await tamper(`UPDATE commitments SET commitment = repeat('0', 64) WHERE number = 4`);
  const log = vi.spyOn(service.context.log, 'error').mockImplementation(() => undefined);
  expect(await checkChain(service.context)).toBe('Record 4 of the chain was changed.');
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
  expect(await status()).toMatchObject({
    verifiedNumber: 9,
    problem: 'Record 4 of the chain was changed.',
    lastNumber: 9,
  });

  const single = await service.gateway.createMatch({ userIds: sixUsers(), numRounds: 6 }, asAdmin);
  const run = await service.gateway.createTestRun(bot, { caller: user() });
  const batch = await world.create(users(7), { numRounds: 10 });
  const reason =
    'Waits: Record 4 of the chain was changed. No match gets a commitment until the chain of commitments is restored.';
  for (const { id } of [single, run]) {
    const waiting = await service.gateway.getJob({ jobId: id }, asAdmin);
    expect(waiting).toMatchObject({ status: 'PENDING', commitment: '', waitingReason: reason, errorMessage: '' });
  }
  expect(await world.read(batch.id)).toMatchObject({
    state: 'Generating',
    generatedJobs: 0,
    pending: 7,
    problem: reason,
  });
  expect((await status()).lastNumber).toBe(9);

  const original = await service.pool.query<{ commitment: string }>(
    sql`SELECT commitment FROM jobs WHERE commitment_number = 4`,
  );
  await tamper(`UPDATE commitments SET commitment = '${original.rows[0]?.commitment}' WHERE number = 4`);
  expect(await checkChain(service.context)).toBe('');
  service.clock.advance(brokenChainRetryMs);
  service.context.worker.kick();
  await vi.waitFor(async () => {
    for (const { id } of [single, run]) {
      const ready = await service.gateway.getJob({ jobId: id }, asAdmin);
      expect(ready.commitment).not.toBe('');
      expect(ready.waitingReason).toBe('');
    }
    expect(await world.read(batch.id)).toMatchObject({ state: 'Ready', problem: '' });
  }, 20_000);
  expect(await checkChain(service.context)).toBe('');
});

test.each([
  ['a record that is missing', `DELETE FROM commitments WHERE number = 4`, 'Record 4 of the chain is missing.'],
  ['newest records that are missing', `DELETE FROM commitments WHERE number > 5`, 'Record 6 of the chain is missing.'],
  [
    'a time that goes back',
    `UPDATE commitments SET made_at = made_at - interval '1 day' WHERE number = 4`,
    'Record 4 of the chain was changed.',
  ],
])('finds %s', async (_, change, problem) => {
  const log = vi.spyOn(service.context.log, 'error').mockImplementation(() => undefined);
  await tamper(`CREATE TABLE kept AS SELECT * FROM commitments; ALTER TABLE jobs DROP CONSTRAINT IF EXISTS jobs_commitment_number_fkey;
    ALTER TABLE plans DROP CONSTRAINT IF EXISTS plans_commitment_number_fkey;
    ALTER TABLE seed_lists DROP CONSTRAINT IF EXISTS seed_lists_commitment_number_fkey; ${change}`);
  expect(await checkChain(service.context)).toBe(problem);
  await tamper(`DELETE FROM commitments; INSERT INTO commitments SELECT * FROM kept; DROP TABLE kept`);
  expect(await checkChain(service.context)).toBe('');
  log.mockRestore();
});

test('finds a chain that was written anew with correct hashes', async () => {
  const log = vi.spyOn(service.context.log, 'error').mockImplementation(() => undefined);
  const { verifiedNumber = 0 } = await status();
  const records = linkRecords(
    undefined,
    Array.from({ length: verifiedNumber }, (_, index) => ({ id: `job ${index}`, commitment: 'f'.repeat(64) })),
    service.clock.now(),
  );
  const rows = records.map(
    ({ number, jobHash, commitment, madeAt, previous, hash }) =>
      `(${number}, '${jobHash}', '${commitment}', '${madeAt.toISOString()}', '${previous}', '${hash}')`,
  );
  await tamper(
    `DELETE FROM commitments; INSERT INTO commitments (number, job_hash, commitment, made_at, previous, hash) VALUES ${rows.join()}`,
  );
  expect(await readHead(service.pool)).toMatchObject({ number: verifiedNumber });
  expect(await checkChain(service.context)).toBe(
    `The chain up to record ${verifiedNumber} is not the one that was verified before.`,
  );
  log.mockRestore();
});
