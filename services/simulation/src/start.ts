import { join } from 'node:path';
import { authService, liveDataService, simulationService, submissionService } from '@husky/contracts/services';
import { createRpcClient } from '@husky/runtime/grpc-client';
import { createSigner } from '@husky/runtime/identity';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openMessaging } from '@husky/runtime/messaging';
import { openMigrated } from '@husky/runtime/postgres';
import { repeat } from '@husky/runtime/repeat';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { PrismaPg } from '@prisma/adapter-pg';
import { access } from './access.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { consumeUserChanged } from './events/user-changed.ts';
import { PrismaClient } from './generated/client.ts';
import { createHandlers } from './server.ts';
import { workOnBatches } from './work/batch-worker.ts';
import { prepareJobs } from './work/preparer.ts';
import { listenToQueue } from './work/queue-listener.ts';
import { QueueWaiters } from './work/queue-waiters.ts';
import { sweep } from './work/sweeper.ts';

const schema = 'simulation';
const sweepMs = 3000;
const workMs = 1000;

/** Opens everything, serves, and answers the port and the context. */
export async function start(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  now: () => number = Date.now,
  waiters: QueueWaiters = new QueueWaiters(),
): Promise<{ port: number; context: Context }> {
  const { log } = life;
  const migrations = join(import.meta.dirname, '../prisma/migrations');
  const opened = await openMigrated(config.database, migrations, (over) => {
    return new PrismaClient({ adapter: new PrismaPg(over, { schema }) });
  });
  const { pool, db: prisma } = opened;
  life.onStop('database', () => opened.close());
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));

  const { messaging, relay } = await openMessaging(life, config.nats, pool, schema);

  const tls = openTls(config.service.tls);
  const signer = createSigner(config.service.keyFile);
  const auth = createRpcClient(authService, config.AUTH_ADDRESS, signer, tls);
  const submission = createRpcClient(submissionService, config.SUBMISSION_ADDRESS, signer, tls);
  const liveData = createRpcClient(liveDataService, config.LIVE_DATA_ADDRESS, signer, tls);
  for (const client of [auth, submission, liveData]) life.onStop('client', () => client.close());

  const listener = listenToQueue(pool, waiters, log);
  life.onStop('queue listener', () => listener.stop());

  let kickWorker: () => void = () => undefined;
  const worker = { kick: () => kickWorker() };
  const { settings } = config;
  const context: Context = {
    ...{ log, pool, prisma, signer, auth, submission, liveData, waiters, settings, relay, worker, now },
  };
  const preparing = repeat('preparing', workMs, log, async () => (await prepareJobs(context)) > 0);
  const batches = repeat('batches', workMs, log, () => workOnBatches(context));
  kickWorker = () => {
    preparing.kick();
    batches.kick();
  };
  life.onStop('preparer', () => preparing.stop());
  life.onStop('batch worker', () => batches.stop());
  const sweeping = repeat('sweeping', sweepMs, log, async () => {
    await sweep(context);
    return false;
  });
  life.onStop('sweeper', () => sweeping.stop());
  const consumer = consumeUserChanged(messaging, context);
  life.onStop('consumer', () => consumer.stop());

  const port = await serve(life, config.service, tls, simulationService, access, createHandlers(context));
  // Runners that wait are answered first, so that the server can close.
  life.onStop('waiting runners', () => waiters.close());
  return { port, context };
}
