import { simulationService } from '@husky/contracts/services';
import type { BatchGame } from '@husky/contracts/types/simulation/v1/BatchGame';
import type { Job } from '@husky/contracts/types/simulation/v1/Job';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import { requireService } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import { createGrpcServer, type Handlers } from '@husky/runtime/grpc-server';
import { createLogger } from '@husky/runtime/logger';
import { testIdentities } from '@husky/testkit/servers';

export interface SimulationDouble {
  readonly address: string;
  /** Jobs by id; a test adds what it needs. */
  readonly jobs: Map<string, Job>;
  /** Ids of jobs held now. */
  readonly held: Set<string>;
  /** Batches by id: finished games by number, and how many games there are in all. */
  readonly batches: Map<string, { total: number; games: BatchGame[] }>;
  /** Called before each page of a batch's results; may throw. */
  onResults: () => void;
  /** Makes every call fail as if the service were away, or ends that. */
  away(yes: boolean): void;
  stop(): Promise<void>;
}

/** A neighbour that speaks simulation's contract over gRPC and knows holds, nothing else. */
export async function startSimulationDouble(): Promise<SimulationDouble> {
  const jobs = new Map<string, Job>();
  const held = new Set<string>();
  const batches: SimulationDouble['batches'] = new Map();
  const state = { onResults: (): void => undefined };
  let isAway = false;

  function find(jobId: string): Job {
    if (isAway) throw new DomainError('UNAVAILABLE', 'service-unavailable', 'away');
    const job = jobs.get(jobId);
    if (!job) throw new DomainError('NOT_FOUND', 'job-not-found', 'Job not found');
    return job;
  }

  function findBatch(batchId: string) {
    if (isAway) throw new DomainError('UNAVAILABLE', 'service-unavailable', 'away');
    const batch = batches.get(batchId);
    if (!batch) throw new DomainError('NOT_FOUND', 'batch-not-found', 'Batch not found');
    return batch;
  }

  const holdOf = (batchId: string) => {
    const { total, games } = findBatch(batchId);
    return { batchId, held: held.has(batchId), totalJobs: total, finishedJobs: games.length };
  };

  const answers: Partial<Handlers<SimulationServiceDefinition>> = {
    async holdJob(request, call) {
      requireService(call.caller, 'leaderboard');
      const job = find(request.jobId);
      held.add(request.jobId);
      return { ...job, held: true };
    },
    async releaseJob(request, call) {
      requireService(call.caller, 'leaderboard');
      const job = find(request.jobId);
      held.delete(request.jobId);
      return { ...job, held: false };
    },
    async holdBatch({ batchId }, call) {
      requireService(call.caller, 'leaderboard');
      findBatch(batchId);
      held.add(batchId);
      return holdOf(batchId);
    },
    async releaseBatch({ batchId }, call) {
      requireService(call.caller, 'leaderboard');
      findBatch(batchId);
      held.delete(batchId);
      return holdOf(batchId);
    },
    async listBatchResults({ batchId, afterGame, limit }, call) {
      requireService(call.caller, 'leaderboard');
      const { total, games } = findBatch(batchId);
      if (limit > 0) state.onResults();
      const page = games.filter((game) => (game.gameNumber ?? 0) > afterGame).slice(0, limit);
      return { games: page, totalJobs: total, finishedJobs: games.length };
    },
  };
  const others = Object.keys(simulationService.client.service).map((name) => [
    name.charAt(0).toLowerCase() + name.slice(1),
    () => Promise.reject(new DomainError('UNIMPLEMENTED', 'not-here', 'The stand-in does not do this')),
  ]);
  const server = createGrpcServer({
    verifier: testIdentities().verifierFor('simulation'),
    log: createLogger('simulation-double', 'fatal'),
  });
  server.add(simulationService, {
    ...Object.fromEntries(others),
    ...answers,
  } as Handlers<SimulationServiceDefinition>);
  const port = await server.listen('127.0.0.1:0');
  return {
    address: `127.0.0.1:${port}`,
    jobs,
    held,
    batches,
    set onResults(hook: () => void) {
      state.onResults = hook;
    },
    away: (yes) => {
      isAway = yes;
    },
    stop: () => server.close(100),
  };
}
