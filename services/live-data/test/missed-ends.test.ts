// Matches whose job ends while live-data does not know them, or knows another state.
import { randomUUID } from 'node:crypto';
import { jobEnded } from '@husky/contracts/events';
import { simulationService } from '@husky/contracts/services';
import { sql } from '@husky/runtime/database/sql';
import { connectNats } from '@husky/runtime/messages/nats';
import { createLogger } from '@husky/runtime/process/logger';
import { refusal } from '@husky/testkit/refusal';
import { testClient, testNats } from '@husky/testkit/servers';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { clientOver } from '../src/store/database.ts';
import { failMatch } from '../src/store/matches.ts';
import { WorkLocks } from '../src/store/work-locks.ts';
import { checkUnfinished } from '../src/work/check-unfinished.ts';
import { leaseOf, settingsOf, startLiveData, user } from './service.ts';
import { newMatch } from './simulation.ts';

const live = await startLiveData();
const nats = await connectNats(await testNats('simulation'), createLogger('simulation', 'fatal'), 'simulation');
const prisma = clientOver(live.database.admin);
afterAll(async () => {
  await nats.close();
  await prisma.$disconnect();
  await live.stop();
});

const statusOf = async (jobId: string) => {
  const { rows } = await live.database.admin.query<{ status: string }>(
    sql`SELECT status FROM live_data.matches WHERE job_id = ${jobId}`,
  );
  return rows[0]?.status;
};
const becomes = (jobId: string, status: string | undefined) =>
  vi.waitFor(async () => expect(await statusOf(jobId)).toBe(status), { timeout: 20_000, interval: 50 });

/** Publishes the end of a job and waits until it was handled: events are handled one after the other. */
async function handleEnd(jobId: string, status: string): Promise<void> {
  const other = await live.deliverMatch({}, { hands: 10 });
  live.simulation.put(other.match, { status: 'FAILED', attempt: 1 });
  for (const [id, end] of [
    [jobId, status],
    [other.match.jobId, 'Failed'],
  ] as const) {
    await nats.publish(jobEnded.subject, jobEnded.encode({ jobId: id, status: end }), randomUUID(), '');
  }
  await becomes(other.match.jobId, 'Failed');
}

/** Reads a new match; its job ends after simulation has read it and before live-data stores it. */
async function readWhile(end: (jobId: string) => Promise<void>): Promise<{ jobId: string; read: Promise<unknown> }> {
  const match = newMatch();
  const { jobId } = match;
  live.simulation.put(match, { status: 'RUNNING', attempt: 1 });
  let ended = false;
  live.simulation.beforeResponse = async (id) => {
    if (id !== jobId || ended) return;
    ended = true;
    await end(jobId);
  };
  return { jobId, read: live.gateway.getMatchAccess({ jobId }, { caller: user('ann') }) };
}

test('a match whose job failed while it was being stored is failed', async () => {
  const { jobId, read } = await readWhile(async (id) => {
    live.simulation.put(newMatch({ jobId: id }), { status: 'FAILED', attempt: 1, error: 'cancelled' });
    await handleEnd(id, 'Failed');
  });
  await read;
  expect(await statusOf(jobId)).toBe('Failed');
});

test('a match whose job was deleted while it was being stored is not found', async () => {
  const { jobId, read } = await readWhile(async (id) => {
    live.simulation.remove(id);
    await handleEnd(id, 'Deleted');
  });
  expect(await refusal(read)).toMatch(/^NOT_FOUND/);
  expect(await statusOf(jobId)).toBe(undefined);
});

test('the end of an attempt does not end a match that is played again', async () => {
  const { match } = await live.deliverMatch({}, { hands: 10 });
  const db = { pool: live.database.admin, prisma };
  await live.runner.openAttempt({ startedAtMs: Date.now() }, { caller: leaseOf(match, 2) });
  await failMatch(db, match.jobId, 1, 'three runners were lost');
  expect(await statusOf(match.jobId)).toBe('Running');
  await failMatch(db, match.jobId, 2, 'three runners were lost');
  expect(await statusOf(match.jobId)).toBe('Failed');
});

test('a match whose end was missed is found after a day', async () => {
  const { match: failed } = await live.deliverMatch({}, { hands: 10 });
  const { match: deleted } = await live.deliverMatch({}, { hands: 10 });
  const { match: running } = await live.deliverMatch({}, { hands: 10 });
  const { match: young } = await live.deliverMatch({}, { hands: 10 });
  for (const match of [failed, young]) live.simulation.put(match, { status: 'FAILED', attempt: 1 });
  live.simulation.remove(deleted.jobId);
  const old = [failed, deleted, running].map(({ jobId }) => jobId);
  await live.database.admin.query(
    sql`UPDATE live_data.matches SET created_at = now() - interval '25 hours' WHERE job_id = ANY (${old}::uuid[])`,
  );
  // A replica that starts checks the matches.
  const replica = await live.startReplica();
  await becomes(failed.jobId, 'Failed');
  await becomes(deleted.jobId, undefined);
  expect(await statusOf(running.jobId)).toBe('Running');
  expect(await statusOf(young.jobId)).toBe('Running');
  await replica.stop();
});

test('a finished match that is not stored completely is logged once by a process, not every hour', async () => {
  const { match } = await live.deliverMatch({}, { hands: 10 });
  const { jobId } = match;
  live.simulation.put(match, { status: 'FINISHED', attempt: 1 });
  await live.database.admin.query(
    sql`UPDATE live_data.matches SET created_at = now() - interval '25 hours' WHERE job_id = ${jobId}`,
  );
  const log = createLogger('live-data', 'fatal');
  const messaging = await connectNats(await testNats('live-data'), log);
  const simulation = testClient(simulationService, Number(live.simulation.address.split(':')[1]), 'live-data');
  const workLocks = new WorkLocks(settingsOf(live.database));
  onTestFinished(async () => {
    simulation.close();
    await workLocks.close();
    await messaging.close();
  });
  const errors = vi.spyOn(log, 'error');
  const context = {
    db: { pool: live.database.admin, prisma },
    exporting: { kick: () => undefined },
    messaging,
    simulation,
    workLocks,
    log,
    now: Date.now,
    stopping: new AbortController().signal,
  };
  const logged = new Set<string>();
  for (let hour = 0; hour < 3; hour++) await checkUnfinished(context, logged);
  const message = `match ${jobId} is finished, but attempt 1 is not stored completely`;
  expect(errors.mock.calls).toEqual([[{ jobId }, message]]);
});
