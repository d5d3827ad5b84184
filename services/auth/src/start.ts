import { authService } from '@husky/contracts/services';
import { DomainError, messageOf } from '@husky/runtime/errors';
import { createGrpcServer } from '@husky/runtime/grpc-server';
import { createVerifier } from '@husky/runtime/identity';
import type { Lifecycle } from '@husky/runtime/lifecycle';
import { connectNats } from '@husky/runtime/nats';
import { startOutboxRelay } from '@husky/runtime/outbox';
import { watchedFile } from '@husky/runtime/watched-file';
import { createOwnAccounts } from './accounts/own/own-accounts.ts';
import type { AuthConfig } from './config.ts';
import type { AuthContext } from './context.ts';
import { createAccessTokens, parseSigningKeys, type SigningKeySource } from './domain/access-tokens.ts';
import { createPasswords, hashThreads } from './domain/passwords.ts';
import { createTurns } from './domain/turns.ts';
import { consumeAudited } from './events/audited.ts';
import { consumeForNotices } from './events/notices.ts';
import { ensureFirstAdmin } from './first-admin.ts';
import { createMailer } from './mail/mailer.ts';
import { startNoticeSender } from './mail/notice-sender.ts';
import { createHandlers } from './server.ts';
import { openAuthDatabase } from './store/database.ts';
import { sweepNotices } from './store/notices.ts';
import { renewSigningKeys, storedSigningKeys } from './store/signing-keys.ts';
import { sweep } from './store/sweep.ts';

const sweepMs = 3_600_000;

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

  const messaging = await connectNats(config.nats, log, 'auth');
  life.onStop('nats', () => messaging.close());
  life.readyWhen('nats', async () => {
    if (messaging.connection.isClosed()) throw new Error('the connection is closed');
    await messaging.connection.flush();
  });
  const relay = startOutboxRelay(pool, messaging, log);
  life.onStop('outbox relay', () => relay.stop());

  const { signingKeyFile, signingKeyDays } = config;
  const renewKeys = async () => {
    if (signingKeyFile === undefined) await renewSigningKeys(db, signingKeyDays, now());
  };
  await renewKeys();
  const keys = signingKeyFile === undefined ? storedSigningKeys(db, now) : signingKeysOf(signingKeyFile);
  const passwords = await createPasswords(config.argon2);
  life.onStop('passwords', () => passwords.close());
  const accounts = createOwnAccounts({ pool, db, now, passwords, tokens: createAccessTokens(keys) });
  const mailer = createMailer(config.mail, log);
  life.onStop('mailer', () => mailer.close());

  const background = new Set<Promise<void>>();
  life.onStop('background work', async () => void (await Promise.all(background)));
  const context: AuthContext = {
    log,
    pool,
    db,
    async transaction(work) {
      const result = await db.$transaction(work);
      relay.kick();
      return result;
    },
    accounts,
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
  await ensureFirstAdmin(context, config.firstAdmin).catch((error: unknown) => {
    // Another replica may have been faster; anything else must be seen.
    if (error instanceof DomainError && error.code === 'ALREADY_EXISTS') log.info(`first admin: ${error.message}`);
    else throw error;
  });

  const notices = startNoticeSender(context);
  life.onStop('notices', () => notices.stop());
  const consumers = [
    ...consumeAudited(context, messaging),
    ...consumeForNotices(context, messaging, () => notices.kick()),
  ];
  life.onStop('consumers', async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });

  const sweeping = setInterval(() => {
    Promise.all([sweep(db, now()), sweepNotices(pool, now()), renewKeys()]).catch((error: unknown) =>
      log.warn(`sweeping failed: ${messageOf(error)}`),
    );
  }, sweepMs);
  life.onStop('sweeper', () => clearInterval(sweeping));

  const server = createGrpcServer({ verifier: createVerifier(config.service.trustFile, 'auth'), log });
  server.add(authService, createHandlers(context));
  const port = await server.listen(config.service.grpcAddress);
  life.onStop('grpc server', () => server.close());
  return port;
}

function signingKeysOf(file: string): SigningKeySource {
  const keys = watchedFile(file, 'the key that signs access tokens', parseSigningKeys);
  return async () => keys();
}
