import { sql } from '@husky/runtime/database/sql';
import { createLogger } from '@husky/runtime/process/logger';
import { afterAll, expect, vi } from 'vitest';
import { HandArchive } from '../src/archive/hand-archive.ts';
import type { Objects } from '../src/archive/objects.ts';
import { clientOver } from '../src/store/database.ts';
import { WorkLocks } from '../src/store/work-locks.ts';
import { archiveHands, newProgress } from '../src/work/archive-hands.ts';
import { folderStore, type ObjectStore, s3Store } from './object-stores.ts';
import { admin, leaseOf, settingsOf, startLiveData } from './service.ts';
import { userIdOf } from './simulation.ts';

/** Names and constructors of the destinations that every test of the archive is run with. */
export const archiveStores = [
  ['a folder', folderStore],
  ['a bucket', s3Store],
] as const;

/** Starts live-data with an archive, for the tests of one `describe`. */
export async function startArchive(startStore: () => Promise<ObjectStore>) {
  const store = await startStore();
  const live = await startLiveData({ archive: store.settings });
  const { admin: pool } = live.database;
  const prisma = clientOver(pool);
  const opened: WorkLocks[] = [];
  afterAll(async () => {
    for (const workLocks of opened) await workLocks.close();
    await prisma.$disconnect();
    await live.stop();
    await store.stop();
  });

  /** Returns the context of another replica. */
  const contextOf = (objects: Objects, now = Date.now) => {
    const workLocks = new WorkLocks(settingsOf(live.database));
    opened.push(workLocks);
    return {
      db: { pool, prisma, archive: new HandArchive(objects) },
      workLocks,
      log: createLogger('live-data', 'fatal'),
      now,
      relay: { kick: () => undefined },
      stopping: new AbortController().signal,
      archiveAfterDays: 30,
    };
  };
  /** `progress` continues the work of a replica; by default another one works. */
  const archive = (objects: Objects = store.objects, now = Date.now, progress = newProgress()) =>
    archiveHands(contextOf(objects, now), progress);
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

  /** Waits until the values of a match are computed in the background, which reads its hands, also from the archive into memory. */
  async function valuesStored(jobId: string): Promise<void> {
    const isReady = async () =>
      expect(await live.gateway.getMatchLuck({ jobId }, { caller: admin })).toMatchObject({ ready: true });
    await vi.waitFor(isReady, { timeout: 100_000, interval: 50 });
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

  /** Moves the deletions of matches, and of their objects, into the past. */
  async function moveDeletionsIntoPast(jobIds: readonly string[], minutes: number): Promise<void> {
    const age = sql`${minutes} * interval '1 minute'`;
    await pool.query(
      sql`UPDATE live_data.archived_hands SET deleted_at = deleted_at - ${age}, delete_after = delete_after - ${age}
        WHERE job_id = ANY (${jobIds}::uuid[])`,
    );
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

  return {
    store,
    live,
    pool,
    db,
    contextOf,
    archive,
    moveIntoPast,
    moveDeletionsIntoPast,
    finishOldMatch,
    valuesStored,
    storedChunks,
    rowOf,
    readAll,
    readFirst,
    unreachable,
    damaged,
  };
}
