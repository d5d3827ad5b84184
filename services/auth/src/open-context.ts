import type { Lifecycle } from '@husky/runtime/process/lifecycle';

import type { OpenService } from '@husky/runtime/process/open-service';

import { messageOf } from '@husky/runtime/rpc/errors';
import { createAccounts } from './accounts/create-accounts.ts';
import type { AuthConfig } from './config.ts';
import type { AuthContext } from './context.ts';
import { createHashQueues } from './domain/hash-queue.ts';
import { hashThreads } from './domain/passwords.ts';
import type { PrismaClient } from './generated/client.ts';
import { createMailer } from './mail/mailer.ts';

// Calls to Keycloak happen inside transactions and take up to 5 s each.
const transactionTimes = { maxWait: 5000, timeout: 20_000 };

/** Opens mailer and identity backend. `rotateKeys` replaces signing keys that are due; call it hourly. */
export async function openContext(
  config: AuthConfig,
  { pool, prisma: db, relay }: OpenService<PrismaClient>,
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  now: () => Date,
): Promise<{ readonly context: AuthContext; readonly rotateKeys: () => Promise<void> }> {
  const { log } = life;
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
    log,
    pool,
    db,
    transaction,
    accounts,
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
  return { context, rotateKeys };
}
