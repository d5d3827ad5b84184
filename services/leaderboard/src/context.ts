import type { simulationService } from '@husky/contracts/services';
import type { ClientOf } from '@husky/runtime/grpc-client';
import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import type { PrismaClient } from './generated/client.ts';
import type { Db } from './store/database.ts';

/** What every RPC has at hand. */
export interface LeaderboardContext {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  /** One transaction that changes entries, one at a time; its events go out as soon as it is committed. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Sends events that a transaction outside of `transaction` has written. */
  sendEvents(): void;
  readonly simulation: ClientOf<typeof simulationService>;
  now(): Date;
}
