import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '../process/logger.ts';
import { retry } from '../process/retry.ts';
import { measureStream } from './messaging-metrics.ts';

const dayNs = 24 * 3600 * 1e9;

/**
 * The six streams of the platform together take at most 3 GiB of the server's 4 (max_file_store), so that none can fill it for the others.
 * The event of an ended match takes up to 1.4 KB: 512 MiB hold those of 70 batches of 5,005 matches, in the seven days that events are kept.
 */
const defaultMaxBytes = 512 * 1024 * 1024;

export interface OwnStreamSettings {
  readonly domain: string;
  readonly replicas: number;
  /** Size beyond which the oldest events are removed; default 512 MiB. */
  readonly maxBytes?: number | undefined;
}

/** The JetStream stream of a service's domain. */
export interface OwnStream {
  /** Creates the stream if it is missing, else updates its settings. Idempotent. */
  ensure(): Promise<void>;
  /** When the stream was created: changes when the server has lost its disk. */
  readonly created: string;
  /** Asks the server when the stream was created: another replica may have created it again. Throws if it does not answer or has no stream. */
  readCreated(): Promise<string>;
  /** Ends the export of its size. */
  close(): void;
}

/**
 * Creates or updates the stream `husky_<domain>`, now and after each reconnection: a server that has lost its disk has no streams,
 * and nothing could be published until the service is restarted. Exports its size.
 */
export async function openOwnStream(
  connection: NatsConnection,
  { domain, replicas, maxBytes = defaultMaxBytes }: OwnStreamSettings,
  log: Logger,
): Promise<OwnStream> {
  const config = {
    name: `husky_${domain}`,
    subjects: [`husky.${domain}.>`],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: 7 * dayNs,
    max_bytes: maxBytes,
    num_replicas: replicas,
  };
  let created = '';
  const ensure = async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const info = await manager.streams.add(config).catch(() => updateStream(manager, config, log));
    created = info.created;
  };
  await ensure();
  void ensureAfterReconnections(connection, ensure, config.name, log);
  const readInfo = async () => (await jetstreamManager(connection, { checkAPI: false })).streams.info(config.name);
  const measured = measureStream(config.name, async () => {
    const info = await readInfo();
    return { bytes: info.state.bytes, maxBytes: info.config.max_bytes };
  });
  return {
    ensure,
    get created() {
      return created;
    },
    async readCreated() {
      ({ created } = await readInfo());
      return created;
    },
    close: measured.stop,
  };
}

// https://github.com/nats-io/nats-server/blob/main/server/errors.json: JSStorageResourcesExceededErr, JSInsufficientResourcesErr,
// JSClusterNoPeersErrF.
const noRoomCodes: ReadonlySet<unknown> = new Set([10_047, 10_023, 10_005]);

/**
 * Updates a stream, or creates it without a limit on a server that has no room for it. A stream that is larger than the limit keeps all its
 * events: an update must not remove what consumers may not have handled.
 */
async function updateStream(
  manager: JetStreamManager,
  config: Pick<StreamConfig, 'name' | 'subjects' | 'max_bytes'>,
  log: Logger,
): Promise<StreamInfo> {
  const { name, max_bytes } = config;
  const known = await manager.streams.info(name).catch(() => undefined);
  const bytes = known?.state.bytes ?? 0;
  const limited = { ...config, max_bytes: bytes > max_bytes ? bytes + max_bytes : max_bytes };
  const store = (wanted: typeof config) => (known ? manager.streams.update(name, wanted) : manager.streams.add(wanted));
  try {
    return await store(limited);
  } catch (error) {
    if (!noRoomCodes.has((error as { code?: unknown }).code)) throw error;
    log.warn({ err: error, stream: name }, `the server has no room for the limit of stream ${name}: it has none`);
    return store({ ...config, max_bytes: -1 });
  }
}

/** Calls `ensure` after each reconnection until the connection is closed. */
async function ensureAfterReconnections(
  connection: NatsConnection,
  ensure: () => Promise<void>,
  name: string,
  log: Logger,
): Promise<void> {
  const closed = new AbortController();
  void connection.closed().then(() => closed.abort());
  for await (const status of connection.status()) {
    if (status.type !== 'reconnect') continue;
    // JetStream may start later than the server.
    await retry(ensure, {
      signal: closed.signal,
      retryIf: () => true,
      onNewCause: (cause, error) => log.warn({ err: error }, `stream ${name} is not available: ${cause}`),
    }).catch(() => undefined);
  }
}
