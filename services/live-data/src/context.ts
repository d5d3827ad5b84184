import type { LiveDataServiceDefinition } from '@husky/contracts/types/live/v1/LiveDataService';
import type { PlayStatistics } from '@husky/contracts/types/live/v1/PlayStatistics';
import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { Messaging } from '@husky/runtime/messages/nats';
import type { ServiceContext } from '@husky/runtime/process/open-service';
import type { RpcClient } from '@husky/runtime/rpc/grpc-client';
import type { Handlers } from '@husky/runtime/rpc/grpc-server';
import type { LRUCache } from 'lru-cache';
import type { access } from './access.ts';
import type { ExportSettings } from './config.ts';
import type { Results } from './domain/results.ts';
import type { PrismaClient } from './generated/client.ts';
import type { Intakes } from './intakes.ts';
import type { MatchFeeds } from './match-feed.ts';
import type { Scope, StandingsState } from './standings/domain/packed-standings.ts';
import type { Database } from './store/database.ts';
import type { WorkLocks } from './store/work-locks.ts';

/** The dependencies of every RPC and event handler. */
export interface Context extends Omit<ServiceContext<PrismaClient>, 'pool' | 'prisma'> {
  readonly db: Database;
  /** Locks of background work, of which one replica at a time does each. */
  readonly workLocks: WorkLocks;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly messaging: Messaging;
  readonly feeds: MatchFeeds;
  readonly intakes: Intakes;
  /** Caches of sums over matches by selection, with the version of the selection. */
  readonly results: LRUCache<string, { readonly version: string; readonly results: Results }>;
  readonly play: LRUCache<string, { readonly version: string; readonly statistics: PlayStatistics }>;
  /**
   * Standings, computed in the background. `putSums` stores the sums of a match, with luck values of LUCK_VERSION; `valuesOf` returns the
   * stored ones of that version, as loadMatchValues does, or null.
   */
  readonly standings: {
    read(scope: Scope): Promise<StandingsState>;
    putSums(match: { readonly jobId: string; readonly attempt: number }, bytes: Uint8Array): Promise<void>;
    valuesOf(jobId: string): Promise<readonly (readonly number[])[] | null>;
  };
  /** Computes values of finished matches in the background: `enqueue` adds one; `reportDelivery` slows the work down during play. */
  readonly values: { enqueue(jobId: string): void; reportDelivery(): void };
  readonly exports: ExportSettings;
  /** Wakes the background job that makes exports. */
  readonly exporting: { kick(): void };
  /** Aborts at shutdown, so that watchers reconnect to another replica. */
  readonly stopping: AbortSignal;
}

export type LiveDataHandlers = Handlers<LiveDataServiceDefinition, typeof access>;
