import { authService } from '@husky/contracts/services';
import { messageOf } from '@husky/runtime/errors';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { openMessaging } from '@husky/runtime/messaging';
import { serve } from '@husky/runtime/serve';
import { openTls } from '@husky/runtime/tls';
import { access } from './access.ts';
import { createAccounts } from './accounts/create-accounts.ts';
import { consumeAudited } from './audit/events/audited.ts';
import type { AuthConfig } from './config.ts';
import type { AuthContext } from './context.ts';
import { createHashQueues } from './domain/hash-queue.ts';
import { hashThreads } from './domain/passwords.ts';
import { createFirstAdmin } from './first-admin.ts';
import { createMailer } from './mail/mailer.ts';
import { startNotices } from './notices/notices.ts';
import { deleteOldNotices } from './notices/store/notices.ts';
import { createNoticesHost } from './notices-host.ts';
import { createHandlers } from './server.ts';
import { deleteExpired } from './store/cleanup.ts';
import { openAuthDatabase } from './store/database.ts';
import { whenReached } from './when-reached.ts';

const cleanupMs = 3_600_000;
// Calls to Keycloak happen inside transactions and take up to 5 s each.
const transactionTimes = { maxWait: 5000, timeout: 20_000 };

/** Starts the service. Returns its gRPC port. */
export async function start(
  config: AuthConfig,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  now: () => Date = () => new Date(),
): Promise<number> {
  const { log } = life;
  const { pool, db, close } = await openAuthDatabase(config.database);
  life.onStop('database', close);
  life.readyWhen('database', async () => void (await pool.query('SELECT 1')));

  const { messaging, relay } = await openMessaging(life, config.nats, pool, 'auth');

  const mailer = createMailer(config.mail, log);
  life.onStop('mailer', () => mailer.close());

  const background = new Set<Promise<void>>();
  life.onStop('background work', async () => void (await Promise.all(background)));
  const transaction: AuthContext['transaction'] = async (work) => {
    const result = await db.$transaction(work, transactionTimes);
    relay.kick();
    return result;
  };
  const { accounts, rotateKeys } = await createAccounts(config, { log, pool, db, transaction, now }, life);
  const context: AuthContext = {
    ...{ log, pool, db, transaction, accounts },
    hashQueues: createHashQueues(hashThreads),
    mailer,
    publicUrl: config.publicUrl,
    inBackground(name, work) {
      const running = work()
        .catch((error: unknown) => log.warn({ err: error }, `${name} failed: ${messageOf(error)}`))
        .finally(() => background.delete(running));
      background.add(running);
    },
    now,
  };
  await whenReached(log, () => createFirstAdmin(context, config.firstAdmin));

  const noticesHost = createNoticesHost(context);
  const notices = startNotices(noticesHost, messaging);
  life.onStop('notices', () => notices.stop());
  const consumers = consumeAudited(context, messaging);
  life.onStop('audit consumers', async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });

  const cleanup = setInterval(() => {
    Promise.all([deleteExpired(db, now()), deleteOldNotices(pool, now()), rotateKeys()]).catch((error: unknown) =>
      log.warn({ err: error }, `hourly cleanup failed: ${messageOf(error)}`),
    );
  }, cleanupMs);
  life.onStop('hourly cleanup', () => clearInterval(cleanup));

  return serve(
    life,
    config.service,
    openTls(config.service.tls),
    authService,
    access,
    createHandlers(context, noticesHost),
  );
}
