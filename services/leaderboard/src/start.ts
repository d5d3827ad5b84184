import { join } from 'node:path';
import { leaderboardService, simulationService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openService } from '@husky/runtime/open-service';
import { access } from './access.ts';
import type { LeaderboardConfig } from './config.ts';
import type { LeaderboardContext } from './context.ts';
import { consumeUserChanged } from './events/user-changed.ts';
import { settleHolds } from './holds.ts';
import { createHandlers } from './server.ts';
import { clientOver, entriesLock } from './store/database.ts';

const migrations = join(import.meta.dirname, '../prisma/migrations');

/** Opens the connections and serves. Returns the gRPC port and the context. */
export async function start(
  config: LeaderboardConfig,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  options: { readonly now?: () => Date; readonly settleMs?: number } = {},
): Promise<{ readonly port: number; readonly context: LeaderboardContext }> {
  const service = await openService(config, life, migrations, clientOver);
  const { pool, db, relay } = service;
  const { now = () => new Date(service.now()), settleMs = 30_000 } = options;
  const simulation = service.client(simulationService, config.simulationAddress);
  const transaction: LeaderboardContext['transaction'] = async (work) => {
    const result = await db.$transaction(async (tx) => {
      await tx.$executeRaw(entriesLock);
      return work(tx);
    });
    relay.kick();
    return result;
  };
  const context = { log: life.log, pool, db, transaction, sendEvents: relay.kick, simulation, now };
  consumeUserChanged(context, service.messaging);
  service.repeat('settling of holds', settleMs, () => settleHolds(context));
  const port = await service.serve(leaderboardService, access, createHandlers(context));
  return { port, context };
}
