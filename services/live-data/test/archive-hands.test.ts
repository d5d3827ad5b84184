import { houseUserId } from '@husky/contracts/house-user';
import { createLogger } from '@husky/runtime/logger';
import { sql } from '@husky/runtime/sql';
import { refusal } from '@husky/testkit/refusal';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { HandArchive } from '../src/archive/hand-archive.ts';
import type { Objects } from '../src/archive/objects.ts';
import { indexMatch } from '../src/read-hands.ts';
import { findAttempt } from '../src/store/attempts.ts';
import { chunksAfter } from '../src/store/chunks.ts';
import { clientOver } from '../src/store/database.ts';
import { findMatch } from '../src/store/matches.ts';
import { verifyMatch } from '../src/verify.ts';
import { applyRetention } from '../src/work/apply-retention.ts';
import { archiveHands } from '../src/work/archive-hands.ts';
import { folderStore, s3Store } from './object-stores.ts';
import { admin, anonymous, leaseOf, startLiveData } from './service.ts';
import { userIdOf } from './simulation.ts';

describe.each([
  ['a folder', folderStore],
  ['a bucket', s3Store],
])('the archive in %s', async (_name, startStore) => {
  const store = await startStore();
  const live = await startLiveData({ archive: store.settings });
  const { admin: pool } = live.database;
  const prisma = clientOver(pool);
  afterAll(async () => {
    await prisma.$disconnect();
    await live.stop();
    await store.stop();
  });

  const contextOf = (objects: Objects, now = Date.now) => ({
    db: { pool, prisma, archive: new HandArchive(objects) },
    log: createLogger('live-data', 'fatal'),
    now,
    relay: { kick: () => undefined },
    stopping: new AbortController().signal,
    archiveAfterDays: 30,
  });
  const archive = (objects: Objects = store.objects, now = Date.now) => archiveHands(contextOf(objects, now));
  const { db } = contextOf(store.objects);

  async function moveIntoPast(jobId: string): Promise<void> {
    await pool.query(sql`UPDATE live_data.matches SET created_at = now() - interval '40 days' WHERE job_id = ${jobId}`);
  }

  async function finishOldMatch(change: Parameters<typeof live.finishMatch>[0] = {}) {
    const { match, play } = await live.finishMatch({ numRounds: 150, ...change });
    const { jobId } = match;
    const report = { jobId, seat: 0, log: '', verdict: '', cpuMs: 5, peakKib: 9, faults: 0 };
    await live.runner.deliverSeatReport(report, { caller: leaseOf(match) });
    await moveIntoPast(jobId);
    return { jobId, hands: play.records.length };
  }

  async function storedChunks(jobId: string): Promise<number> {
    const { rows } = await pool.query<{ chunks: number }>(
      sql`SELECT count(*)::int AS chunks FROM live_data.chunks WHERE job_id = ${jobId}`,
    );
    return rows[0]?.chunks ?? 0;
  }

  async function rowOf(jobId: string) {
    const { rows } = await pool.query<{ bytes: number; archived: boolean; deleted: boolean }>(
      sql`SELECT bytes, archived_at IS NOT NULL AS archived, deleted_at IS NOT NULL AS deleted
        FROM live_data.archived_hands WHERE job_id = ${jobId}`,
    );
    return rows[0];
  }

  /** Reads everything that is computed from the chunks of a match. */
  async function readAll(jobId: string) {
    const caller = admin;
    const { hands } = await live.gateway.listHands({ jobId }, { caller });
    const replays: string[] = [];
    for (const { gameId } of hands) replays.push((await live.gateway.getHand({ gameId }, { caller })).gameJson);
    const exported: string[] = [];
    for await (const { gameJson } of live.gateway.exportMatch({ jobId }, { caller })) exported.push(...gameJson);
    const streamed: number[] = [];
    for await (const { event, hand } of live.gateway.streamMatch({ jobId }, { caller })) {
      if (event === 'handPlayed') streamed.push(hand);
    }
    return {
      hands,
      replays,
      exported,
      streamed,
      report: await live.gateway.getBotReport({ jobId, userId: userIdOf('ann') }, { caller }),
      performance: await live.gateway.getPerformance({ jobId }, { caller }),
      columns: await live.gateway.getHandColumns({ jobId }, { caller }),
      found: await live.gateway.searchHands({ jobId, page: 1, pageSize: 20, showdown: true }, { caller }),
      highlights: await live.gateway.listHighlights({ jobId }, { caller }),
    };
  }

  const readFirst = async (jobId: string) => {
    const { hands } = await live.gateway.listHands({ jobId }, { caller: admin });
    return live.gateway.getHand({ gameId: hands[0]?.gameId ?? '' }, { caller: admin });
  };
  const unreachable = (jobId: string) =>
    `UNAVAILABLE archive-unreachable: The hands of match ${jobId} are in the archive of old matches, which cannot be reached. Please try again later.`;
  const damaged = (jobId: string, problem: string) =>
    `UNAVAILABLE archive-damaged: The hands of match ${jobId} cannot be read: their file in the archive of old matches is ${problem}. Please tell an administrator.`;

  test('reads every hand of an archived match as before, and verifies it', async () => {
    const { jobId, hands } = await finishOldMatch();
    const before = await readAll(jobId);
    expect(before.replays.length).toBe(hands);
    await archive();
    expect(await storedChunks(jobId)).toBe(0);
    const object = await store.objects.get(`hands/${jobId}`);
    expect(await rowOf(jobId)).toEqual({ bytes: object?.length, archived: true, deleted: false });
    expect(await readAll(jobId)).toEqual(before);
    // Without the stored index everything is computed from the hands.
    for (const table of [sql`hand_indexes`, sql`series`]) {
      await pool.query(sql`DELETE FROM live_data.${table} WHERE job_id = ${jobId}`);
    }
    expect(await readAll(jobId)).toEqual(before);
    const [match, attempt] = [await findMatch(db, jobId), await findAttempt(db, jobId, 1)];
    if (match === null || attempt === null) throw new Error('the match was deleted');
    await indexMatch(db, match);
    const verified = await verifyMatch(db, match, attempt, undefined);
    expect(verified.series[0]?.length).toBe(hands);
  });

  /** The clock is read at the start of a run, and for the transaction that deletes the chunks. */
  function crashAtSecondCall() {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls > 1) throw new Error('crash');
      return Date.now();
    };
  }

  test('leaves matches that are young, in play or failed in the database', async () => {
    const young = (await live.finishMatch({ numRounds: 10 })).match.jobId;
    const { jobId: playing } = (await live.deliverMatch({ numRounds: 10 })).match;
    const failed = (await live.deliverMatch({ numRounds: 10 })).match.jobId;
    for (const jobId of [playing, failed]) await moveIntoPast(jobId);
    await pool.query(sql`UPDATE live_data.matches SET status = 'Failed' WHERE job_id = ${failed}`);
    await archive();
    for (const jobId of [young, playing, failed]) {
      expect(await storedChunks(jobId)).toBeGreaterThan(0);
      expect(await rowOf(jobId)).toBe(undefined);
    }
  });

  test.each([
    [
      'before the object is compared',
      () => archive({ ...store.objects, get: () => Promise.reject(new Error('crash')) }),
    ],
    ['before the chunks are deleted', () => archive(store.objects, crashAtSecondCall())],
  ])('keeps the hands in the database when a run ends %s; the next one continues it', async (_when, run) => {
    const { jobId } = await finishOldMatch();
    const before = await readAll(jobId);
    await run();
    expect(await rowOf(jobId)).toMatchObject({ archived: false });
    expect(await store.objects.get(`hands/${jobId}`)).not.toBe(null);
    expect(await readAll(jobId)).toEqual(before);
    await archive();
    expect(await storedChunks(jobId)).toBe(0);
    expect(await readAll(jobId)).toEqual(before);
  });

  test('keeps the hands in the database when the object is read differently than it was written', async () => {
    const { jobId } = await finishOldMatch();
    await archive({ ...store.objects, put: (key, object) => store.objects.put(key, object.subarray(0, -1)) });
    expect(await storedChunks(jobId)).toBeGreaterThan(0);
    await archive();
    expect(await storedChunks(jobId)).toBe(0);
    await readFirst(jobId);
  });

  test.each([
    [
      'changed',
      'damaged',
      (object: Buffer) => Buffer.concat([object.subarray(0, -1), Buffer.from([(object.at(-1) ?? 0) ^ 1])]),
    ],
    ['truncated', 'damaged', (object: Buffer) => object.subarray(0, -10)],
    ['emptied', 'damaged', (object: Buffer) => object.subarray(0, 0)],
    ['deleted', 'missing', () => null],
  ])('refuses to read hands whose object was %s, until it is restored', async (_what, problem, change) => {
    const { jobId } = await finishOldMatch();
    const other = await finishOldMatch();
    const before = await readAll(jobId);
    await archive();
    const key = `hands/${jobId}`;
    const object = await store.objects.get(key);
    if (object === null) throw new Error('no object');
    const changed = change(Buffer.from(object));
    await (changed === null ? store.objects.delete(key) : store.objects.put(key, changed));
    expect(await refusal(readFirst(jobId))).toBe(damaged(jobId, problem));
    const download = async () => {
      for await (const _ of live.gateway.exportMatch({ jobId }, { caller: admin }));
    };
    expect(await refusal(download())).toBe(damaged(jobId, problem));
    await readFirst(other.jobId);
    await store.objects.put(key, object);
    expect(await readAll(jobId)).toEqual(before);
  });

  test('refuses to read archived hands while the archive cannot be reached, and keeps others in the database', async () => {
    const archived = await finishOldMatch();
    const read = await finishOldMatch();
    await archive();
    await readFirst(read.jobId);
    const old = await finishOldMatch();
    await store.interrupt();
    const resumed = store.resume.bind(store);
    try {
      expect(await refusal(readFirst(archived.jobId))).toBe(unreachable(archived.jobId));
      // Its object is in memory.
      await readFirst(read.jobId);
      await archive();
      expect(await storedChunks(old.jobId)).toBeGreaterThan(0);
      await readFirst(old.jobId);
    } finally {
      await resumed();
    }
    await readFirst(archived.jobId);
    await archive();
    expect(await storedChunks(old.jobId)).toBe(0);
  });

  test('deletes the object of a deleted match, also when the archive could not be reached', async () => {
    const { jobId } = await finishOldMatch();
    const other = await finishOldMatch();
    await archive();
    await live.runner.purgeMatch({ jobId });
    expect(await refusal(live.gateway.listHands({ jobId }, { caller: anonymous }))).toContain('private');
    await vi.waitFor(async () => expect(await rowOf(jobId)).toBe(undefined), { timeout: 10_000 });
    expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
    await store.interrupt();
    try {
      await live.runner.purgeMatch({ jobId: other.jobId });
      // The service may be working at first.
      await vi.waitFor(() => expect(archive()).rejects.toThrow('the archive of hands: '), { timeout: 10_000 });
      expect(await rowOf(other.jobId)).toMatchObject({ deleted: true });
    } finally {
      await store.resume();
    }
    await archive();
    expect(await rowOf(other.jobId)).toBe(undefined);
    expect(await store.objects.get(`hands/${other.jobId}`)).toBe(null);
  });

  test('leaves no object of a match that is deleted while it is archived', async () => {
    const { jobId } = await finishOldMatch();
    await archive({
      ...store.objects,
      async put(key, object) {
        await live.runner.purgeMatch({ jobId });
        await store.objects.put(key, object);
      },
    });
    await archive();
    expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
    expect(await rowOf(jobId)).toBe(undefined);
  });

  test('deletes the object of a match that an earlier release has deleted', async () => {
    const { jobId } = await finishOldMatch();
    await archive();
    await pool.query(sql`DELETE FROM live_data.matches WHERE job_id = ${jobId}`);
    await archive();
    expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
    expect(await rowOf(jobId)).toBe(undefined);
  });

  test('retention removes the hands of an archived test run', async () => {
    const testRun = { playerIds: [userIdOf('ann'), houseUserId], ownerId: userIdOf('ann'), numRounds: 12 };
    const { jobId, hands } = await finishOldMatch(testRun);
    await archive();
    const { hands: before } = await live.gateway.getRetention({}, { caller: admin });
    await applyRetention(contextOf(store.objects), { keepTestRunsDays: 30, keepLogsDays: 0 });
    expect((await live.gateway.getRetention({}, { caller: admin })).hands).toBe(before + hands);
    expect(await refusal(readFirst(jobId))).toContain('NOT_FOUND hands-removed');
    await archive();
    expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
  });

  test('runs of several replicas archive each match once', async () => {
    const { jobId } = await finishOldMatch();
    const before = await readAll(jobId);
    let written = 0;
    const counting = {
      ...store.objects,
      put(key: string, object: Uint8Array) {
        written += 1;
        return store.objects.put(key, object);
      },
    };
    await Promise.all([archive(counting), archive(counting), archive(counting)]);
    await archive(counting);
    expect(written).toBe(1);
    expect(await readAll(jobId)).toEqual(before);
  });

  test('leaves out no hand when a match is archived while it is read', async () => {
    const { jobId, hands } = await finishOldMatch();
    const found: number[] = [];
    for await (const chunk of chunksAfter(db, jobId, 1, 0)) {
      if (found.length === 0) await archive();
      found.push(...Array.from({ length: chunk.hands }, (_, index) => chunk.firstHand + index));
    }
    expect(await storedChunks(jobId)).toBe(0);
    expect(found).toEqual(Array.from({ length: hands }, (_, index) => index + 1));
  });

  test('skips a match of which a chunk is missing', async () => {
    const { jobId } = await finishOldMatch();
    const other = await finishOldMatch();
    await pool.query(sql`DELETE FROM live_data.chunks WHERE job_id = ${jobId} AND first_hand = 65`);
    await archive();
    expect(await storedChunks(jobId)).toBeGreaterThan(0);
    expect(await rowOf(jobId)).toBe(undefined);
    expect(await storedChunks(other.jobId)).toBe(0);
    await pool.query(sql`DELETE FROM live_data.matches WHERE job_id = ${jobId}`);
  });

  test('fetches the object once for all hands of a match', async () => {
    const { jobId, hands } = await finishOldMatch();
    await archive();
    let fetched = 0;
    const { objects } = store;
    const counted = new HandArchive({
      ...objects,
      get(key) {
        fetched += 1;
        return objects.get(key);
      },
    });
    const read = async () => {
      let count = 0;
      for await (const chunk of chunksAfter({ ...db, archive: counted }, jobId, 1, 0)) count += chunk.hands;
      return count;
    };
    expect(await Promise.all([read(), read(), read()])).toEqual([hands, hands, hands]);
    expect(await read()).toBe(hands);
    expect(fetched).toBe(1);
  });

  test('refuses to read archived hands without ARCHIVE_URL', async () => {
    const { jobId } = await finishOldMatch();
    await archive();
    const read = async () => {
      for await (const _ of chunksAfter({ ...db, archive: new HandArchive(undefined) }, jobId, 1, 0));
    };
    expect(await refusal(read())).toBe(unreachable(jobId));
  });

  test('records a run in the audit log', async () => {
    const { jobId, hands } = await finishOldMatch();
    await archive();
    const { rows } = await pool.query<{ payload: Buffer }>(
      sql`SELECT payload FROM (SELECT id, payload FROM live_data.outbox UNION ALL SELECT 0, payload FROM live_data.published_events) AS events`,
    );
    const bytes = (await rowOf(jobId))?.bytes;
    expect(rows.map(({ payload }) => payload.toString()).join()).toContain(
      `"matches":1,"hands":${hands},"bytes":${bytes}`,
    );
  });
});
