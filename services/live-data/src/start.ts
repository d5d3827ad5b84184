import { join } from 'node:path';
import { jobEnded } from '@husky/contracts/events';
import { liveDataService, simulationService } from '@husky/contracts/services';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { createSigner } from '@husky/runtime/identity';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openMessaging } from '@husky/runtime/messaging';
import { openMigrated } from '@husky/runtime/postgres';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { access } from './access.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { onJobEnded } from './events/job-ended.ts';
import { MatchFeeds } from './live/match-feed.ts';
import { createHandlers } from './server.ts';
import { clientOver, schema } from './store/database.ts';

/** Opens everything, serves, and answers the port. */
export async function start(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  now: () => number = Date.now,
): Promise<number> {
  const { log } = life;
  const migrations = join(import.meta.dirname, '../prisma/migrations');
  const { pool, db: prisma, close } = await openMigrated(config.database, migrations, clientOver);
  life.onStop('database', close);
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));

  const { messaging, relay } = await openMessaging(life, config.nats, pool, schema);

  const tls = openTls(config.service.tls);
  const signer = createSigner(config.service.keyFile);
  const simulation = createRpcClient(simulationService, config.simulationAddress, signer, tls);
  life.onStop('simulation client', () => simulation.close());

  const stopping = new AbortController();
  const db = { prisma, pool };
  const feeds = new MatchFeeds(db, messaging);
  const context: Context = { log, db, simulation, messaging, feeds, relay, now, stopping: stopping.signal };
  const ended = messaging.consume(jobEnded, 'live_data_job_ended', (event) => onJobEnded(context, event));
  life.onStop('events', () => ended.stop());

  const port = await serve(life, config.service, tls, liveDataService, access, createHandlers(context));
  // Streams to watchers are ended first, so that the server can close.
  life.onStop('streams', () => stopping.abort());
  return port;
}
