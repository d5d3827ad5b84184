import type { ServiceContract } from '@husky/contracts/services';
import type pg from 'pg';
import type { AccessTable } from './access.ts';
import type { ServiceSettings } from './config.ts';
import { measureOutbox, measurePool } from './database-metrics.ts';
import { createRpcClient, type RpcClient } from './grpc-client.ts';
import type { Handlers } from './grpc-server.ts';
import { createSigner, type IdentitySigner } from './identity.ts';
import type { Lifecycle } from './lifecycle.ts';
import { connectNats, type Messaging, type NatsSettings } from './nats.ts';
import { startOutboxRelay } from './outbox.ts';
import { type Poison, park, startReplay } from './parked-messages.ts';
import { type DatabaseSettings, openMigrated } from './postgres.ts';
import { type Repeating, repeat } from './repeat.ts';
import { serve } from './serve.ts';
import { openTls } from './tls.ts';

export interface ServiceConfig {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats?: NatsSettings | undefined;
}

/** With pauses of 2, 4, 8, 16 and 30 s a message is parked about two minutes after its first delivery. */
const maxDeliveries = 8;

/** The parts that every service uses. `life` closes everything that is opened here, in reverse order. */
export interface OpenService<Db> {
  readonly pool: pg.Pool;
  readonly db: Db;
  /** Consumers stop with the service. */
  readonly messaging: Messaging;
  /** Call its `kick` after a commit to publish new events at once. */
  readonly relay: Repeating;
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
type PrismaClient = { $disconnect(): Promise<void> };

/**
 * Opens database, NATS and outbox relay of a service. Throws one sentence when the newest of `migrations` (a folder in
 * Prisma's layout) is not applied. `clientOver` creates the service's Prisma client. Without NATS settings there is no
 * messaging, and events stay in the outbox.
 */
export async function openService<Db extends PrismaClient>(
  config: ServiceConfig & { readonly nats: NatsSettings },
  life: Life,
  migrations: string,
  clientOver: (pool: pg.Pool) => Db,
): Promise<OpenService<Db>>;
export async function openService<Db extends PrismaClient>(
  config: ServiceConfig,
  life: Life,
  migrations: string,
  clientOver: (pool: pg.Pool) => Db,
): Promise<Omit<OpenService<Db>, 'messaging' | 'relay'>>;
export async function openService<Db extends PrismaClient>(
  { service, database, nats }: ServiceConfig,
  life: Life,
  migrations: string,
  clientOver: (pool: pg.Pool) => Db,
): Promise<Omit<OpenService<Db>, 'messaging' | 'relay'>> {
  const { log, onStop } = life;
  const { pool, db, close } = await openMigrated(database, migrations, clientOver);
  onStop('database', close);
  onStop('metrics of the database', measurePool(pool, database.schema));
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));
  const events = nats && (await openMessaging(life, nats, pool, database.schema));
  const tls = openTls(service.tls);
  const signer = createSigner(service.keyFile);
  return {
    pool,
    db,
    ...events,
    signer,
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
    serve: (contract, access, handlers) => serve(life, service, tls, contract, access, handlers),
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
    }
    const consumer = messaging.consume(event, durable, handle, poison);
    life.onStop(`consumer ${durable}`, () => consumer.stop());
    return consumer;
  };
  return { messaging: { ...messaging, consume }, relay };
}
