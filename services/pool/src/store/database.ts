import type { PooledDatabase } from '@husky/runtime/database/replica';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/client.ts';

export const schema = 'pool';

export type Database = PooledDatabase<PrismaClient>;

export function clientOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}
