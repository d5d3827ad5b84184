import { sql } from '@husky/runtime/database/sql';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { drawRepetitions } from '../src/store/repetitions.ts';
import { admin, bot, startService, user } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());
beforeEach(async () => {
  await service.pool.query('DELETE FROM repetitions');
  // Matches of earlier tests are not drawn.
  await service.pool.query('UPDATE jobs SET rules_version = 2');
});

const dayMs = 24 * 60 * 60_000;
const anonymous = { kind: 'anonymous' } as const;
const draw = () => drawRepetitions(service.pool, service.context.now());
const counts = () => service.gateway.countRepetitions({}, { caller: anonymous });
const claim = async (runner: string) => {
  const caller = { kind: 'runner', name: runner } as const;
  return (await service.client('runner').claimRepetition({ runner, rulesVersion: 3 }, { caller })).assignment;
};
const report = (token: string, more: object = {}) => service.lease.reportRepetition(more, { token });
async function finished(): Promise<string> {
  const { id } = await service.gateway.createTestRun(bot, { caller: user() });
  await service.accept(await service.mustClaim());
  service.clock.advance(1000);
  return id;
}
async function drawn() {
  const id = await finished();
  service.clock.advance(dayMs);
  await draw();
  return id;
}

test('draws one of each hundred matches of the last day, at least one, and none of older rules', async () => {
  await finished();
  await service.pool.query('UPDATE jobs SET rules_version = 2');
  await draw();
  expect(await counts()).toMatchObject({ pending: 0, lastDrawnAt: '' });
  const first = await finished();
  await Promise.all([draw(), draw()]);
  await finished();
  await draw();
  const { rows } = await service.pool.query(sql`SELECT job_id AS id FROM repetitions`);
  expect(rows).toEqual([{ id: first }]);
  service.clock.advance(dayMs);
  await service.pool.query(
    sql`INSERT INTO jobs SELECT (jsonb_populate_record(NULL::jobs, to_jsonb(j) || jsonb_build_object('id', gen_random_uuid(),
          'job_number', 1000000 + n, 'ended_at', j.ended_at + interval '1 hour'))).*
        FROM jobs j, generate_series(1, 149) n WHERE j.id = ${first}`,
  );
  await draw();
  expect(await counts()).toMatchObject({ pending: 3 });
  await service.pool.query('DELETE FROM jobs WHERE job_number > 1000000');
});

test('leases a drawn match to one idle runner with the inputs of the match, and stores the result', async () => {
  const id = await drawn();
  const assignment = await claim('runner-1');
  expect(assignment).toMatchObject({ jobId: id, attempt: 1, rulesVersion: 3, numRounds: 10 });
  expect(assignment?.seed).toHaveLength(32);
  expect(await claim('runner-2')).toBeNull();
  const token = assignment?.leaseToken ?? '';
  expect(await report(token)).toEqual({ cancel: false });
  await expect(report(token, { outcome: 'fine' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await report(token, { outcome: 'different', hand: 3, act: 4, byLimit: true });
  await report(token, { outcome: 'equal' });
  const job = await service.gateway.getJob({ jobId: id }, { caller: admin });
  expect(job).toMatchObject({ status: 'FINISHED', attempt: 1 });
  await service.gateway.deleteJob({ jobId: id }, { caller: admin });
  expect(await counts()).toMatchObject({ pending: 0, equal: 0, different: 1, byLimit: 1, notCompared: 0 });
});

test('gives no repetition while a match needs runners, and cancels one when a match arrives', async () => {
  await drawn();
  const token = (await claim('runner-1'))?.leaseToken ?? '';
  const { id } = await service.gateway.createTestRun(bot, { caller: user() });
  expect(await report(token)).toEqual({ cancel: true });
  await report(token, { outcome: 'stopped' });
  expect(await claim('runner-1')).toBeNull();
  const played = await service.mustClaim();
  expect([played.jobId, await claim('runner-2')]).toEqual([id, null]);
  await service.accept(played);
  expect(await claim('runner-2')).not.toBeNull();
});

test('gives the repetition of a lost runner to others, three times in all, and counts a deleted match as not compared', async () => {
  await drawn();
  const first = await claim('runner-1');
  for (const runner of ['runner-2', 'runner-3']) {
    expect(await claim(runner)).toBeNull();
    service.clock.advance(61_000);
    expect(await claim(runner)).not.toBeNull();
  }
  expect(await report(first?.leaseToken ?? '')).toEqual({ cancel: true });
  await report(first?.leaseToken ?? '', { outcome: 'equal' });
  service.clock.advance(61_000);
  expect(await claim('runner-4')).toBeNull();
  expect(await counts()).toMatchObject({ pending: 0, equal: 0, notCompared: 1 });
  const deleted = await drawn();
  await service.gateway.deleteJob({ jobId: deleted }, { caller: admin });
  expect(await claim('runner-1')).toBeNull();
  expect(await counts()).toMatchObject({ pending: 0, notCompared: 2 });
});

test('only runners claim repetitions, only leases report them', async () => {
  await expect(service.gateway.claimRepetition({}, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await expect(service.gateway.reportRepetition({}, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
});
