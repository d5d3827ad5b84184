import { sql } from '@husky/runtime/database/sql';
import { refusal } from '@husky/testkit/refusal';
import { describe, expect, test, vi } from 'vitest';
import { HandArchive } from '../src/archive/hand-archive.ts';
import { indexMatch } from '../src/read-hands.ts';
import { findAttempt } from '../src/store/attempts.ts';
import { chunksAfter } from '../src/store/chunks.ts';
import { findMatch } from '../src/store/matches.ts';
import { verifyMatch } from '../src/verify.ts';
import { archiveStores, startArchive } from './hand-archive.ts';
import { admin } from './service.ts';

// Values are computed with low priority.
vi.setConfig({ testTimeout: 150_000 });

describe.each(archiveStores)('hands that are archived in %s', async (_name, startStore) => {
  const {
    store,
    live,
    pool,
    db,
    archive,
    finishOldMatch,
    valuesStored,
    storedChunks,
    rowOf,
    readAll,
    readFirst,
    unreachable,
    damaged,
  } = await startArchive(startStore);

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
    await valuesStored(jobId);
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
    await valuesStored(archived.jobId);
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
});
