import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from '../generated/client.ts';

export const schema = 'live_data';

export interface Database {
  readonly prisma: PrismaClient;
  readonly pool: pg.Pool;
}
export type Transaction = Prisma.TransactionClient;

export function clientOver(pool: pg.Pool): PrismaClient {
  const adapter = new PrismaPg(pool, { schema });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 20_000 } });
}
