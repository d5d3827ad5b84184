import pg from 'pg';
import { newestMigration } from './migrations.ts';

/** Where a service's tables are. */
export interface DatabaseSettings {
  readonly url: string;
  readonly password: string;
  readonly schema: string;
  readonly poolSize: number;
}

/**
 * A pool for one service's role and schema. The search_path is set by the connection, since adapter-pg ignores
 * `?schema=` in the URL. Statements end after 30 s.
 */
export function openDatabase(settings: DatabaseSettings): pg.Pool {
  const pool = new pg.Pool({
    ...addressOf(settings.url),
    password: settings.password,
    max: settings.poolSize,
    // Random reads are as cheap as others on today's disks; the default makes plans read large tables from end to end.
    options: `-c search_path=${settings.schema} -c statement_timeout=30000 -c random_page_cost=1.1`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // A broken idle connection is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** A service's database with its client over it. */
export interface ServiceDatabase<C> {
  readonly pool: pg.Pool;
  readonly db: C;
  close(): Promise<void>;
}

/**
 * Opens a service's database, refuses it in one sentence while the newest migration of `migrations` (a folder in Prisma's
 * layout) is not applied, and puts the service's own client over it.
 */
export async function openMigrated<C extends { $disconnect(): Promise<void> }>(
  settings: DatabaseSettings,
  migrations: string,
  clientOver: (pool: pg.Pool) => C,
): Promise<ServiceDatabase<C>> {
  const pool = openDatabase(settings);
  try {
    await checkMigrated(pool, settings.schema, newestMigration(migrations));
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = clientOver(pool);
  return {
    pool,
    db,
    async close() {
      await db.$disconnect();
      await pool.end();
    },
  };
}

function addressOf(text: string): pg.PoolConfig {
  const url = new URL(text);
  return {
    host: decodeURIComponent(url.hostname),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    database: url.pathname.slice(1),
  };
}

/** Fails with one sentence unless the newest migration of `names` has been applied to the service's schema. */
export async function checkMigrated(pool: pg.Pool, schema: string, newest: string): Promise<void> {
  const { rows } = await pool.query<{ migration_name: string }>(
    `SELECT migration_name FROM "${schema}"._prisma_migrations WHERE finished_at IS NOT NULL AND migration_name = $1`,
    [newest],
  );
  if (rows.length === 0)
    throw new Error(`The database schema ${schema} lacks migration ${newest}: run the migrations first`);
}
