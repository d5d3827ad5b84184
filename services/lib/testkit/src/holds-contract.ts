import { randomUUID } from 'node:crypto';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import { expect } from 'vitest';

/** Jobs and a batch that exist at the service under test. */
export interface HoldsFixture {
  readonly finishedJobId: string;
  readonly unfinishedJobId: string;
  readonly batchId: string;
  readonly totalJobs: number;
  /** Numbers of the batch's finished games, at least two. */
  readonly finishedGames: readonly number[];
}

type Holds = Pick<
  RpcClient<SimulationServiceDefinition>,
  'holdJob' | 'releaseJob' | 'holdBatch' | 'releaseBatch' | 'listBatchResults'
>;

/**
 * Asserts the behaviour of simulation on which leaderboard relies: holds are idempotent and only for finished jobs, and a batch's
 * results are paged by game number. Used with simulation itself and with leaderboard's double of it.
 */
export async function expectHoldsContract(simulation: Holds, fixture: HoldsFixture): Promise<void> {
  const { finishedJobId: jobId, unfinishedJobId, batchId, totalJobs, finishedGames } = fixture;
  for (const unknown of [randomUUID(), 'no id', '']) {
    const noJob = { code: 'NOT_FOUND', reason: 'job-not-found' };
    await expect(simulation.holdJob({ jobId: unknown })).rejects.toMatchObject(noJob);
    await expect(simulation.releaseJob({ jobId: unknown })).rejects.toMatchObject(noJob);
    const noBatch = { code: 'NOT_FOUND', reason: 'batch-not-found' };
    await expect(simulation.holdBatch({ batchId: unknown })).rejects.toMatchObject(noBatch);
    await expect(simulation.releaseBatch({ batchId: unknown })).rejects.toMatchObject(noBatch);
    await expect(simulation.listBatchResults({ batchId: unknown })).rejects.toMatchObject(noBatch);
  }
  await expect(simulation.holdJob({ jobId: unfinishedJobId })).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    reason: 'job-not-finished',
  });

  for (const held of [true, true, false, false]) {
    const job = await (held ? simulation.holdJob({ jobId }) : simulation.releaseJob({ jobId }));
    expect(job).toMatchObject({ id: jobId, status: 'FINISHED', held });
    expect(job.results.map(({ userId }) => userId)).not.toContain('');
  }
  const finishedJobs = finishedGames.length;
  for (const held of [true, true, false, false]) {
    const hold = await (held ? simulation.holdBatch({ batchId }) : simulation.releaseBatch({ batchId }));
    expect(hold).toEqual({ batchId, held, totalJobs, finishedJobs, traceparent: expect.any(String) });
  }

  const counts = { totalJobs, finishedJobs, deletedJobs: 0 };
  expect(await simulation.listBatchResults({ batchId, limit: 0 })).toEqual({ games: [], ...counts });
  let afterGame = 0;
  for (const gameNumber of finishedGames) {
    const page = await simulation.listBatchResults({ batchId, afterGame, limit: 1 });
    expect(page).toMatchObject({ games: [{ gameNumber, jobId: expect.stringMatching(/./) }], ...counts });
    expect(page.games[0]?.results.length).toBeGreaterThan(0);
    afterGame = gameNumber;
  }
  expect((await simulation.listBatchResults({ batchId, afterGame, limit: 1 })).games).toEqual([]);
}
