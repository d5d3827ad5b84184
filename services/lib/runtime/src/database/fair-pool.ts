import { connect } from 'node:net';
import pg from 'pg';
import { isCancelledStatement } from '../process/retry.ts';
import { type Admission, createAdmission } from '../rpc/admission.ts';
import { currentLimits, currentWork } from '../rpc/call-context.ts';

type Checkout = (error: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void;

/** Connections that calls of visitors leave to runners, services and background work. */
const reserved = 2;
/** A handler may hold a connection with a lock while it needs another one. */
const minForVisitors = 2;
/** Longest wait of work without a deadline, as long as a statement may take. */
const maxWaitMs = 30_000;
const cancelMs = 5000;
const cancelRequest = 80_877_102;

/**
 * A pool that shares its connections between visitors and the platform, and among accounts and addresses, and gives none to a call that is
 * over. A query waits for a connection in the queue of its class: visitors never have all connections, so that results of runners do not wait for readers. The
 * wait ends with query_canceled at the deadline of the current call (call-context.ts) or when its caller leaves, and with
 * too_many_connections after 30 s. The statement of a read whose caller leaves is cancelled at the server.
 */
export class FairPool extends pg.Pool {
  readonly #admission: Admission;

  constructor(config: pg.PoolConfig & { readonly max: number }) {
    super(config);
    const { max } = config;
    this.#admission = createAdmission({
      limit: () => max,
      maxRunning: { visitors: Math.min(max, Math.max(minForVisitors, max - reserved)) },
      share: { account: 1 / 2, address: 2 / 3 },
      maxWaiting: 1000,
      maxWaitMs,
    });
    // A property of the prototype that the types do not allow to override. No query waits in the queue of pg itself.
    Object.defineProperty(this, 'waitingCount', { get: () => this.#admission.waiting });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Checkout): void;
  override connect(callback?: Checkout): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (callback === undefined) return connecting;
    connecting.then(
      (client) => callback(undefined, client, () => client.release()),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const { signal } = currentLimits();
    const leave = await this.#enter();
    const client = await super.connect().catch((error: unknown) => {
      leave();
      throw error;
    });
    releaseWith(client, signal, leave);
    if (signal?.aborted) {
      client.release();
      throw noConnection(true);
    }
    return client;
  }

  async #enter(): Promise<() => void> {
    const { signal, deadlineMs, visitor } = currentLimits();
    const work = currentWork() ?? { connections: 0 };
    // Work that holds a connection would otherwise wait for its own account.
    const options = { signal, maxMs: Math.max(0, deadlineMs - Date.now()), beyondShare: work.connections > 0 };
    const leave = await this.#admission.enter(visitor ? 'visitors' : 'platform', options).catch(() => {
      throw noConnection(signal?.aborted || Date.now() >= deadlineMs);
    });
    work.connections += 1;
    return () => {
      work.connections -= 1;
      leave();
    };
  }
}

/** Creates an error with PostgreSQL's code for query_canceled or too_many_connections: Prisma keeps nothing else of an error of the pool. */
const noConnection = (isOver = false) =>
  Object.assign(new Error(`no connection to the database: ${isOver ? 'the call is over' : 'all are in use'}`), {
    code: isOver ? '57014' : '53300',
  });

/**
 * Calls `leave` with the release of a connection. Until then its statement is cancelled when `signal` aborts. A cancelled statement leaves
 * its connection open, because many new connections would delay the reads of a busy server further. pg would close it.
 */
function releaseWith(client: pg.PoolClient, signal: AbortSignal | undefined, leave: () => void): void {
  const release = client.release.bind(client);
  // A cancellation that arrives late must not hit the next statement of this connection.
  let cancelled: Promise<boolean> | undefined;
  const cancel = () => {
    cancelled = cancelStatement(client);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  client.release = (error) => {
    signal?.removeEventListener('abort', cancel);
    const failure = isCancelledStatement(error) && client.getTransactionStatus() === 'I' ? undefined : error;
    const end = (processed: boolean) => {
      release(failure ?? !processed);
      leave();
    };
    if (cancelled === undefined) end(true);
    else void cancelled.then(end);
  };
}

/**
 * Asks PostgreSQL to cancel the running statement of a connection. The request has a connection of its own and no TLS, which PostgreSQL
 * accepts from a client that must otherwise use it
 * (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-CANCELING-REQUESTS). Resolves true once PostgreSQL has
 * processed it, which closes the request's connection, and false if it fails: the statement then ends with its statement_timeout.
 */
function cancelStatement(client: pg.PoolClient): Promise<boolean> {
  // Not in the types of pg.
  const { host, port, processID, secretKey } = client as unknown as Record<
    'port' | 'processID' | 'secretKey',
    number
  > & {
    readonly host: string;
  };
  const message = Buffer.alloc(16);
  for (const [index, value] of [16, cancelRequest, processID, secretKey].entries())
    message.writeInt32BE(value, 4 * index);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(cancelMs, () => socket.destroy(new Error('PostgreSQL is silent')));
  socket.on('error', () => undefined);
  socket.on('close', (failed) => resolve(!failed));
  socket.resume().end(message);
  return promise;
}
