import type { EventContract } from '@husky/contracts/events';
import { streamOf } from '@husky/contracts/subjects';
import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import {
  type ConnectionOptions,
  connect,
  headers as createHeaders,
  type NatsConnection,
} from '@nats-io/transport-node';
import { SpanKind } from '@opentelemetry/api';
import type { Logger } from '../process/logger.ts';
import { isCancelledStatement, isOutage, retry } from '../process/retry.ts';
import { messageOf } from '../rpc/errors.ts';
import { contextOf, currentTraceparent, inSpan } from '../telemetry/trace-context.ts';
import { measureConsumer } from './messaging-metrics.ts';
import { openOwnStream } from './own-stream.ts';
import type { Poison } from './parked-messages.ts';

export interface NatsSettings {
  readonly url: string;
  readonly user: string;
  readonly password: string;
  /** Replicas of the service's stream; default 1. */
  readonly streamReplicas?: number;
  /** Largest size of the service's stream; default 512 MiB. */
  readonly streamMaxBytes?: number;
  /** Interval of pings in ms; default 10 s. After two pings without a response the connection is closed and opened again. */
  readonly pingMs?: number;
}

export interface Consumer {
  stop(): Promise<void>;
}

/** When and how a message that repeatedly fails is parked. */
export interface PoisonPolicy {
  readonly maxDeliveries: number;
  /** Stores the message. If it throws, the message is delivered again. */
  park(poison: Poison): Promise<void>;
}

export interface Messaging {
  readonly connection: NatsConnection;
  /** Returns when the stream of the service's domain was created; empty without a stream. It changes when NATS has lost its disk. */
  streamCreated(): string;
  /** Asks the server for the same time. Throws if it does not answer or has lost the stream. */
  readStreamCreated(): Promise<string>;
  /**
   * Publishes to JetStream. A repeated message id within 2 min is dropped as a duplicate. `traceContext` is the traceparent of the
   * change that the message reports; empty: none.
   */
  publish(subject: string, payload: Uint8Array, messageId: string, traceContext: string): Promise<void>;
  /**
   * Handles the events of a durable consumer one at a time, each at least once: when the handler throws, the event is
   * redelivered with exponential backoff (at most 30 s), after later ones. Handlers must be idempotent. With `poison` a message
   * whose handling fails with a permanent error, or by a defect of another service (INTERNAL), is parked after `maxDeliveries`; other
   * transient errors are retried without end.
   */
  consume<In extends object, Out>(
    event: EventContract<In, Out>,
    durable: string,
    handle: (message: Out) => Promise<void>,
    poison?: PoisonPolicy,
  ): Consumer;
  /** Publishes to the present subscribers only (core NATS, not durable). */
  broadcast(subject: string, payload: Uint8Array): void;
  listen(subject: string, handle: (payload: Uint8Array, subject: string) => void): Consumer;
  close(): Promise<void>;
}

const reconnectPauseMs = 500;
const reconnectJitterMs = 100;

/**
 * Options for the pauses between two attempts to connect to a server, by a clock that nobody sets. The pauses of the client itself compare
 * times of day: when a clock that was an hour ahead is set back, the client would not connect for an hour.
 */
function reconnectPauses(): Pick<ConnectionOptions, 'reconnectDelayHandler' | 'reconnectToServer'> {
  const attemptedMs = new Map<string, number>();
  return {
    reconnectDelayHandler: () => Number.NEGATIVE_INFINITY,
    reconnectToServer: ([server]) => {
      if (server === undefined) return null;
      const name = `${server.hostname}:${server.port}`;
      const now = performance.now();
      const pauseMs = reconnectPauseMs + reconnectJitterMs * Math.random();
      const delay = Math.max(0, (attemptedMs.get(name) ?? Number.NEGATIVE_INFINITY) + pauseMs - now);
      attemptedMs.set(name, now + delay);
      return { server, delay };
    },
  };
}

