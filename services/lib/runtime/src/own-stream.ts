import { jetstreamManager, RetentionPolicy } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';
import { retry } from './retry.ts';

const dayNs = 24 * 3600 * 1e9;

/** The JetStream stream of a service's domain. */
export interface OwnStream {
  /** Creates the stream if it is missing, else updates its settings. Idempotent. */
  ensure(): Promise<void>;
  /** When the stream was created: changes when the server has lost its disk. */
  readonly created: string;
}

/**
 * Creates or updates the stream `husky_<domain>`, now and after each reconnection: a server that has lost its disk has no streams,
 * and nothing could be published until the service is restarted.
 */
export async function openOwnStream(
  connection: NatsConnection,
  domain: string,
  replicas: number,
  log: Logger,
): Promise<OwnStream> {
  const config = {
    name: `husky_${domain}`,
    subjects: [`husky.${domain}.>`],
    retention: RetentionPolicy.Limits,
    max_age: 7 * dayNs,
    num_replicas: replicas,
  };
  let created = '';
  const ensure = async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const info = await manager.streams.add(config).catch(() => manager.streams.update(config.name, config));
    created = info.created;
  };
  await ensure();
  void ensureAfterReconnections(connection, ensure, config.name, log);
  return {
    ensure,
    get created() {
      return created;
    },
  };
}

/** Calls `ensure` after each reconnection until the connection is closed. */
async function ensureAfterReconnections(
  connection: NatsConnection,
  ensure: () => Promise<void>,
  name: string,
  log: Logger,
): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type !== 'reconnect') continue;
    // JetStream may start later than the server.
    await retry(ensure, {
      retryIf: () => !connection.isClosed(),
      onFailure: (error) => log.warn({ err: error }, `stream ${name} is not available: ${messageOf(error)}`),
    }).catch(() => undefined);
  }
}
