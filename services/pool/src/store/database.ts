import type { ServiceDatabase } from '@husky/runtime/database/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { PrismaClient } from '../generated/client.ts';

export const schema = 'pool';

export type Database = Pick<ServiceDatabase<PrismaClient>, 'pool' | 'prisma'>;

export function clientOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}
