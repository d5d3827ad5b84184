import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';

export const schema = 'leaderboard';

/** The Prisma client or one of its transactions. */
export type Db = Prisma.TransactionClient;

export function clientOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}

/** Serialises all transactions that change entries: they are few, and no lock order has to be kept. */
export const entriesLockSql = `SELECT pg_advisory_xact_lock(hashtext('husky.leaderboard.entries'))`;
