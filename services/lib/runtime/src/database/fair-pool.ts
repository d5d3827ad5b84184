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
/** The part of the connections of a class that one account and one address may hold. */
const share = { account: 1 / 2, address: 2 / 3 };
const maxWaiting = 1000;
/** Longest wait of work without a deadline, as long as a statement may take. */
const maxWaitMs = 30_000;
const cancelMs = 5000;

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
    const ofVisitors = Math.min(max, Math.max(minForVisitors, max - reserved));
    const maxRunning = { visitors: ofVisitors };
    this.#admission = createAdmission({
      limit: () => max,
      maxRunning,
      share,
      maxWaiting,
      maxWaitMs,
      standingWaitMs: maxWaitMs,
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
    const { signal, deadlineMs, visitor } = currentLimits();
    const leave = countedIn(currentWork(), await this.#enter(visitor ? 'visitors' : 'platform', signal, deadlineMs));
    const client = await super.connect().catch((error: unknown) => {
      leave();
      throw error;
    });
    releaseWith(client, signal, leave);
    if (signal?.aborted) {
      client.release();
      throw noConnection(queryCancelled, callIsOver);
    }
    return client;
  }

  async #enter(name: string, signal: AbortSignal | undefined, deadlineMs: number): Promise<() => void> {
    try {
      // Work that holds a connection would otherwise wait for its own account.
      const beyondShare = (currentWork()?.connections ?? 0) > 0;
      return await this.#admission.enter(name, { signal, maxMs: Math.max(0, deadlineMs - Date.now()), beyondShare });
    } catch {
      const over = signal?.aborted || Date.now() >= deadlineMs;
      throw over ? noConnection(queryCancelled, callIsOver) : noConnection(tooManyConnections, 'all are in use');
    }
  }
}

/** Counts a connection for the work that holds it. Returns `leave`, which ends that. */
function countedIn(work: { connections: number } | undefined, leave: () => void): () => void {
  if (work === undefined) return leave;
  work.connections += 1;
  return () => {
    work.connections -= 1;
    leave();
  };
}

// Codes of PostgreSQL, because Prisma keeps nothing else of an error of the pool.
const queryCancelled = '57014';
const tooManyConnections = '53300';
const callIsOver = 'the call is over';

const noConnection = (code: string, why: string) =>
  Object.assign(new Error(`no connection to the database: ${why}`), { code });

/**
 * Calls `leave` with the release of a connection. Until then its statement is cancelled when `signal` aborts. A cancelled statement leaves
 * its connection open, because many new connections would delay the reads of a busy server further. pg would close it.
 */
function releaseWith(client: pg.PoolClient, signal: AbortSignal | undefined, leave: () => void): void {
  const release = client.release.bind(client);
  let cancelling: Promise<boolean> | undefined;
  const cancel = () => {
    cancelling = cancelStatement(client);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  client.release = (error) => {
    signal?.removeEventListener('abort', cancel);
    const failure = isCancelledStatement(error) && client.getTransactionStatus() === 'I' ? undefined : error;
    const end = (processed: boolean) => {
      release(failure ?? !processed);
      leave();
    };
    // A cancellation that arrives late must not hit the next statement of this connection.
    if (cancelling === undefined) end(true);
    else void cancelling.then(end);
  };
}

const cancelRequest = 80_877_102;

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
  for (const [index, value] of [message.length, cancelRequest, processID, secretKey].entries()) {
    message.writeInt32BE(value, 4 * index);
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(cancelMs, () => socket.destroy(new Error('PostgreSQL is silent')));
  socket.on('error', () => undefined);
  socket.on('close', (failed) => resolve(!failed));
  socket.resume().end(message);
  return promise;
}
