import type { ServiceDatabase } from '@husky/runtime/database/postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import type { HandArchive } from '../archive/hand-archive.ts';
import { PrismaClient } from '../generated/client.ts';

export const schema = 'live_data';

export type Database = Pick<ServiceDatabase<PrismaClient>, 'pool' | 'prisma'>;

/** The database and the archive of old hands: both are needed to read hands. */
export interface HandsDatabase extends Database {
  readonly archive: HandArchive;
}

export function clientOver(pool: pg.Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool, { schema }) });
}
