import type { SimulationServiceDefinition } from '@husky/contracts/types/simulation/v1/SimulationService';
import type { RpcClient } from '@husky/runtime/grpc-client';
import type { Logger } from '@husky/runtime/logger';
import type { Messaging } from '@husky/runtime/nats';
import type { MatchFeeds } from './live/match-feed.ts';
import type { Database } from './store/database.ts';

/** What every RPC and event handler of this service works with. */
export interface Context {
  readonly log: Logger;
  readonly db: Database;
  readonly simulation: RpcClient<SimulationServiceDefinition>;
  readonly messaging: Messaging;
  readonly feeds: MatchFeeds;
  /** Sends new outbox rows soon. */
  readonly relay: { kick(): void };
  /** ms since the epoch. */
  readonly now: () => number;
  /** Aborts when this replica stops: its watchers are sent to another one. */
  readonly stopping: AbortSignal;
}
