import { randomUUID } from 'node:crypto';
import { sql } from '@husky/runtime/database/sql';
import { expect, vi } from 'vitest';
import { admin, startService } from './start-service.ts';

export const users = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
export const asAdmin = { caller: admin, timeoutMs: 30_000 };

/** Starts two replicas of the service; returns them with functions for tests of batches. */
export async function startBatchWorld(variables: Record<string, string> = {}) {
  const service = await startService(variables, 2);
  const create = (userIds: string[], more: object = {}) => service.gateway.createBatch({ userIds, ...more }, asAdmin);
  const read = (batchId: string) => service.gateway.getBatch({ batchId }, asAdmin);

  /** Creates a batch, waits until all its jobs are created and returns its id. */
  async function createReady(userIds: string[], more: object = {}) {
    const { id } = await create(userIds, more);
    await vi.waitFor(async () => expect((await read(id)).state).toBe('Ready'), { timeout: 20_000, interval: 50 });
    return id;
  }

  /** Plays up to `max` matches, in which the player in seat 0 wins 50 from the others. */
  async function play(max: number) {
    let played = 0;
    for (; played < max; played++) {
      const assignment = await service.claim('player');
      if (!assignment) break;
      await service.liveData.acceptResult({
        jobId: assignment.jobId,
        attempt: assignment.attempt,
        handsPlayed: assignment.numRounds,
        results: assignment.seats.map((seat, index) => ({ userId: seat.userId, delta: index === 0 ? 50 : -10 })),
        digest: 'd',
      });
    }
    return played;
  }

  /** Deletes a batch and waits until its jobs are purged. */
  async function remove(batchId: string): Promise<void> {
    await service.gateway.deleteBatch({ batchId }, asAdmin);
    await vi.waitFor(
      async () => {
        const { rows } = await service.pool.query(sql`SELECT 1 FROM batches WHERE id = ${batchId}`);
        expect(rows).toEqual([]);
      },
      { timeout: 20_000, interval: 50 },
    );
  }
  return { service, create, read, createReady, play, remove };
}
