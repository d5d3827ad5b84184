import type pg from 'pg';
import type { Lifecycle } from './lifecycle.ts';
import { connectNats, type Messaging, type NatsSettings } from './nats.ts';
import { startOutboxRelay } from './outbox.ts';
import type { Repeating } from './repeat.ts';

/**
 * Connects to NATS and starts the outbox relay until the service stops; consumers are stopped first. The service is ready
 * only while NATS responds. `domain` names the service's stream.
 */
export async function openMessaging(
  life: Pick<Lifecycle, 'log' | 'onStop' | 'readyWhen'>,
  settings: NatsSettings,
  pool: pg.Pool,
  domain: string,
): Promise<{ readonly messaging: Messaging; readonly relay: Repeating }> {
  const messaging = await connectNats(settings, life.log, domain);
  life.onStop('nats', () => messaging.close());
  life.readyWhen('nats', async () => {
    if (messaging.connection.isClosed()) throw new Error('the connection is closed');
    await messaging.connection.flush();
  });
  const relay = startOutboxRelay(pool, messaging, life.log);
  life.onStop('outbox relay', () => relay.stop());
  const consume: Messaging['consume'] = (event, durable, handle) => {
    const consumer = messaging.consume(event, durable, handle);
    life.onStop(`consumer ${durable}`, () => consumer.stop());
    return consumer;
  };
  return { messaging: { ...messaging, consume }, relay };
}
