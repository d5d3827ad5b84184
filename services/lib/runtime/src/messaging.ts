import type pg from 'pg';
import type { Lifecycle } from './lifecycle.ts';
import { connectNats, type Messaging, type NatsSettings } from './nats.ts';
import { type OutboxRelay, startOutboxRelay } from './outbox.ts';

/**
 * NATS and the relay of the service's outbox, for as long as the service runs; it is ready only while NATS answers.
 * `domain` is that of the service's stream.
 */
export async function openMessaging(
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  settings: NatsSettings,
  pool: pg.Pool,
  domain: string,
): Promise<{ readonly messaging: Messaging; readonly relay: OutboxRelay }> {
  const messaging = await connectNats(settings, life.log, domain);
  life.onStop('nats', () => messaging.close());
  life.readyWhen('nats', async () => {
    if (messaging.connection.isClosed()) throw new Error('the connection is closed');
    await messaging.connection.flush();
  });
  const relay = startOutboxRelay(pool, messaging, life.log);
  life.onStop('outbox relay', () => relay.stop());
  return { messaging, relay };
}
