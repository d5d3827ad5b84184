import { join } from 'node:path';
import { openMigrated, type ServiceDatabase } from '@husky/runtime/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { AuthConfig } from '../config.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';

const migrations = join(import.meta.dirname, '../../prisma/migrations');

/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

// No connection or no transaction in time, or one that took too long: Prisma's codes, and what the pool itself says.
const busyCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);

/** Whether the database was too busy for something that may well succeed when it is tried again. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (
    (typeof code === 'string' && busyCodes.has(code)) ||
    error.message.includes('timeout exceeded when trying to connect')
  );
}

export type Database = ServiceDatabase<PrismaClient>;

export function openAuthDatabase(settings: AuthConfig['database']): Promise<Database> {
  const { schema } = settings;
  return openMigrated(settings, migrations, (pool) => new PrismaClient({ adapter: new PrismaPg(pool, { schema }) }));
}
