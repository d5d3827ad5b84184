import { join } from 'node:path';
import { poolService, simulationService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { openService } from '@husky/runtime/process/open-service';
import { access } from './access.ts';
import type { Config } from './config.ts';
import { createContext, type FleetTimes } from './context.ts';
import { createFleet } from './fleet/create-fleet.ts';
import type { Fleet } from './fleet/fleet.ts';
import { exportMetrics } from './metrics.ts';
import { createHandlers } from './server.ts';
import { clientOver } from './store/database.ts';

const migrations = join(import.meta.dirname, '../prisma/migrations');

type Life = Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>;

/** Opens the connections, serves, restores the fleet and starts autoscaling. Returns the gRPC port. */
export async function start(config: Config, life: Life, fleet?: Fleet, times?: FleetTimes): Promise<number> {
  const service = await openService(config, life, migrations, clientOver);
  const simulation = service.client(simulationService, config.addresses.simulation);
  const { pool, prisma, now } = service;
  const opened = fleet ?? (await createFleet(config, life.log, now));
  const context = createContext(config, life, { db: { pool, prisma }, simulation, fleet: opened, times, now });
  exportMetrics(context.autoscaler);
  // Before that, a new replica would respond that it does not know the runners.
  await opened.opened;
  const port = await service.serve(poolService, access, createHandlers(context));
  await context.restoreFleet();
  context.autoscaler.start();
  return port;
}
