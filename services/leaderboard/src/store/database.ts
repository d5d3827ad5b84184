import { join } from 'node:path';
import { newestMigration } from '@husky/runtime/migrations';
import { checkMigrated, openDatabase } from '@husky/runtime/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { LeaderboardConfig } from '../config.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';

const migrations = join(import.meta.dirname, '../../prisma/migrations');

/** Either the client itself or one of its transactions. */
export type Db = Prisma.TransactionClient;

export interface Database {
  readonly pool: pg.Pool;
  readonly db: PrismaClient;
  close(): Promise<void>;
}

export async function openLeaderboardDatabase(settings: LeaderboardConfig['database']): Promise<Database> {
  const pool = openDatabase(settings);
  await checkMigrated(pool, settings.schema, newestMigration(migrations));
  const db = new PrismaClient({ adapter: new PrismaPg(pool, { schema: settings.schema }) });
  return {
    pool,
    db,
    async close() {
      await db.$disconnect();
      await pool.end();
    },
  };
}

/** Writers of entries wait for each other: they are few, and no order of locks needs thought. */
export const entriesLockSql = `SELECT pg_advisory_xact_lock(hashtext('husky.leaderboard.entries'))`;
