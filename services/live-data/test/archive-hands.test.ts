import { houseUserId } from '@husky/contracts/house-user';
import { sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { describe, expect, test, vi } from 'vitest';
import type { Objects } from '../src/archive/objects.ts';
import { applyRetention } from '../src/work/apply-retention.ts';
import { newProgress } from '../src/work/archive-hands.ts';
import { archiveStores, startArchive } from './hand-archive.ts';
import { admin, anonymous } from './service.ts';
import { userIdOf } from './simulation.ts';

describe.each(archiveStores)('archiving in %s', async (_name, startStore) => {
  const {
    store,
    live,
    pool,
    contextOf,
    archive,
    moveIntoPast,
    moveDeletionsIntoPast,
    finishOldMatch,
    storedChunks,
    rowOf,
    readAll,
    readFirst,
  } = await startArchive(startStore);

  /** The clock is read at the start of a run, and for the transaction that deletes the chunks. */
  function crashAtSecondCall() {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls > 1) throw new Error('crash');
      return Date.now();
    };
  }

  /** Returns a store that refuses to write and delete the objects of these matches, as one that is too large for its time limit. */
  function refusing(jobIds: readonly string[]): Objects {
    const check = (key: string) => {
      if (jobIds.some((jobId) => key === `hands/${jobId}`)) throw new Error('timeout');
    };
    return {
      ...store.objects,
      async put(key, object) {
        check(key);
        await store.objects.put(key, object);
      },
      async delete(key) {
        check(key);
        await store.objects.delete(key);
      },
    };
  }

  /** Returns the ids of the new matches, the oldest first. */
  async function finishOldMatches(count: number): Promise<string[]> {
    const jobIds: string[] = [];
    for (let made = 0; made < count; made++) jobIds.push((await finishOldMatch()).jobId);
    return jobIds;
  }

  test('archives the other matches when the object of the oldest one cannot be written', async () => {
    const [refused = '', ...others] = await finishOldMatches(3);
    await archive(refusing([refused]));
    await archive(refusing([refused]));
    for (const jobId of others) expect(await storedChunks(jobId)).toBe(0);
    expect(await storedChunks(refused)).toBeGreaterThan(0);
    await archive();
    expect(await storedChunks(refused)).toBe(0);
  });

  test('a run ends after three objects in a row that cannot be written; the next one begins with the others', async () => {
    const jobIds = await finishOldMatches(5);
    const refused = jobIds.slice(0, 3);
    const progress = newProgress();
    await archive(refusing(refused), Date.now, progress);
    for (const jobId of jobIds) expect(await storedChunks(jobId)).toBeGreaterThan(0);
    await archive(refusing(refused), Date.now, progress);
    for (const jobId of jobIds.slice(3)) expect(await storedChunks(jobId)).toBe(0);
    await archive(store.objects, Date.now, progress);
    for (const jobId of refused) expect(await storedChunks(jobId)).toBe(0);
  });

  test('deletes the other objects, and archives, when the deletion of some objects is refused', async () => {
    const deleted = (await finishOldMatches(5)).sort();
    await archive();
    const old = await finishOldMatch();
    const refused = deleted.slice(0, 4);
    const objects = refusing(refused);
    // Not by the service, which would delete them all.
    await pool.query(sql`DELETE FROM live_data.matches WHERE job_id = ANY (${deleted}::uuid[])`);
    await archive(objects);
    expect(await storedChunks(old.jobId)).toBe(0);
    await moveDeletionsIntoPast(deleted, 10);
    await archive(objects);
    expect(await store.objects.get(`hands/${deleted[4]}`)).toBe(null);
    for (const jobId of refused) {
      expect(await store.objects.get(`hands/${jobId}`)).not.toBe(null);
      expect(await rowOf(jobId)).toMatchObject({ deleted: true });
    }
    await moveDeletionsIntoPast(deleted, 10);
    await archive();
    for (const jobId of refused) expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
  });

  test('deletes each object of a deleted match once, and once more after an hour', async () => {
    const deleted = (await finishOldMatches(2)).sort();
    await archive();
    const requests: string[] = [];
    const counting: Objects = {
      ...store.objects,
      async delete(key) {
        requests.push(key);
        await store.objects.delete(key);
      },
    };
    const keys = deleted.map((jobId) => `hands/${jobId}`);
    // Not by the service, which would delete them itself.
    await pool.query(sql`DELETE FROM live_data.matches WHERE job_id = ANY (${deleted}::uuid[])`);
    await archive(counting);
    await moveDeletionsIntoPast(deleted, 50);
    await archive(counting);
    expect(requests.filter((key) => keys.includes(key))).toEqual(keys);
    await moveDeletionsIntoPast(deleted, 11);
    await archive(counting);
    await archive(counting);
    expect(requests.filter((key) => keys.includes(key))).toEqual([...keys, ...keys]);
    for (const jobId of deleted) expect(await rowOf(jobId)).toBe(undefined);
  });

  test('deletes an object that the bucket completes after its match and its first deletion', async () => {
    const { jobId } = await finishOldMatch();
    const completed = Promise.withResolvers<void>();
    const late: Promise<void>[] = [];
    await archive({
      ...store.objects,
      async put(key, object) {
        late.push(completed.promise.then(() => store.objects.put(key, object)));
        throw new Error('timeout');
      },
    });
    await pool.query(sql`DELETE FROM live_data.matches WHERE job_id = ${jobId}`);
    await archive();
    completed.resolve();
    await Promise.all(late);
    expect(await store.objects.get(`hands/${jobId}`)).not.toBe(null);
    await moveDeletionsIntoPast([jobId], 61);
    await archive();
    expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
    expect(await rowOf(jobId)).toBe(undefined);
  });

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

  test('deletes the object of a deleted match, also when the archive could not be reached', async () => {
    const { jobId } = await finishOldMatch();
    const other = await finishOldMatch();
    await archive();
    await live.runner.purgeMatch({ jobId });
    expect(await refusal(live.gateway.listHands({ jobId }, { caller: anonymous }))).toContain('private');
    const isDeleted = async () => {
      await archive();
      expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
    };
    await vi.waitFor(isDeleted, { timeout: 10_000 });
    await store.interrupt();
    try {
      await live.runner.purgeMatch({ jobId: other.jobId });
      await archive();
      expect(await rowOf(other.jobId)).toMatchObject({ deleted: true });
    } finally {
      await store.resume();
    }
    // The service may be working at first.
    const deleteOther = async () => {
      await moveDeletionsIntoPast([other.jobId], 10);
      await archive();
      expect(await store.objects.get(`hands/${other.jobId}`)).toBe(null);
    };
    await vi.waitFor(deleteOther, { timeout: 10_000 });
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
    await moveDeletionsIntoPast([jobId], 61);
    await archive();
    expect(await rowOf(jobId)).toBe(undefined);
  });

  test('deletes the object of a match that an earlier release has deleted', async () => {
    const { jobId } = await finishOldMatch();
    await archive();
    await pool.query(sql`DELETE FROM live_data.matches WHERE job_id = ${jobId}`);
    await archive();
    expect(await store.objects.get(`hands/${jobId}`)).toBe(null);
    await moveDeletionsIntoPast([jobId], 61);
    await archive();
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
