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
import { hashThreads } from './domain/passwords.ts';
import { createTurns } from './domain/turns.ts';
import { makeFirstAdmin } from './first-admin.ts';
import { createMailer } from './mail/mailer.ts';
import { startNotices } from './notices/notices.ts';
import { deleteOldNotices } from './notices/store/notices.ts';
import { createNoticesHost } from './notices-host.ts';
import { createHandlers } from './server.ts';
import { openAuthDatabase } from './store/database.ts';
import { sweep } from './store/sweep.ts';
import { whenReached } from './when-reached.ts';

const sweepMs = 3_600_000;
// A change in Keycloak is part of the transaction that writes it down here, and may take as long as Keycloak may.
const transactionTimes = { maxWait: 5000, timeout: 20_000 };

/** Opens everything, serves, and answers the port. */
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
  const { accounts, tend } = await createAccounts(config, { log, pool, db, transaction, now }, life);
  const context: AuthContext = {
    ...{ log, pool, db, transaction, accounts },
    turns: createTurns(hashThreads),
    mailer,
    publicUrl: config.publicUrl,
    inBackground(what, work) {
      const running = work()
        .catch((error: unknown) => log.warn({ err: error }, `${what} failed: ${messageOf(error)}`))
        .finally(() => background.delete(running));
      background.add(running);
    },
    now,
  };
  await whenReached(log, () => makeFirstAdmin(context, config.firstAdmin));

  const noticesHost = createNoticesHost(context);
  const notices = startNotices(noticesHost, messaging);
  life.onStop('notices', () => notices.stop());
  const consumers = consumeAudited(context, messaging);
  life.onStop('audit consumers', async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });

  const sweeping = setInterval(() => {
    Promise.all([sweep(db, now()), deleteOldNotices(pool, now()), tend()]).catch((error: unknown) =>
      log.warn(`sweeping failed: ${messageOf(error)}`),
    );
  }, sweepMs);
  life.onStop('sweeper', () => clearInterval(sweeping));

  return serve(
    life,
    config.service,
    openTls(config.service.tls),
    authService,
    access,
    createHandlers(context, noticesHost),
  );
}
