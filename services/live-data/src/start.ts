import { join } from 'node:path';
import { jobEnded, userChanged } from '@husky/contracts/events';
import { liveDataService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { openService } from '@husky/runtime/process/open-service';
import { access } from './access.ts';
import type { Config } from './config.ts';
import { measureDatabaseServer } from './database-server-metrics.ts';
import { onJobEnded, onUserChanged } from './events/job-ended.ts';
import { openContext } from './open-context.ts';
import { createHandlers } from './server.ts';
import { clientOver } from './store/database.ts';
import { startWork } from './work/start-work.ts';

const migrations = join(import.meta.dirname, '../prisma/migrations');

/** Starts the service and returns its port. */
export async function start(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  ownNow?: () => number,
): Promise<number> {
  const service = await openService(config, life, migrations, clientOver);
  life.onStop('metrics of the database server', measureDatabaseServer(service.pool));
  const stopping = new AbortController();
  const now = ownNow ?? service.now;
  const context = openContext(service, config, { now, stopping: stopping.signal });
  life.onStop('locks of background work', () => context.workLocks.close());
  service.messaging.consume(jobEnded, 'live_data_job_ended', (event) => onJobEnded(context, event));
  service.messaging.consume(userChanged, 'live_data_user_changed', (event) => onUserChanged(context, event));
  startWork(service, life, context);
  const port = await service.serve(liveDataService, access, createHandlers(context));
  // Ends the streams to watchers first, so that the server can close.
  life.onStop('streams', () => stopping.abort());
  return port;
}
