import { RULES_VERSION } from '@husky/match/rules-version';
import { sql } from '@husky/runtime/database/sql';
import { afterAll, expect, test } from 'vitest';
import { sweep } from '../src/work/sweeper.ts';
import { admin, sixUsers, startService } from './start-service.ts';

const service = await startService();
afterAll(() => service.stop());

const { newRun, read, beat, expire } = service;

test('accepts claims only from runners and heartbeats only from leases', async () => {
  await expect(service.gateway.claimMatch({ runner: 'x' }, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await expect(service.gateway.heartbeat({}, { caller: admin })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  await expect(service.gateway.handBack({}, { caller: admin })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  const other = { jobId: await newRun(), attempt: 1, results: [], digest: '' };
  await expect(service.gateway.acceptResult(other, { caller: admin })).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  await service.accept(await service.mustClaim());
});

test('gives new matches the newest rules that every runner of the last minute knows, and runners no newer ones', async () => {
  expect(await service.claim('of an earlier release', 0, 0, 0)).toBeNull();
  const [first] = [await newRun(), service.clock.advance(61_000)];
  const second = await newRun();
  const claimed = await service.claim('of an earlier release', 0, 0, 0);
  expect(claimed).toMatchObject({ jobId: first, rulesVersion: 1 });
  if (claimed !== null) await service.accept(claimed);
  expect(await service.claim('of an earlier release', 0, 0, 0)).toBeNull();
  const newer = await service.mustClaim();
  expect(newer).toMatchObject({ jobId: second, rulesVersion: RULES_VERSION });
  await service.accept(newer);
  service.clock.advance(61_000);
});

test('renews the lease and stores progress by heartbeats; without one the match is played again with the same cards', async () => {
  const id = await newRun();
  const first = await service.mustClaim();
  service.clock.advance(25_000);
  expect(await beat(first.leaseToken, { handsDone: 4 })).toEqual({ cancel: false, reason: '' });
  service.clock.advance(25_000);
  await sweep(service.context);
  expect(await read(id)).toMatchObject({ status: 'RUNNING', handsDone: 4 });
  await expire();
  expect(await read(id)).toMatchObject({ status: 'PENDING', handsDone: 0, queuePosition: 1 });
  const second = await service.mustClaim('runner-2');
  expect(second).toMatchObject({ jobId: id, attempt: 2 });
  expect(second.seed.equals(first.seed)).toBe(true);
  expect(await beat(first.leaseToken)).toEqual({
    cancel: true,
    reason: 'The lease was lost: the match is played anew.',
  });
  expect(await service.accept(first)).toEqual({ accepted: false, acceptedAttempt: 0 });
  expect(await service.accept(second)).toEqual({ accepted: true, acceptedAttempt: 2 });
  expect(await service.accept(second)).toEqual({ accepted: true, acceptedAttempt: 2 });
  expect(await service.accept(first)).toEqual({ accepted: false, acceptedAttempt: 2 });
  expect((await service.events()).filter((event) => event.jobId === id)).toHaveLength(1);
  const { rows } = await service.pool.query(
    sql`SELECT attempt, outcome, bot_suspect FROM attempts WHERE job_id = ${id} ORDER BY attempt`,
  );
  expect(rows).toEqual([
    { attempt: 1, outcome: 'LOST', bot_suspect: true },
    { attempt: 2, outcome: 'FINISHED', bot_suspect: false },
  ]);
});

test('keeps the leases of a replica with a longer lease time', async () => {
  const id = await newRun();
  const assignment = await service.mustClaim();
  const { settings } = service.context;
  const withShorterLeases = { ...service.context, settings: { ...settings, leaseSeconds: 5 } };
  await sweep(withShorterLeases);
  service.clock.advance(25_000);
  await sweep(withShorterLeases);
  expect(await read(id)).toMatchObject({ status: 'RUNNING', attempt: 1 });
  await service.accept(assignment);
});

test('renews the lease by a late heartbeat until the sweeper has ended the attempt', async () => {
  const id = await newRun();
  const { leaseToken, attempt } = await service.mustClaim();
  service.clock.advance(40_000);
  expect(await beat(leaseToken)).toMatchObject({ cancel: false });
  await sweep(service.context);
  expect(await read(id)).toMatchObject({ status: 'RUNNING', attempt });
  await service.lease.handBack({ reason: 'drain' }, { token: leaseToken });
  await service.accept(await service.mustClaim());
});

test('fails a job after three losses with bots running, and reports the usage of the bots', async () => {
  const id = await newRun();
  for (let loss = 1; loss <= 3; loss++) {
    expect(await read(id)).toMatchObject({ status: 'PENDING' });
    const { leaseToken } = await service.mustClaim(`runner-${loss}`);
    await beat(leaseToken, { usage: [{ seat: 0, cpuMs: 1500, peakKib: 262_144, verdict: 'memory' }] });
    await expire();
  }
  expect(await read(id)).toMatchObject({
    status: 'FAILED',
    errorMessage:
      'The match was lost three times while its bots were running: the runner was not heard of any more. ' +
      'Last seen: seat 1 used 1.5 s of CPU and 256 MiB (it went over its memory limit).',
  });
  expect((await service.events()).at(-1)).toMatchObject({ jobId: id, status: 'Failed', lastOfHolder: true });
  expect(await service.claim()).toBeNull();
});

test('keeps at most one entry for each seat of what a runner reports, so that the event of a lost match stays small', async () => {
  const id = await newRun();
  const usage = Array.from({ length: 1000 }, (_, seat) => ({ seat, cpuMs: 0, peakKib: 0, verdict: 'x'.repeat(10) }));
  const storedUsage = async () => {
    const { rows } = await service.pool.query<{ seats: number }>(
      sql`SELECT jsonb_array_length(usage) AS seats FROM attempts WHERE job_id = ${id} ORDER BY attempt`,
    );
    return rows.map(({ seats }) => seats);
  };
  for (let loss = 1; loss <= 3; loss++) {
    const { leaseToken } = await service.mustClaim();
    await beat(leaseToken, { usage });
    if (loss < 3)
      await service.lease.reportLoss({ cause: 'no memory', botSuspect: true, usage }, { token: leaseToken });
    else await expire();
    expect(await storedUsage()).toEqual(Array(loss).fill(6));
  }
  const { errorMessage } = await read(id);
  expect(errorMessage).toMatch(/; seat 6 used [^;]*\.$/);
  expect((await service.events()).at(-1)).toMatchObject({ jobId: id, reason: errorMessage });
});

test('counts one failed fetch for each seat of a hand-back', async () => {
  const jobId = await newRun();
  await service.pool.query(sql`UPDATE job_seats SET packages_hash = 'p' WHERE job_id = ${jobId}`);
  const { leaseToken } = await service.mustClaim();
  const unfetched = Array.from({ length: 1000 }, () => ({ seat: 0, cause: 'x'.repeat(20) }));
  await service.lease.handBack({ reason: 'packages', unfetched }, { token: leaseToken });
  const { rows } = await service.pool.query(
    sql`SELECT unfetched_tries AS tries FROM job_seats WHERE job_id = ${jobId} ORDER BY seat`,
  );
  expect(rows).toEqual([{ tries: 1 }, { tries: 0 }]);
  await service.accept(await service.mustClaim());
});

test('does not count losses without running bots against the bots', async () => {
  const id = await newRun();
  for (let loss = 1; loss <= 5; loss++) {
    await service.mustClaim(`runner-${loss}`);
    await expire();
  }
  const { leaseToken } = await service.mustClaim();
  await service.lease.reportLoss({ cause: 'disk full', botSuspect: false }, { token: leaseToken });
  expect(await read(id)).toMatchObject({ status: 'PENDING' });
  for (let loss = 7; loss <= 10; loss++) {
    await service.mustClaim(`runner-${loss}`);
    await expire();
  }
  expect(await read(id)).toMatchObject({
    status: 'FAILED',
    errorMessage: 'The match could not be started in 10 tries: the runner was not heard of any more.',
  });
});

test('counts a reported loss immediately and ignores a report of an earlier attempt', async () => {
  const id = await newRun();
  const tokens: string[] = [];
  for (let loss = 1; loss <= 3; loss++) {
    const { leaseToken } = await service.mustClaim();
    tokens.push(leaseToken);
    await service.lease.reportLoss({ cause: 'the seat host died\n', botSuspect: true }, { token: leaseToken });
    await service.lease.reportLoss({ cause: 'again', botSuspect: true }, { token: tokens[0] ?? '' });
  }
  expect(await read(id)).toMatchObject({
    errorMessage: 'The match was lost three times while its bots were running: the seat host died.',
  });
});

test('counts no loss for a hand-back and keeps the place in the queue', async () => {
  const first = await newRun();
  await newRun();
  for (let n = 1; n <= 6; n++) {
    const { jobId, attempt, leaseToken } = await service.mustClaim();
    expect({ jobId, attempt }).toEqual({ jobId: first, attempt: n });
    await beat(leaseToken);
    await service.lease.handBack({ reason: 'drain' }, { token: leaseToken });
  }
  for (const _ of [1, 2]) await service.accept(await service.mustClaim());
});

test('counts failed fetches of packages only for their seat, which is not started after three', async () => {
  const jobId = await newRun();
  await service.pool.query(sql`UPDATE job_seats SET packages_hash = 'p' WHERE job_id = ${jobId} AND seat = 0`);
  const cause = 'the archive holds more than 50,000 files and folders';
  for (let attempt = 1; attempt <= 3; attempt++) {
    const claimed = await service.mustClaim();
    expect(claimed).toMatchObject({ jobId, attempt });
    expect(claimed.seats.map((seat) => seat.unfetchable)).toEqual(['', '']);
    const unfetched = [{ seat: 0, cause: `${cause}.\n` }];
    await service.lease.handBack({ reason: 'packages', unfetched }, { token: claimed.leaseToken });
    // Reports of an earlier attempt do not count.
    await service.lease.handBack({ reason: 'packages', unfetched }, { token: claimed.leaseToken });
  }
  expect(await read(jobId)).toMatchObject({ status: 'PENDING' });
  const last = await service.mustClaim();
  const verdict = `its packages could not be brought to a runner in 3 tries: ${cause}`;
  expect(last.seats.map((seat) => seat.unfetchable)).toEqual([verdict, '']);
  await service.accept(last);
});

test('ends the attempt that a runner holds when it requests work', async () => {
  const id = await newRun();
  const first = await service.mustClaim('restarted');
  const again = await service.mustClaim('restarted');
  expect(again).toMatchObject({ jobId: id, attempt: first.attempt + 1 });
  await service.accept(again);
});

test('finishes a job once when its result is reported concurrently', async () => {
  const id = await newRun();
  const assignment = await service.mustClaim();
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.accept(assignment)));
  expect(outcomes.every((outcome) => outcome.accepted)).toBe(true);
  expect((await service.events()).filter((event) => event.jobId === id)).toHaveLength(1);
});

test('refuses results of other players, above the starting stack or that do not sum to zero', async () => {
  const id = await newRun();
  const { attempt, seats } = await service.mustClaim();
  const report = (results: { userId: string; delta: number }[]) =>
    service.liveData.acceptResult({ jobId: id, attempt, handsPlayed: 10, results, digest: 'd' });
  const ids = seats.map((seat) => seat.userId);
  const refused = { reason: 'result-invalid' };
  await expect(report(ids.map((userId) => ({ userId, delta: 5 })))).rejects.toMatchObject(refused);
  await expect(report(sixUsers().map((userId) => ({ userId, delta: 0 })))).rejects.toMatchObject(refused);
  await expect(report([])).rejects.toMatchObject(refused);
  await expect(
    report(ids.map((userId, seat) => ({ userId, delta: seat === 0 ? 10_001 : -10_001 }))),
  ).rejects.toMatchObject(refused);
  expect(await report(ids.map((userId, seat) => ({ userId, delta: seat === 0 ? 5 : -5 })))).toMatchObject({
    accepted: true,
  });
});

test('gives a cordoned runner no new lease but keeps its current one', async () => {
  const pool = service.client('pool');
  const id = await newRun();
  const { leaseToken } = await service.mustClaim('busy');
  await pool.cordonRunners({ names: ['busy', 'fresh'], cordoned: true });
  await newRun();
  expect(await service.claim('fresh')).toBeNull();
  expect(await beat(leaseToken)).toMatchObject({ cancel: false });
  const { runners } = await pool.listRunners({});
  expect(runners.find((runner) => runner.name === 'busy')).toMatchObject({
    state: 'ACTIVE',
    jobId: id,
    cordoned: true,
  });
  expect(runners.find((runner) => runner.name === 'fresh')).toMatchObject({ state: 'IDLE', cordoned: true });
  await pool.cordonRunners({ names: ['fresh'], cordoned: false });
  await service.accept(await service.mustClaim('fresh'));
  await service.lease.handBack({ reason: 'drain' }, { token: leaseToken });
  await service.accept(await service.mustClaim('fresh'));
  await expect(service.gateway.listRunners({}, { caller: admin })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
});

test('deletes runners that were not seen for a while', async () => {
  const pool = service.client('pool');
  await service.claim('unseen');
  service.clock.advance(61_000);
  await service.claim('seen');
  await sweep(service.context);
  const names = (await pool.listRunners({})).runners.map((runner) => runner.name);
  expect(names).toContain('seen');
  expect(names).not.toContain('unseen');
});