/** Connects to NATS, retrying until the server responds, and creates or updates the stream of `ownDomain`. */
export async function connectNats(settings: NatsSettings, log: Logger, ownDomain?: string): Promise<Messaging> {
  const connection = await connect({
    servers: settings.url,
    user: settings.user,
    pass: settings.password,
    name: settings.user,
    // Each user may subscribe to its own inboxes only.
    inboxPrefix: `_INBOX.${settings.user}`,
    maxReconnectAttempts: -1,
    // An overloaded server ends logins with an authentication timeout. By default the client closes its connection for good after such an answer.
    ignoreAuthErrorAbort: true,
    ...reconnectPauses(),
    waitOnFirstConnect: true,
    // The default of 2 min leaves a service without events for six minutes after a connection has died silently.
    pingInterval: settings.pingMs ?? 10_000,
    maxPingOut: 2,
  });
  const js = jetstream(connection);
  const streamSettings = { replicas: settings.streamReplicas ?? 1, maxBytes: settings.streamMaxBytes };
  const stream =
    ownDomain === undefined
      ? undefined
      : await openOwnStream(connection, { domain: ownDomain, ...streamSettings }, log);
  return {
    connection,
    streamCreated: () => stream?.created ?? '',
    readStreamCreated: async () => stream?.readCreated() ?? '',
    async publish(subject, payload, messageId, traceContext) {
      const attributes = { 'messaging.system': 'nats', 'messaging.destination.name': subject };
      const parent = contextOf(traceContext);
      await inSpan(`publish ${subject}`, { kind: SpanKind.PRODUCER, parent, attributes }, async () => {
        const headers = createHeaders();
        headers.set('traceparent', currentTraceparent());
        await js
          .publish(subject, payload, { msgID: messageId, headers, timeout: 5000 })
          .catch(async (error: unknown) => {
            // The stream may have been deleted: the relay publishes again.
            await stream?.ensure();
            throw error;
          });
      });
    },
    consume: (event, durable, handle, poison) => consumeDurably(connection, js, log, event, durable, handle, poison),
    broadcast: (subject, payload) => connection.publish(subject, payload),
    listen(subject, handle) {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) {
            log.warn({ subject }, `subscription to ${subject}: ${error.message}`);
            return;
          }
          try {
            handle(message.data, message.subject);
          } catch (failure) {
            // It would end the loop in which the client reads from the server.
            log.warn({ err: failure, subject }, `${subject} could not be handled: ${messageOf(failure)}`);
          }
        },
      });
      // Draining would wait for the server and fail while it is unreachable.
      return { stop: async () => subscription.unsubscribe() };
    },
    async close() {
      stream?.close();
      await connection.drain();
    },
  };
}

const restartMs = 500;

function consumeDurably<In extends object, Out>(
  connection: NatsConnection,
  js: JetStreamClient,
  log: Logger,
  event: EventContract<In, Out>,
  durable: string,
  handle: (message: Out) => Promise<void>,
  poison: PoisonPolicy | undefined,
): Consumer {
  const stopping = new AbortController();
  let stopMessages: (() => void) | undefined;
  const stream = streamOf(event.subject);
  const measured = measureConsumer(durable);
  const attributes = {
    'messaging.system': 'nats',
    'messaging.destination.name': event.subject,
    'messaging.consumer.group.name': durable,
  };

  async function run(): Promise<void> {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.consumers.add(stream, {
      durable_name: durable,
      filter_subject: event.subject,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: 30 * 1e9,
    });
    const consumer = await js.consumers.get(stream, durable);
    measured.setLagReader(async () => {
      const { num_pending, num_ack_pending } = await consumer.info();
      return num_pending + num_ack_pending;
    });
    // Ends when the stream or the consumer is missing; the retry then creates the consumer again.
    const messages = await consumer.consume({ max_messages: 50, abort_on_missing_resource: true });
    stopMessages = () => messages.stop();
    if (stopping.signal.aborted) messages.stop();
    for await (const message of messages) {
      const parent = contextOf(message.headers?.get('traceparent') ?? '');
      const settings = { kind: SpanKind.CONSUMER, parent, attributes };
      const started = performance.now();
      try {
        await inSpan(`consume ${event.subject}`, settings, () => handle(event.decode(message.data)));
        message.ack();
        measured.record(performance.now() - started, 'handled');
      } catch (error) {
        log.warn({ err: error, subject: event.subject }, `${event.subject} could not be handled: ${messageOf(error)}`);
        const parked = poison !== undefined && (await parkPoison(poison, durable, message, error, log));
        if (parked) message.ack();
        else message.nak(1000 * Math.min(30, 2 ** message.info.deliveryCount));
        measured.record(performance.now() - started, 'failed');
      }
    }
    if (!stopping.signal.aborted) throw new Error('the consumer has ended');
  }

  // The owner of the stream may not have started yet, or the server is unreachable.
  const running = retry(run, {
    signal: stopping.signal,
    firstPauseMs: restartMs,
    maxPauseMs: restartMs,
    retryIf: () => true,
    onFailure: (error) => log.debug(`consumer ${durable} of ${stream} waits: ${messageOf(error)}`),
  }).catch(() => undefined);

  return {
    async stop() {
      stopping.abort();
      stopMessages?.();
      measured.stop();
      await running;
    },
  };
}

/** Parks a message whose handling has failed `maxDeliveries` times, unless the last error is transient. Returns whether it is parked. */
async function parkPoison(
  { maxDeliveries, park }: PoisonPolicy,
  durable: string,
  message: JsMsg,
  error: unknown,
  log: Logger,
): Promise<boolean> {
  const deliveries = message.info.deliveryCount;
  // A database that is slow after an outage ends statements at their time limit.
  const transient = isOutage(error) || isCancelledStatement(error);
  if (transient || deliveries < maxDeliveries) return false;
  const messageId = message.headers?.get('Nats-Msg-Id') || `${message.info.stream}:${message.seq}`;
  const [subject, reason] = [message.subject, messageOf(error)];
  try {
    await park({
      durable,
      subject,
      messageId,
      payload: message.data,
      traceContext: message.headers?.get('traceparent') ?? '',
      reason,
      deliveries,
      publishedAt: message.time,
    });
    log.error(
      { durable, subject, messageId },
      `message of ${subject} is parked after ${deliveries} deliveries: ${reason}`,
    );
    return true;
  } catch (failure) {
    log.warn({ err: failure, durable }, `message of ${subject} could not be parked: ${messageOf(failure)}`);
    return false;
  }
}
