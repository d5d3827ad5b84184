import { authService, liveDataService, submissionService } from '@husky/contracts/services';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { OpenService, ServiceContext } from '@husky/runtime/process/open-service';
import { WorkGroup } from '@husky/runtime/process/repeat';
import type { ClientOf } from '@husky/runtime/rpc/grpc-client';
import type { Handlers } from '@husky/runtime/rpc/grpc-server';
import type { IdentitySigner } from '@husky/runtime/rpc/identity';
import type { access } from './access.ts';
import type { Config } from './config.ts';
import type { PrismaClient } from './generated/client.ts';
import { LadderStanding } from './ladder/standing.ts';
import { StageStandings } from './tournament/stage-standings.ts';
import { PurgeFailures } from './work/purge-failures.ts';
import type { QueueWaiters } from './work/queue-waiters.ts';

export interface Context extends ServiceContext<PrismaClient> {
  readonly signer: IdentitySigner;
  readonly auth: ClientOf<typeof authService>;
  readonly submission: ClientOf<typeof submissionService>;
  readonly liveData: ClientOf<typeof liveDataService>;
  readonly waiters: QueueWaiters;
  readonly settings: Config['settings'];
  /** Wakes the background work, so that new jobs and batches are processed without waiting for its next interval. */
  readonly worker: WorkGroup;
  readonly purgeFailures: PurgeFailures;
  readonly ladder: LadderStanding;
  readonly stageStandings: StageStandings;
}

export type SimulationHandlers = Handlers<SimulationServiceDefinition, typeof access>;

export function createContext(
  service: OpenService<PrismaClient>,
  config: Config,
  { now, waiters }: Pick<Context, 'now' | 'waiters'>,
): Context {
  const { log, pool, prisma, relay, signer } = service;
  return {
    log,
    pool,
    prisma,
    signer,
    auth: service.client(authService, config.AUTH_ADDRESS),
    submission: service.client(submissionService, config.SUBMISSION_ADDRESS),
    liveData: service.client(liveDataService, config.LIVE_DATA_ADDRESS),
    waiters,
    settings: config.settings,
    relay,
    worker: new WorkGroup(),
    purgeFailures: new PurgeFailures(log),
    ladder: new LadderStanding(pool),
    stageStandings: new StageStandings(),
    now,
  };
}
