import type { ServiceContract } from '@husky/contracts/services';
import type pg from 'pg';
import { openDatabaseClock } from '../database/database-clock.ts';
import { measureOutbox, measureParkedMessages, measurePool } from '../database/database-metrics.ts';
import { type DatabaseSettings, openMigrated } from '../database/postgres.ts';
import { connectNats, type Messaging, type NatsSettings } from '../messages/nats.ts';
import { startOutboxRelay } from '../messages/outbox.ts';
import { type Poison, park, startReplay } from '../messages/parked-messages.ts';
import type { AccessTable } from '../rpc/access.ts';
import { createRpcClient, type RpcClient } from '../rpc/grpc-client.ts';
import { createGrpcServer, type Handlers } from '../rpc/grpc-server.ts';
import { createSigner, createVerifier, type IdentitySigner } from '../rpc/identity.ts';
import { openTls, type Tls } from '../rpc/tls.ts';
import type { ServiceSettings } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './logger.ts';
import { type Repeating, repeat } from './repeat.ts';

export interface ServiceConfig {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats?: NatsSettings | undefined;
}

/** With pauses of 2, 4, 8, 16 and 30 s a message is parked about two minutes after its first delivery. */
const maxDeliveries = 8;
const clockReadMs = 10_000;

/** What the handlers of every service get; each service's Context extends it. */
export interface ServiceContext<Client> {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly prisma: Client;
  /** Wakes the outbox relay. Call it after a commit to publish new events at once. */
  readonly relay: { kick(): void };
  /** Returns the time of the database, ms since the epoch: a step of this machine's clock does not move it. */
  now(): number;
}

/** The parts that every service uses. `life` closes everything that is opened here, in reverse order. */
export interface OpenService<Client> extends ServiceContext<Client> {
  /** Consumers stop with the service. */
  readonly messaging: Messaging;
  readonly signer: IdentitySigner;
  /** Creates a client of another service; closed with this service. */
  client<D>(contract: ServiceContract<D>, address: string): RpcClient<D>;
  /** Background work, see repeat(). */
  repeat(name: string, everyMs: number, work: Parameters<typeof repeat>[3]): Repeating;
  /** Serves a contract to callers whose identity token names this service as its audience; returns the port. */
  serve<D, A extends AccessTable<D>>(
    contract: ServiceContract<D>,
    access: A,
    handlers: Handlers<D, A>,
  ): Promise<number>;
}

type Life = Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>;
type Closeable = { $disconnect(): Promise<void> };

/**
 * Opens database, NATS and outbox relay of a service. Throws one sentence when the newest of `migrations` (a folder in
 * Prisma's layout) is not applied. `clientOver` creates the service's Prisma client. Without NATS settings there is no
 * messaging, and events stay in the outbox.
 */
export async function openService<Client extends Closeable>(
  config: ServiceConfig & { readonly nats: NatsSettings },
  life: Life,
  migrations: string,
  clientOver: (pool: pg.Pool) => Client,
): Promise<OpenService<Client>>;
export async function openService<Client extends Closeable>(
  config: ServiceConfig,
  life: Life,
  migrations: string,
  clientOver: (pool: pg.Pool) => Client,
): Promise<Omit<OpenService<Client>, 'messaging' | 'relay'>>;
export async function openService<Client extends Closeable>(
  { service, database, nats }: ServiceConfig,
  life: Life,
  migrations: string,
  clientOver: (pool: pg.Pool) => Client,
): Promise<Omit<OpenService<Client>, 'messaging' | 'relay'>> {
  const { log, onStop } = life;
  const { pool, prisma, close } = await openMigrated(database, migrations, clientOver, log);
  onStop('database', close);
  onStop('metrics of the database', measurePool(pool, database.schema));
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));
  const clock = await openDatabaseClock(pool);
  const reading = repeat('reading the clock of the database', clockReadMs, log, () => clock.read());
  onStop('clock of the database', () => reading.stop());
  const events = nats && (await openMessaging(life, nats, pool, database.schema));
  const tls = openTls(service.tlsFolder);
  const signer = createSigner(service.keyFile, clock.now);
  return {
    log,
    pool,
    prisma,
    ...events,
    signer,
    now: clock.now,
    client(contract, address) {
      const client = createRpcClient(contract, address, signer, tls);
      onStop(`client of ${contract.name}`, () => client.close());
      return client;
    },
    repeat(name, everyMs, work) {
      const repeating = repeat(name, everyMs, log, work);
      onStop(name, () => repeating.stop());
      return repeating;
    },
    serve: (contract, access, handlers) => serve({ ...life, now: clock.now }, service, tls, contract, access, handlers),
  };
}

/**
 * Connects to NATS and starts the outbox relay until the service stops; consumers are stopped first. The service is ready
 * only while NATS responds. `domain` names the service's stream.
 */
async function openMessaging(
  life: Life,
  settings: NatsSettings,
  pool: pg.Pool,
  domain: string,
): Promise<{ readonly messaging: Messaging; readonly relay: Repeating }> {
  const messaging = await connectNats(settings, life.log, domain);
  life.onStop('nats', () => messaging.close());
  life.readyWhen('nats', async () => {
    if (messaging.connection.isClosed()) throw new Error('the connection is closed');
    await messaging.connection.flush();
  });
  const relay = startOutboxRelay(pool, messaging, life.log);
  life.onStop('outbox relay', () => relay.stop());
  life.onStop('metrics of the outbox', measureOutbox(pool));
  const handlers = new Map<string, (payload: Uint8Array) => Promise<void>>();
  const poison = { maxDeliveries, park: (message: Poison) => park(pool, message) };
  const consume: Messaging['consume'] = (event, durable, handle) => {
    handlers.set(durable, (payload) => handle(event.decode(payload)));
    if (handlers.size === 1) {
      const replay = startReplay(pool, handlers, life.log);
      life.onStop('replay of parked messages', () => replay.stop());
      life.onStop('metrics of parked messages', measureParkedMessages(pool));
    }
    const consumer = messaging.consume(event, durable, handle, poison);
    life.onStop(`consumer ${durable}`, () => consumer.stop());
    return consumer;
  };
  return { messaging: { ...messaging, consume }, relay };
}

/** Serves a contract until the service stops. Callers need an identity that was signed for this service. Returns the port. */
export async function serve<D, A extends AccessTable<D>>(
  { log, onStop, now }: Pick<Lifecycle, 'log' | 'onStop'> & { now?(): number },
  { grpcAddress, trustFile }: Pick<ServiceSettings, 'grpcAddress' | 'trustFile'>,
  tls: Tls | undefined,
  contract: ServiceContract<D>,
  access: A,
  handlers: Handlers<D, A>,
): Promise<number> {
  const server = createGrpcServer({ verifier: createVerifier(trustFile, contract.name, now), log, tls });
  server.add(contract, access, handlers);
  const port = await server.listen(grpcAddress);
  onStop('grpc server', () => server.close());
  log.info({ port }, `${contract.name} is serving`);
  return port;
}
