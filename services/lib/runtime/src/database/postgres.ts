import { Socket } from 'node:net';
import pg from 'pg';
import type { Logger } from '../process/logger.ts';
import { retry } from '../process/retry.ts';
import { connectionMistake, connectionOptions } from './database-url.ts';
import { FairPool } from './fair-pool.ts';
import { migrationNames, NewerSchemaError, refuseNewer } from './migrations.ts';

/** Connection and schema of a service's database. */
export interface DatabaseSettings {
  readonly url: string;
  readonly password: string;
  readonly schema: string;
  readonly poolSize: number;
  /** Whether the schema may have migrations of a newer release, if these only add (rolling upgrade and rollback). Default: no. */
  readonly allowNewer?: boolean;
  /** How long to wait for PostgreSQL and for migrations that another process applies; default: not at all. */
  readonly migrationWaitMs?: number;
  /** Time to connect; default 15 s. */
  readonly connectMs?: number;
  /** Time in which the server's machine accepts a connection; default 2 s. */
  readonly acceptMs?: number;
  /** Time without a byte from the server after which a connection with a running query is closed; default 35 s. */
  readonly silenceMs?: number;
}

const statementTimeoutMs = 30_000;
/** The server ends a statement before this time and reports it, so a silent server is unreachable. */
const defaultSilenceMs = statementTimeoutMs + 5000;
const defaultConnectMs = 15_000;
/** The kernel accepts also for a busy server. Long enough for one lost packet, which TCP repeats after 1 s. */
const defaultAcceptMs = 2000;
const migrationPauseMs = 500;

/**
 * Opens a pool for one service's role and schema. The connection sets search_path, because adapter-pg ignores `?schema=` in
 * the URL. Statements time out after 30 s. A connection whose peer no longer responds is closed: an idle one after about 20 s by TCP
 * keepalive, one with a running query after `silenceMs`. Its query fails with a transient error.
 */
export function openDatabase(settings: DatabaseSettings): pg.Pool {
  const address = connectionOptions(settings.url, settings.password);
  const connectionTimeoutMillis = settings.connectMs ?? defaultConnectMs;
  // The same setting of the pool would also limit how long a query waits for a free connection (fair-pool.ts).
  class TimedClient extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      // The pool makes the password non-enumerable.
      const stream = () => createSocket(settings.acceptMs ?? defaultAcceptMs);
      super({ ...options, password: options?.password, connectionTimeoutMillis, stream });
    }
  }
  const pool = new FairPool({
    ...address,
    Client: TimedClient,
    max: settings.poolSize,
    // SSDs read randomly as fast as sequentially; the default of 4 makes plans scan large tables.
    options: `-c search_path=${settings.schema} -c statement_timeout=${statementTimeoutMs} -c random_page_cost=1.1 ${address.options ?? ''}`,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  // The pool replaces a broken connection. Without listeners its error would end the process: an idle connection reports it to
  // the pool, one in use to itself, besides the query that fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    closeWhenSilent(client, settings.silenceMs ?? defaultSilenceMs);
  });
  return pool;
}

/**
 * Creates a socket that is closed unless it connects within `acceptMs`. Packets to the address of a deleted pod are lost, and TCP would
 * send them there for minutes, while a new connection leads to the pod that replaces it.
 */
function createSocket(acceptMs: number): Socket {
  const socket = new Socket();
  const giveUp = () => {
    const error = new Error(`PostgreSQL did not accept a connection in ${acceptMs} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  };
  const timer = setTimeout(giveUp, acceptMs);
  for (const event of ['connect', 'close']) socket.once(event, () => clearTimeout(timer));
  return socket;
}

/**
 * Closes the connection of a query that gets no byte for `silenceMs`. pg's `query_timeout` is not enough: it leaves the connection open,
 * so that the ROLLBACK of a transaction waits as long again.
 */
function closeWhenSilent(client: pg.PoolClient, silenceMs: number): void {
  // Not in the types of pg: the socket, with TLS the one that encrypts, and whether no query is running.
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  const isIdle = () => (client as unknown as { readonly readyForQuery: boolean }).readyForQuery;
  connection.stream.setTimeout(silenceMs, () => {
    if (isIdle()) return;
    connection.stream.destroy(new Error(`Connection terminated: PostgreSQL was silent for ${silenceMs / 1000} s`));
  });
}

/** A service's connection pool and the Prisma client that uses it. */
export interface ServiceDatabase<Client> {
  readonly pool: pg.Pool;
  readonly prisma: Client;
  close(): Promise<void>;
}

/**
 * Opens a service's database and its Prisma client. Waits `migrationWaitMs` for PostgreSQL, the role and the newest of `migrations` (a
 * folder in Prisma's layout), and logs the cause whenever it changes. Throws one sentence when the schema is still older after that, and
 * at once when it is newer or the connection's TLS settings are wrong.
 */
export async function openMigrated<Client extends { $disconnect(): Promise<void> }>(
  settings: DatabaseSettings,
  migrations: string,
  clientOver: (pool: pg.Pool) => Client,
  log?: Pick<Logger, 'info'>,
): Promise<ServiceDatabase<Client>> {
  const known = migrationNames(migrations);
  const pool = openDatabase(settings);
  try {
    await retry(() => checkMigrated(pool, settings, known), {
      firstPauseMs: migrationPauseMs,
      maxPauseMs: migrationPauseMs,
      maxMs: settings.migrationWaitMs ?? 0,
      retryIf: (error) => !(error instanceof NewerSchemaError) && connectionMistake(error) === undefined,
      onNewCause: (cause) => log?.info(`waiting for the database: ${cause}`),
    });
  } catch (error) {
    await pool.end();
    const mistake = connectionMistake(error);
    throw mistake === undefined ? error : new Error(mistake);
  }
  const prisma = clientOver(pool);
  return {
    pool,
    prisma,
    async close() {
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

/** Throws one sentence unless the service's schema has exactly the migrations `known`, or more where that is allowed. */
async function checkMigrated(
  pool: pg.Pool,
  { schema, allowNewer = false }: Pick<DatabaseSettings, 'schema' | 'allowNewer'>,
  known: readonly string[],
): Promise<void> {
  const { rows } = await pool.query<{ migration_name: string; logs: string | null }>(
    `SELECT migration_name, logs FROM "${schema}"._prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
  );
  const applied = new Set(rows.map((row) => row.migration_name));
  const missing = known.findLast((name) => !applied.has(name));
  if (missing !== undefined) {
    throw new Error(
      `The database schema ${schema} is of an older version, it lacks migration ${missing}: run the migrations first`,
    );
  }
  refuseNewer(schema, rows, known, allowNewer);
}
