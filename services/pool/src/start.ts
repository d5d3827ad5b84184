import { join } from 'node:path';
import { poolService, simulationService } from '@husky/contracts/services';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { createSigner } from '@husky/runtime/identity';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { connectNats } from '@husky/runtime/nats';
import { startOutboxRelay } from '@husky/runtime/outbox';
import { openMigrated } from '@husky/runtime/postgres';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { access } from './access.ts';
import type { Config } from './config.ts';
import { createContext, type FleetTimes } from './context.ts';
import { createFleet } from './fleet/create-fleet.ts';
import type { Fleet } from './fleet/fleet.ts';
import { exportMetrics } from './metrics.ts';
import { createHandlers } from './server.ts';
import { clientOver, schema } from './store/database.ts';

type Life = Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>;

/** Opens the connections, serves, restores the fleet and starts autoscaling. Returns the gRPC port. */
export async function start(config: Config, life: Life, fleet?: Fleet, times?: FleetTimes): Promise<number> {
  const { log } = life;
  const migrations = join(import.meta.dirname, '../prisma/migrations');
  const { pool, db: prisma, close } = await openMigrated(config.database, migrations, clientOver);
  life.onStop('database', close);
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));
  if (config.nats !== undefined) {
    const messaging = await connectNats(config.nats, log, schema);
    life.onStop('nats', () => messaging.close());
    const relay = startOutboxRelay(pool, messaging, log);
    life.onStop('outbox relay', () => relay.stop());
  }
  const tls = openTls(config.service.tls);
  const signer = createSigner(config.service.keyFile);
  const simulation = createRpcClient(simulationService, config.addresses.simulation, signer, tls);
  life.onStop('simulation client', () => simulation.close());

  const db = { prisma, pool };
  const context = createContext(config, life, { db, simulation, fleet: fleet ?? createFleet(config, log), times });
  exportMetrics(context.autoscaler);
  const port = await serve(life, config.service, tls, poolService, access, createHandlers(context));
  await context.restoreFleet();
  context.autoscaler.start();
  return port;
}
