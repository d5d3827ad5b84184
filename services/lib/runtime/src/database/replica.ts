import { metrics } from '@opentelemetry/api';
import type pg from 'pg';
import type { Logger } from '../process/logger.ts';
import { messageOf } from '../rpc/errors.ts';
import { sql } from './sql.ts';

/** A pool of a database and the Prisma client that uses it. */
export interface PooledDatabase<Client> {
  readonly pool: pg.Pool;
  readonly prisma: Client;
}

/** A replica of a database for reads that may be some seconds old. */
export interface Replica<Client> {
  /** Runs `work` on the replica while it is fresh, otherwise on the primary. `work` may run twice: it must only read. */
  read<T>(work: (database: PooledDatabase<Client>) => Promise<T>): Promise<T>;
  /** Compares the replica with the primary. Call it at a fixed interval: what is read is at most about two intervals old. */
  check(): Promise<void>;
  close(): void;
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: the server stops or has cancelled the query for recovery.
const transientCodes = /^(08|57P0)|^40001$|^53300$/;

/** Returns whether the replica is the cause of an error, so that the primary may succeed. Errors of the statement itself have other codes. */
function isUnavailable(error: unknown): boolean {
  const { code, severity } = error as { readonly code?: unknown; readonly severity?: unknown };
  return severity === undefined || transientCodes.test(String(code));
}

/**
 * Opens a streaming replica of PostgreSQL. It is fresh when it has replayed everything that the primary had written at the previous
 * check. A replica that lags or is unreachable is not used until a check finds it fresh again.
 */
export function openReplica<Client>(
  primary: PooledDatabase<Client>,
  replica: PooledDatabase<Client>,
  log: Logger,
): Replica<Client> {
  let fresh = false;
  let position: string | undefined;
  const gauge = metrics.getMeter('husky.database').createObservableGauge('husky.replica.fresh', {
    description: '1: lists are read from the replica; 0: from the primary',
  });
  const observe: Parameters<typeof gauge.addCallback>[0] = (result) => result.observe(fresh ? 1 : 0);
  gauge.addCallback(observe);
  const setFresh = (next: boolean, why: string) => {
    if (fresh !== next)
      log[next ? 'info' : 'warn']({ fresh: next }, `lists are read from the ${next ? 'replica' : 'primary'}: ${why}`);
    fresh = next;
  };
  return {
    async read(work) {
      if (!fresh) return work(primary);
      try {
        return await work(replica);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        setFresh(false, messageOf(error));
        return work(primary);
      }
    },
    async check() {
      try {
        const previous = position;
        position = await readPosition(primary.pool);
        if (previous === undefined) return;
        const { rows } = await replica.pool.query<{ fresh: boolean | null }>(
          sql`SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= ${previous}::pg_lsn AS fresh`,
        );
        const isFresh = rows[0]?.fresh === true;
        setFresh(isFresh, isFresh ? 'it is up to date' : 'the replica lags behind');
      } catch (error) {
        setFresh(false, messageOf(error));
      }
    },
    close: () => gauge.removeCallback(observe),
  };
}

/** Returns the position up to which a primary has written. */
async function readPosition(pool: pg.Pool): Promise<string | undefined> {
  const { rows } = await pool.query<{ position: string }>('SELECT pg_current_wal_lsn()::text AS position');
  return rows[0]?.position;
}
