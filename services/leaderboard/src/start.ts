import { leaderboardService, simulationService } from '@husky/contracts/services';
import { messageOf } from '@husky/runtime/errors';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { createSigner } from '@husky/runtime/identity';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openMessaging } from '@husky/runtime/messaging';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { access } from './access.ts';
import { settleBatchHolds } from './batch-holds.ts';
import type { LeaderboardConfig } from './config.ts';
import type { LeaderboardContext } from './context.ts';
import { consumeUserChanged } from './events/user-changed.ts';
import { settleHolds } from './holds.ts';
import { createHandlers } from './server.ts';
import { entriesLockSql, openLeaderboardDatabase } from './store/database.ts';

export interface Running {
  readonly port: number;
  readonly context: LeaderboardContext;
}

/** Opens everything and serves. */
export async function start(
  config: LeaderboardConfig,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  options: { readonly now?: () => Date; readonly settleMs?: number } = {},
): Promise<Running> {
  const { log } = life;
  const { pool, db, close } = await openLeaderboardDatabase(config.database);
  life.onStop('database', close);
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));

  const { messaging, relay } = await openMessaging(life, config.nats, pool, 'leaderboard');

  const tls = openTls(config.service.tls);
  const signer = createSigner(config.service.keyFile);
  const simulation = createRpcClient(simulationService, config.simulationAddress, signer, tls);
  life.onStop('simulation client', () => simulation.close());

  const context: LeaderboardContext = {
    log,
    pool,
    db,
    async transaction(work) {
      const result = await db.$transaction(async (tx) => {
        await tx.$executeRawUnsafe(entriesLockSql);
        return work(tx);
      });
      relay.kick();
      return result;
    },
    sendEvents: () => relay.kick(),
    simulation,
    now: options.now ?? (() => new Date()),
  };
  const consumer = consumeUserChanged(context, messaging);
  life.onStop('consumer of user_changed', () => consumer.stop());

  const settling = setInterval(() => {
    settleHolds(context)
      .then(() => settleBatchHolds(context))
      .catch((error: unknown) => log.warn(`holds are settled later: ${messageOf(error)}`));
  }, options.settleMs ?? 30_000);
  life.onStop('settling of holds', () => clearInterval(settling));

  const port = await serve(life, config.service, tls, leaderboardService, access, createHandlers(context));
  return { port, context };
}
