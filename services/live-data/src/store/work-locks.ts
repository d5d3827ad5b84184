import { type DatabaseSettings, openDatabase } from '@husky/runtime/database/postgres';
import { type Sql, sql } from '@husky/runtime/database/sql';
import type pg from 'pg';

/**
 * Advisory locks of background work. Those of one replica are on one connection beside the pool, open while there are any: work can take
 * hours and does not use the connection of its lock, which the pool would count as a running call of the platform.
 */
export class WorkLocks {
  readonly #pool: pg.Pool;
  readonly #names = new Set<string>();
  #session: LockSession | undefined;

  constructor(settings: DatabaseSettings) {
    this.#pool = openDatabase({ ...settings, poolSize: 1 });
  }

  /**
   * Runs `work` while holding the lock `name`; does nothing if it is held, by another replica or here. PostgreSQL frees the locks of a
   * connection that is lost: their work is finished without them, and then rejects.
   */
  async run(name: string, work: () => Promise<void>): Promise<void> {
    // PostgreSQL grants a lock again to the connection that has it.
    if (this.#names.has(name)) return;
    this.#names.add(name);
    if (this.#session === undefined || this.#session.closed) this.#session = new LockSession(this.#pool);
    const session = this.#session;
    session.users += 1;
    const lock = sql`hashtext(${`husky.live_data.${name}`})`;
    try {
      if (!(await session.query(sql`SELECT pg_try_advisory_lock(${lock}) AS done`))) return;
      try {
        await work();
      } finally {
        await session.query(sql`SELECT pg_advisory_unlock(${lock}) AS done`);
      }
    } finally {
      this.#names.delete(name);
      session.users -= 1;
      if (session.users === 0) session.close();
    }
  }

  /** Call it when no work runs. */
  async close(): Promise<void> {
    await this.#pool.end();
  }
}

class LockSession {
  users = 0;
  closed = false;
  readonly #client: Promise<pg.PoolClient>;
  #failure: Error | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool) {
    this.#client = pool.connect();
    const lose = (error: Error) => this.close(error);
    this.#client.then((client) => client.once('error', lose), lose);
  }

  /**
   * Runs a statement, after those before it, and returns its `done`. Closes the connection after an error, since it may still have the
   * lock.
   */
  query(statement: Sql): Promise<boolean> {
    const done = this.#last.then(() => this.#run(statement));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #run(statement: Sql): Promise<boolean> {
    const client = await this.#client;
    if (this.#failure !== undefined) throw new Error('the locks were lost', { cause: this.#failure });
    try {
      const { rows } = await client.query<{ done: boolean }>(statement);
      return rows[0]?.done === true;
    } catch (error) {
      this.close(error as Error);
      throw error;
    }
  }

  /** Idempotent. `failure`: why statements of work in progress fail. */
  close(failure?: Error): void {
    if (this.closed) return;
    this.closed = true;
    this.#failure = failure;
    this.#client.then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}
