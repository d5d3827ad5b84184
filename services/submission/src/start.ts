import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { submissionService } from '@husky/contracts/services';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openMessaging } from '@husky/runtime/messaging';
import { newestMigration } from '@husky/runtime/migrations';
import { checkMigrated, openDatabase } from '@husky/runtime/postgres';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { access } from './access.ts';
import type { Config } from './config.ts';
import { createContext } from './create-context.ts';
import { consumeJobEnded } from './events/job-ended.ts';
import { consumeQuotaChanged } from './events/quota-changed.ts';
import { consumeSettingsChanged } from './events/settings-changed.ts';
import { consumeUserChanged } from './events/user-changed.ts';
import { createHandlers } from './server.ts';
import { collectGarbage } from './store/garbage.ts';
import { forgetUploads } from './store/quotas.ts';

const schema = 'submission';
const collectEveryMs = 10 * 60 * 1000;
const collectGraceMs = 60 * 60 * 1000;

/** Opens everything, serves, and answers the port. */
export async function start(config: Config, life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>): Promise<number> {
  const { log } = life;
  const pool = openDatabase(config.database);
  life.onStop('database', () => pool.end());
  await checkMigrated(pool, schema, newestMigration(join(import.meta.dirname, '../prisma/migrations')));
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));

  await rm(config.WORK_DIR, { recursive: true, force: true });
  const { messaging, relay } = await openMessaging(life, config.nats, pool, schema);
  const context = await createContext(config, pool, relay.kick);
  for (const consumer of [
    consumeUserChanged(messaging, pool),
    consumeJobEnded(messaging, pool),
    consumeSettingsChanged(messaging, pool),
    consumeQuotaChanged(messaging, pool),
  ]) {
    life.onStop('consumer', () => consumer.stop());
  }

  const collector = setInterval(() => {
    Promise.all([collectGarbage(pool, collectGraceMs), forgetUploads(pool, Date.now())]).catch((error: unknown) =>
      log.warn({ err: error }, 'garbage stays'),
    );
  }, collectEveryMs);
  life.onStop('garbage collector', () => clearInterval(collector));

  return serve(life, config.service, openTls(config.service.tls), submissionService, access, createHandlers(context));
}
