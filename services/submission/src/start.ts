import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { submissionService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/process/lifecycle';
import { openService } from '@husky/runtime/process/open-service';
import { messageOf } from '@husky/runtime/rpc/errors';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { access } from './access.ts';
import type { Config } from './config.ts';
import { createContext } from './context.ts';
import { consumeEvents } from './events/consume-events.ts';
import { PrismaClient } from './generated/client.ts';
import { createHandlers } from './server.ts';
import { collectGarbage } from './store/garbage.ts';
import { deleteOldUploads } from './store/quota.ts';
import { SubmissionPreparation } from './work/prepare-submissions.ts';

const migrations = join(import.meta.dirname, '../prisma/migrations');
export const clientOver = (pool: pg.Pool) =>
  new PrismaClient({ adapter: new PrismaPg(pool, { schema: 'submission' }) });
const collectEveryMs = 10 * 60_000;
const graceMs = 60 * 60_000;
const prepareEveryMs = 2000;

/** Starts the service and returns its port. */
export async function start(config: Config, life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>): Promise<number> {
  const service = await openService(config, life, migrations, clientOver);
  const { pool, now } = service;
  // Programs of a process that was killed may still write for a moment.
  await rm(config.WORK_DIR, { recursive: true, force: true, maxRetries: 10 }).catch((error: unknown) => {
    life.log.warn({ err: error }, `a folder was left: ${messageOf(error)}`);
  });
  const context = await createContext(config, service);
  consumeEvents(service.messaging, pool);
  const preparation = new SubmissionPreparation(context);
  context.preparation.add(service.repeat('preparing submissions', prepareEveryMs, () => preparation.next()));
  preparation.onFree = () => context.preparation.kick();
  life.onStop('submissions in preparation', () => preparation.stop());
  service.repeat('collecting garbage', collectEveryMs, async () => {
    await collectGarbage(pool, new Date(now() - graceMs));
    await deleteOldUploads(pool, now());
  });
  return service.serve(submissionService, access, createHandlers(context));
}
