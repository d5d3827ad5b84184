import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import type { Caller } from '@husky/runtime/rpc/caller';
import { startIndex, wheel } from '@husky/testkit/package-index';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { completeBot, files, startService, type TestService, user } from './start-service.ts';

let index: Awaited<ReturnType<typeof startIndex>>;
let service: TestService;

beforeAll(async () => {
  index = await startIndex({ slow: [wheel('slow', '1.0', 'SLOW = 1\n')] });
  service = await startService(index.url, 100);
});
afterAll(async () => {
  await service.stop();
  await index.stop();
});

/** Uploads a bot of a new user while the index does not answer; the returned function lets it answer. */
async function uploadLate(requirements: string, by: TestService = service, caller: Caller = user(randomUUID())) {
  const release = index.hold('slow');
  onTestFinished(release);
  const uploaded = await by.gateway.upload(files(completeBot, requirements), { caller });
  return { uploaded, caller, release };
}
const read = async ({ id }: { id: string }, caller: Caller, by = service) => {
  const { submissions } = await by.gateway.listSubmissions({}, { caller });
  return submissions.find((one) => one.id === id);
};
const until = async (id: string, caller: Caller, expected: object, by = service) => {
  await vi.waitFor(async () => expect(await read({ id }, caller, by)).toMatchObject(expected), {
    timeout: 60_000,
    interval: 100,
  });
};
const endings = async (id: string) => {
  const { rows } = await service.pool.query<{ payload: Buffer }>(
    sql`SELECT payload FROM outbox WHERE subject = 'husky.submission.audited' ORDER BY id`,
  );
  return rows.map(({ payload }) => payload.toString()).filter((text) => text.includes(id) && text.includes('prepared'));
};

test('accepts an upload whose packages take longer than its answer, and prepares them', {
  timeout: 120_000,
}, async () => {
  const { uploaded, caller, release } = await uploadLate('slow\n');
  expect(uploaded).toMatchObject({ state: 'preparing', step: 'waiting', reason: '', final: false });
  await until(uploaded.id, caller, { state: 'preparing', step: 'resolving' });
  const mark = () => service.gateway.markFinal({ submissionId: uploaded.id }, { caller });
  await expect(mark()).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    reason: 'packages-preparing',
    message: 'The packages of this submission are still being prepared. Mark it as final when they are ready.',
  });
  const request = { holderId: randomUUID(), submissionId: uploaded.id, userId: uploaded.userId };
  const unready = { code: 'FAILED_PRECONDITION', reason: 'submission-not-ready' };
  await expect(service.simulation.pinUpload(request)).rejects.toMatchObject(unready);
  release();
  await until(uploaded.id, caller, { state: 'ready', step: '', reason: '' });
  expect(await mark()).toMatchObject({ final: true });
  const [ending, ...more] = await endings(uploaded.id);
  expect(more).toEqual([]);
  expect(ending).toContain('"state":"ready"');
});

test('keeps a submission whose packages cannot be used, with the reason, until its author deletes it', {
  timeout: 120_000,
}, async () => {
  const { uploaded, caller, release } = await uploadLate('slow==9\n');
  const reason = 'There is no version of slow==9 in the package index.';
  release();
  await until(uploaded.id, caller, { state: 'refused', step: '', reason });
  await expect(service.gateway.markFinal({ submissionId: uploaded.id }, { caller })).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    reason: 'packages-refused',
    message: `This submission cannot be final, because its packages cannot be used: ${reason}`,
  });
  await expect(service.pool.query(sql`UPDATE submissions SET final = true WHERE id = ${uploaded.id}`)).rejects.toThrow(
    'submissions_final_is_ready',
  );
  expect(await endings(uploaded.id)).toEqual([expect.stringContaining(reason)]);
  await service.gateway.deleteSubmission({ submissionId: uploaded.id }, { caller });
  expect(await read(uploaded, caller)).toBeUndefined();
});

test('leaves another final submission final when one that is not ready is marked', { timeout: 120_000 }, async () => {
  const caller = user(randomUUID());
  const ready = await service.gateway.upload(files(), { caller });
  await service.gateway.markFinal({ submissionId: ready.id }, { caller });
  const { uploaded, release } = await uploadLate('slow>0.1\n', service, caller);
  await expect(service.gateway.markFinal({ submissionId: uploaded.id }, { caller })).rejects.toThrow('being prepared');
  expect(await read(ready, caller)).toMatchObject({ final: true });
  release();
  await until(uploaded.id, caller, { state: 'ready' });
});

test('tries again while the index fails, shows why, and gives up after half an hour', {
  timeout: 120_000,
}, async () => {
  const { uploaded, caller, release } = await uploadLate('slow>0.2\n');
  index.failing.set('slow', 503);
  onTestFinished(() => void index.failing.delete('slow'));
  release();
  const failure = 'The package index answered with an error (HTTP 503). Please try again later.';
  await until(uploaded.id, caller, { state: 'preparing', step: 'waiting', reason: failure });
  for (let tries = 2; tries <= 4; tries++) {
    service.clock.advance(10 * 60_000);
    await vi.waitFor(
      async () => {
        const { rows } = await service.pool.query(
          sql`SELECT FROM submissions WHERE id = ${uploaded.id} AND (state = 'refused' OR step = '')
              AND prepare_tries = ${tries}`,
        );
        expect(rows).toHaveLength(1);
      },
      { timeout: 60_000, interval: 100 },
    );
  }
  const reason = `${failure} It was tried for 30 minutes. Please upload the files again later.`;
  await until(uploaded.id, caller, { state: 'refused', reason });
});

test('another replica continues when one stops', { timeout: 120_000 }, async () => {
  const second = await startService(index.url, 100, service);
  const { uploaded, caller, release } = await uploadLate('slow>0.3\n', second);
  await until(uploaded.id, caller, { state: 'preparing', step: 'resolving' });
  await second.stop();
  release();
  await until(uploaded.id, caller, { state: 'ready' });
  expect(await endings(uploaded.id)).toHaveLength(1);
});

test('continues after a crash when the lease has expired', { timeout: 120_000 }, async () => {
  const { uploaded, caller, release } = await uploadLate('slow>0.4\n');
  release();
  await until(uploaded.id, caller, { state: 'ready' });
  // As a process that was killed leaves it.
  await service.pool.query(
    sql`UPDATE submissions SET state = 'preparing', step = 'packing',
          prepare_after = ${new Date(service.clock.now() + 30_000)} WHERE id = ${uploaded.id}`,
  );
  expect(await read(uploaded, caller)).toMatchObject({ state: 'preparing', step: 'packing' });
  service.clock.advance(30_000);
  await until(uploaded.id, caller, { state: 'ready' });
});

test('prepares the submissions of one user one after the other, those of others beside them', {
  timeout: 120_000,
}, async () => {
  const caller = user(randomUUID());
  const first = await uploadLate('slow>0.5\n', service, caller);
  const second = await uploadLate('slow>0.6\n', service, caller);
  const third = await uploadLate('slow>0.7\n', service, caller);
  const other = await uploadLate('slow>0.8\n');
  await until(first.uploaded.id, caller, { step: 'resolving' });
  await until(other.uploaded.id, other.caller, { state: 'preparing' });
  expect([await read(second.uploaded, caller), await read(third.uploaded, caller)]).toMatchObject([
    { state: 'preparing', step: 'waiting' },
    { state: 'preparing', step: 'waiting' },
  ]);
  for (const { release } of [first, second, third, other]) release();
  for (const { uploaded } of [first, second, third]) await until(uploaded.id, caller, { state: 'ready' });
});
