import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';

/** The folder of the migrations. */
export const migrations = join(import.meta.dirname, '../../prisma/migrations');

/** The client or one of its transactions. */
export type Db = Prisma.TransactionClient;

/** The schema of the service in PostgreSQL. */
export const schema = 'auth';

export function clientOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}
