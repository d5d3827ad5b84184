import { join } from 'node:path';
import { leaderboardService, simulationService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { openService } from '@husky/runtime/process/open-service';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { access } from './access.ts';
import type { LeaderboardConfig } from './config.ts';
import type { Context } from './context.ts';
import { consumeTournamentEnded } from './events/tournament-ended.ts';
import { consumeUserChanged } from './events/user-changed.ts';
import { PrismaClient } from './generated/client.ts';
import { settleHolds } from './holds.ts';
import { createHandlers } from './server.ts';

const migrations = join(import.meta.dirname, '../prisma/migrations');
const clientOver = (pool: pg.Pool) => new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'leaderboard' }) });

/** Opens the connections and serves. Returns the gRPC port and the context. */
export async function start(
  config: LeaderboardConfig,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  options: { readonly now?: () => number; readonly settleMs?: number } = {},
): Promise<{ readonly port: number; readonly context: Context }> {
  const service = await openService(config, life, migrations, clientOver);
  const { log, pool, prisma, relay } = service;
  const { now = service.now, settleMs = 30_000 } = options;
  const simulation = service.client(simulationService, config.simulationAddress);
  const context = { log, pool, prisma, relay, simulation, now };
  consumeUserChanged(context, service.messaging);
  consumeTournamentEnded(context, service.messaging);
  service.repeat('settling of holds', settleMs, () => settleHolds(context));
  const port = await service.serve(leaderboardService, access, createHandlers(context));
  return { port, context };
}
