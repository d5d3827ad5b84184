import { join } from 'node:path';
import { openMigrated, type ServiceDatabase } from '@husky/runtime/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { LeaderboardConfig } from '../config.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';

const migrations = join(import.meta.dirname, '../../prisma/migrations');

/** Either the client itself or one of its transactions. */
export type Db = Prisma.TransactionClient;

export type Database = ServiceDatabase<PrismaClient>;

export function openLeaderboardDatabase(settings: LeaderboardConfig['database']): Promise<Database> {
  const { schema } = settings;
  return openMigrated(settings, migrations, (pool) => new PrismaClient({ adapter: new PrismaPg(pool, { schema }) }));
}

/** Writers of entries wait for each other: they are few, and no order of locks needs thought. */
export const entriesLockSql = `SELECT pg_advisory_xact_lock(hashtext('husky.leaderboard.entries'))`;
