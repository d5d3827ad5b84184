import type { simulationService } from '@husky/contracts/services';
import type { LeaderboardServiceDefinition } from '@husky/contracts/types/leaderboard/v1/LeaderboardService';
import type { ClientOf } from '@husky/runtime/grpc-client';
import type { Handlers } from '@husky/runtime/grpc-server';
import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import type { access } from './access.ts';
import type { PrismaClient } from './generated/client.ts';
import type { Db } from './store/database.ts';

/** Dependencies of the handlers. */
export interface LeaderboardContext {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  /** Runs a transaction that changes entries, serialized by the entries lock; publishes its events after the commit. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Publishes events that another transaction has written to the outbox. */
  sendEvents(): void;
  readonly simulation: ClientOf<typeof simulationService>;
  now(): Date;
}

export type LeaderboardHandlers = Handlers<LeaderboardServiceDefinition, typeof access>;
