import type { ServiceContract } from '@husky/contracts/services';
import type pg from 'pg';
import type { AccessTable } from './access.ts';
import type { ServiceSettings } from './config.ts';
import { createRpcClient, type RpcClient } from './grpc-client.ts';
import { createGrpcServer, type Handlers } from './grpc-server.ts';
import { createSigner, createVerifier, type IdentitySigner } from './identity.ts';
import type { Lifecycle } from './lifecycle.ts';
import { openMessaging } from './messaging.ts';
import type { Messaging, NatsSettings } from './nats.ts';
import { type DatabaseSettings, openMigrated } from './postgres.ts';
import { type Repeating, repeat } from './repeat.ts';
import { openTls } from './tls.ts';

export interface ServiceConfig {
  readonly service: ServiceSettings;
  readonly database: DatabaseSettings;
  readonly nats?: NatsSettings | undefined;
}

/** What every service is made of. Everything opened here is closed by `life`, in reverse order. */
export interface OpenService<Db> {
  readonly pool: pg.Pool;
  readonly db: Db;
  /** Consumers stop with the service. */
  readonly messaging: Messaging;
  /** Kick it after a commit to publish new events at once. */
  readonly relay: Repeating;
  readonly signer: IdentitySigner;
  /** A client of another service. */
  client<D>(contract: ServiceContract<D>, address: string): RpcClient<D>;
  /** Background work, see repeat(). */
  repeat(name: string, everyMs: number, work: Parameters<typeof repeat>[3]): Repeating;
  /** Serves a contract to callers whose identity is meant for it; returns the port. */
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
 * Prisma's layout) is not applied. `clientOver` makes the service's Prisma client. Without NATS settings there is no
 * messaging, and events wait in the outbox.
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
    async serve(contract, access, handlers) {
      const server = createGrpcServer({ verifier: createVerifier(service.trustFile, contract.name), log, tls });
      server.add(contract, access, handlers);
      const port = await server.listen(service.grpcAddress);
      onStop('grpc server', () => server.close());
      log.info({ port }, `${contract.name} is serving`);
      return port;
    },
  };
}
