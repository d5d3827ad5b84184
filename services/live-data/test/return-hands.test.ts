import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { openDatabase } from '@husky/runtime/database/postgres';
import { sql } from '@husky/runtime/database/sql';
import { createLogger } from '@husky/runtime/process/logger';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { returnHands } from '../src/archive/return-hands.ts';
import { s3Bucket } from '../src/archive/s3-client.ts';
import type { PackedChunk } from '../src/domain/record.ts';
import { s3Store } from './s3-store.ts';
import { admin, settingsOf, startLiveData } from './service.ts';

const live = await startLiveData();
const pool = openDatabase(settingsOf(live.database));
const log = createLogger('live-data', 'fatal');
const errors = vi.spyOn(log, 'error');
beforeEach(() => void errors.mockClear());

const parent = await mkdtemp(join(tmpdir(), 'husky-archive-'));
const folder = join(parent, 'archive');
await mkdir(join(folder, 'hands'), { recursive: true });
const store = await s3Store();
const bucket = s3Bucket(store.settings.s3);
afterAll(async () => {
  await pool.end();
  await live.stop();
  await store.stop();
  await rm(parent, { recursive: true });
});

const places = [
  {
    place: 'a folder',
    settings: { folder },
    put: (key: string, object: Buffer) => writeFile(join(folder, key), object),
    interrupt: () => rename(folder, `${folder}-away`),
    resume: () => rename(`${folder}-away`, folder),
  },
  {
    place: 'a bucket',
    settings: store.settings,
    put: (key: string, object: Buffer) =>
      bucket.client.send(new PutObjectCommand({ ...bucket.locationOf(key), Body: object })),
    interrupt: () => store.interrupt(),
    resume: () => store.resume(),
  },
];

async function read(jobId: string) {
  const hands: string[] = [];
  for await (const { gameJson } of live.gateway.exportMatch({ jobId }, { caller: admin })) hands.push(...gameJson);
  return hands;
}

async function archivedCount(): Promise<number> {
  const { rows } = await pool.query('SELECT FROM archived_hands JOIN matches USING (job_id)');
  return rows.length;
}

describe.each(places)('hands in $place', ({ settings, put, interrupt, resume }) => {
  /** Plays a match and moves its hands as the earlier build did. */
  async function archive() {
    const { jobId } = (await live.finishMatch({ numRounds: 150 })).match;
    const before = await read(jobId);
    const { rows: chunks } = await pool.query<PackedChunk>(
      sql`DELETE FROM chunks WHERE job_id = ${jobId} RETURNING first_hand AS "firstHand", hands, bytes`,
    );
    const sizes = chunks.map(({ firstHand, hands, bytes }) => ({ firstHand, hands, bytes: bytes.length }));
    const header = `HUSKY-HANDS-1\n${JSON.stringify({ jobId, attempt: 1, chunks: sizes })}\n`;
    const object = Buffer.concat([Buffer.from(header), ...chunks.map(({ bytes }) => bytes)]);
    await put(`hands/${jobId}`, object);
    await pool.query(
      sql`INSERT INTO archived_hands (job_id, attempt, hands, bytes, sha256, archived_at)
        VALUES (${jobId}, 1, 150, ${object.length}, ${createHash('sha256').update(object).digest()}, now())`,
    );
    await pool.query(sql`UPDATE matches SET hands_archived_at = now() WHERE job_id = ${jobId}`);
    return { jobId, before, object };
  }

  test('are moved back, by one of two replicas', async () => {
    const { jobId, before } = await archive();
    await Promise.all([returnHands(pool, settings, log), returnHands(pool, settings, log)]);
    expect(await read(jobId)).toEqual(before);
    expect(before.length).toBeGreaterThan(100);
    expect(await archivedCount()).toBe(0);
    await live.startReplica().then((replica) => replica.stop());
  });

  test('keep live-data from starting without ARCHIVE_URL or without the archive, unless their matches were deleted', async () => {
    const { jobId, before } = await archive();
    await expect(live.startReplica()).rejects.toThrow('The hands of 1 matches are in an archive: set ARCHIVE_URL');
    await interrupt();
    await expect(returnHands(pool, settings, log)).rejects.toThrow();
    await resume();
    await returnHands(pool, settings, log);
    expect(await read(jobId)).toEqual(before);
    const { jobId: deleted } = await archive();
    await live.runner.purgeMatch({ jobId: deleted });
    await returnHands(pool, undefined, log);
  });

  test('stay archived when their object is missing or damaged, until it is put back', async () => {
    const { jobId, before, object } = await archive();
    await put(`hands/${jobId}`, object.subarray(1));
    await returnHands(pool, settings, log);
    expect(errors).toHaveBeenCalledWith({ jobId }, `match ${jobId}: its object is damaged`);
    expect(await archivedCount()).toBe(1);
    await put(`hands/${jobId}`, object);
    await returnHands(pool, settings, log);
    expect(await read(jobId)).toEqual(before);
  });
});
