import { sql } from '@husky/runtime/sql';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';

export const schema = 'leaderboard';

/** The Prisma client or one of its transactions. */
export type Db = Prisma.TransactionClient;

export function clientOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}

/** Advisory lock that serializes all writers of entries (README, Decision 4). */
export const entriesLock = sql`SELECT pg_advisory_xact_lock(hashtext('husky.leaderboard.entries'))`;
