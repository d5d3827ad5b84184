import pg from 'pg';
import { newestMigration } from './migrations.ts';

/** Connection and schema of a service's database. */
export interface DatabaseSettings {
  readonly url: string;
  readonly password: string;
  readonly schema: string;
  readonly poolSize: number;
}

/**
 * Opens a pool for one service's role and schema. The connection sets search_path, because adapter-pg ignores `?schema=` in
 * the URL. Statements time out after 30 s.
 */
export function openDatabase(settings: DatabaseSettings): pg.Pool {
  const pool = new pg.Pool({
    ...addressOf(settings.url),
    password: settings.password,
    max: settings.poolSize,
    // SSDs read randomly as fast as sequentially; the default of 4 makes plans scan large tables.
    options: `-c search_path=${settings.schema} -c statement_timeout=30000 -c random_page_cost=1.1`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
  });
  // The pool replaces a broken idle connection; without a listener its error would end the process.
  pool.on('error', () => undefined);
  return pool;
}

/** A service's connection pool and the Prisma client that uses it. */
export interface ServiceDatabase<C> {
  readonly pool: pg.Pool;
  readonly db: C;
  close(): Promise<void>;
}

/**
 * Opens a service's database and its Prisma client. Throws one sentence when the newest migration of `migrations` (a folder
 * in Prisma's layout) is not applied.
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

/** Throws one sentence unless the migration `newest` has been applied to the service's schema. */
export async function checkMigrated(pool: pg.Pool, schema: string, newest: string): Promise<void> {
  const { rows } = await pool.query<{ migration_name: string }>(
    `SELECT migration_name FROM "${schema}"._prisma_migrations WHERE finished_at IS NOT NULL AND migration_name = $1`,
    [newest],
  );
  if (rows.length === 0)
    throw new Error(`The database schema ${schema} lacks migration ${newest}: run the migrations first`);
}
