import { join } from 'node:path';
import { simulationService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { openService } from '@husky/runtime/process/open-service';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { access } from './access.ts';
import type { Config } from './config.ts';
import { type Context, createContext } from './context.ts';
import { isLadderOn, readSettings } from './event/store/settings.ts';
import { consumeUploadReady } from './events/upload-ready.ts';
import { consumeUserChanged } from './events/user-changed.ts';
import { PrismaClient } from './generated/client.ts';
import { readLadderState } from './ladder/store/reading.ts';
import { measureChain, measureLadder, measureQueue, measureRepetitions, measureTournaments } from './metrics.ts';
import { createHandlers } from './server.ts';
import { readQueue } from './store/backlog.ts';
import { readChainCheck } from './store/chain-check.ts';
import { ensureSigningKey, readHead } from './store/commitments.ts';
import { countRepetitions } from './store/repetitions.ts';
import { keepSeedLists } from './store/seed-lists.ts';
import { tournamentCounts } from './tournament/store/tournaments.ts';
import { QueueWaiters } from './work/queue-waiters.ts';
import { startWork } from './work/start-work.ts';

const migrations = join(import.meta.dirname, '../prisma/migrations');
const clientOver = (pool: pg.Pool) => new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'simulation' }) });

/** Starts the service. Returns the port and the context, for tests. */
export async function start(
  config: Config,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  injectedNow?: () => number,
  waiters: QueueWaiters = new QueueWaiters(),
): Promise<{ port: number; context: Context }> {
  const service = await openService(config, life, migrations, clientOver);
  const now = injectedNow ?? service.now;
  const context = createContext(service, config, { now, waiters });
  // A new platform commits to its first seeds before the first upload.
  if ((await readHead(context.pool)) === undefined) await keepSeedLists(context.pool, now());
  await ensureSigningKey(context.pool, now());
  startWork(service, life, context);
  life.onStop(
    'metrics of the queue',
    measureQueue(() => readQueue(context.pool, now())),
  );
  life.onStop(
    'metrics of the chain',
    measureChain(async () => {
      const check = await readChainCheck(context.pool);
      return check && { broken: check.problem !== '', ageSeconds: (now() - check.checkedAt.getTime()) / 1000 };
    }),
  );
  life.onStop(
    'metrics of repetitions',
    measureRepetitions(() => countRepetitions(context.pool)),
  );
  life.onStop(
    'metrics of the ladder',
    measureLadder(async () =>
      readLadderState(context.pool, isLadderOn(context, await readSettings(context.pool)), now()),
    ),
  );
  life.onStop(
    'metrics of tournaments',
    measureTournaments(() => tournamentCounts(context.pool, now())),
  );
  consumeUserChanged(service.messaging, context);
  consumeUploadReady(service.messaging, context);
  const port = await service.serve(simulationService, access, createHandlers(context));
  // Waiting claims end before the server closes, which waits for them.
  life.onStop('waiting runners', () => waiters.close());
  return { port, context };
}
