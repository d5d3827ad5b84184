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
  readonly nats: NatsSettings;
}

/** What every service is made of. Everything opened here is closed by `life`, the last first. */
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

/**
 * Opens database, NATS and outbox relay of a service. Throws one sentence when the newest of `migrations` (a folder in
 * Prisma's layout) is not applied. `clientOver` makes the service's Prisma client.
 */
export async function openService<Db extends { $disconnect(): Promise<void> }>(
  { service, database, nats }: ServiceConfig,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  migrations: string,
  clientOver: (pool: pg.Pool) => Db,
): Promise<OpenService<Db>> {
  const { log, onStop } = life;
  const { pool, db, close } = await openMigrated(database, migrations, clientOver);
  onStop('database', close);
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));
  const { messaging, relay } = await openMessaging(life, nats, pool, database.schema);
  const tls = openTls(service.tls);
  const signer = createSigner(service.keyFile);
  return {
    pool,
    db,
    messaging,
    relay,
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
