import type { Logger } from '@husky/runtime/logger';
import type pg from 'pg';
import type { Accounts } from './accounts/accounts.ts';
import type { Turns } from './domain/turns.ts';
import type { PrismaClient } from './generated/client.ts';
import type { Mailer } from './mail/mail.ts';
import type { Db } from './store/database.ts';

/** What every RPC has at hand. */
export interface AuthContext {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  /** One transaction; its events go out as soon as it is committed. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Who may sign in, with what, in which sessions and with which roles. */
  readonly accounts: Accounts;
  /** Whatever checks or makes a password goes through these. */
  readonly turns: Turns;
  readonly mailer: Mailer;
  readonly publicUrl: string;
  /** Work that nobody waits for; its failure is logged, and the service's stop waits for it. */
  inBackground(what: string, work: () => Promise<void>): void;
  now(): Date;
}
