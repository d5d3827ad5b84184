import { join } from 'node:path';
import { openMigrated, type ServiceDatabase } from '@husky/runtime/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type { AuthConfig } from '../config.ts';
import { type Prisma, PrismaClient } from '../generated/client.ts';

const migrations = join(import.meta.dirname, '../../prisma/migrations');

/** Either the client itself or one of its transactions. */
export type Db = Prisma.TransactionClient;

export type Database = ServiceDatabase<PrismaClient>;

export function openAuthDatabase(settings: AuthConfig['database']): Promise<Database> {
  const { schema } = settings;
  return openMigrated(settings, migrations, (pool) => new PrismaClient({ adapter: new PrismaPg(pool, { schema }) }));
}
