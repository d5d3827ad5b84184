import type { AuthServiceDefinition } from '@husky/contracts/types/auth/v1/AuthService';
import type { Logger } from '@husky/runtime/process/logger';
import type { Handlers } from '@husky/runtime/rpc/grpc-server';
import type pg from 'pg';
import type { access } from './access.ts';
import type { Accounts } from './accounts/accounts.ts';
import type { HashQueues } from './domain/hash-queue.ts';
import type { PrismaClient } from './generated/client.ts';
import type { Mailer } from './mail/mail.ts';
import type { Db } from './store/database.ts';

/** The dependencies of every RPC. */
export interface AuthContext {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  /** Runs `work` in a transaction; its outbox events are sent after the commit. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Credentials, sessions and roles. */
  readonly accounts: Accounts;
  /** Every call that hashes a password waits in one of these. */
  readonly hashQueues: HashQueues;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** Runs work after the response. A failure is logged; graceful shutdown waits for it. */
  inBackground(name: string, work: () => Promise<void>): void;
  now(): Date;
}

export type AuthHandlers = Handlers<AuthServiceDefinition, typeof access>;
