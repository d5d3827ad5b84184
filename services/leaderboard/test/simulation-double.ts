import { simulationService } from '@husky/contracts/services';
import type { BatchGame } from '@husky/contracts/types/simulation/v1/BatchGame';
import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import { only } from '@husky/runtime/rpc/access';
import { DomainError } from '@husky/runtime/rpc/errors';
import { startDouble } from '@husky/testkit/service-double';

export interface SimulationDouble {
  readonly address: string;
  /** Jobs by id, added by tests. */
  readonly jobs: Map<string, Job>;
  /** Ids of held jobs. */
  readonly held: Set<string>;
  /** Batches by id: finished games by number, and the total number of games. */
  readonly batches: Map<string, { total: number; games: BatchGame[]; deleted?: number }>;
  /** Called before each page of a batch's results; may throw. */
  onResults: () => void;
  /** Makes every call fail with UNAVAILABLE, or succeed again. */
  setUnavailable(unavailable: boolean): void;
  stop(): Promise<void>;
}

/** Starts a gRPC server with simulation's contract that implements only holds. `expectHoldsContract` tests both it and simulation. */
export async function startSimulationDouble(): Promise<SimulationDouble> {
  const jobs = new Map<string, Job>();
  const held = new Set<string>();
  const batches: SimulationDouble['batches'] = new Map();
  const state = { onResults: (): void => undefined };
  let unavailable = false;

  function find(jobId: string): Job {
    if (unavailable) throw new DomainError('UNAVAILABLE', 'service-unavailable', 'unavailable');
    const job = jobs.get(jobId);
    if (!job) throw new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
    return job;
  }

  function findBatch(batchId: string) {
    if (unavailable) throw new DomainError('UNAVAILABLE', 'service-unavailable', 'unavailable');
    const batch = batches.get(batchId);
    if (!batch) throw new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
    return batch;
  }

  const holdOf = (batchId: string) => {
    const { total, games } = findBatch(batchId);
    return { batchId, held: held.has(batchId), totalJobs: total, finishedJobs: games.length };
  };

  const { address, stop } = await startDouble(simulationService, only('leaderboard'), {
    async holdJob(request) {
      const job = find(request.jobId);
      if (job.status !== 'FINISHED') {
        const message = 'Only a finished job can be put on a leaderboard.';
        throw new DomainError('FAILED_PRECONDITION', 'job-not-finished', message);
      }
      held.add(request.jobId);
      return { ...job, held: true };
    },
    async releaseJob(request) {
      const job = find(request.jobId);
      held.delete(request.jobId);
      return { ...job, held: false };
    },
    async holdBatch({ batchId }) {
      findBatch(batchId);
      held.add(batchId);
      return holdOf(batchId);
    },
    async releaseBatch({ batchId }) {
      findBatch(batchId);
      held.delete(batchId);
      return holdOf(batchId);
    },
    async listBatchResults({ batchId, afterGame, limit }) {
      const { total, games, deleted = 0 } = findBatch(batchId);
      if (limit > 0) state.onResults();
      const page = games.filter((game) => (game.gameNumber ?? 0) > afterGame).slice(0, limit);
      return { games: page, totalJobs: total, finishedJobs: games.length, deletedJobs: deleted };
    },
  });
  return {
    address,
    jobs,
    held,
    batches,
    set onResults(hook: () => void) {
      state.onResults = hook;
    },
    setUnavailable: (value) => {
      unavailable = value;
    },
    stop,
  };
}
