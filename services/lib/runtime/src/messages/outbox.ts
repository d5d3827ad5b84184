import type { EventContract } from '@husky/contracts/events';
import type pg from 'pg';
import { type Sql, sql, texts } from '../database/sql.ts';
import { inTransaction } from '../database/transaction.ts';
import type { Logger } from '../process/logger.ts';
import { type Repeating, repeat } from '../process/repeat.ts';
import { currentTraceparent } from '../telemetry/trace-context.ts';
import type { Messaging } from './nats.ts';

/** The transaction that an event belongs to: a connection of pg or a transaction of Prisma. */
export type EventTransaction = Pick<pg.ClientBase, 'query'> | { $executeRaw(statement: Sql): PromiseLike<number> };

/**
 * Writes messages of one event into the service's `outbox` within the transaction of the change that they report; the
 * relay publishes them after the commit. Call the relay's `kick` after the commit to publish them at once.
 */
export async function emit<In extends object, Out>(
  transaction: EventTransaction,
  event: EventContract<In, Out>,
  ...messages: readonly In[]
): Promise<void> {
  if (messages.length === 0) return;
  const encoded = messages.map((message) => event.encode(message).toString('base64'));
  const insert = sql`INSERT INTO outbox (subject, payload, trace_context)
    SELECT ${event.subject}, decode(message, 'base64'), ${currentTraceparent()} FROM unnest(${texts(encoded)}) AS message`;
  if ('query' in transaction) await transaction.query(insert);
  else await transaction.$executeRaw(insert);
}

interface OutboxRow {
  readonly id: string;
  readonly message_id: string;
  readonly subject: string;
  readonly payload: Buffer;
  readonly trace_context: string;
}

const pollMs = 1000;
const tidyEveryMs = 60_000;
const unknownMaxPayload = 2 ** 31 - 1;
/** Room for the headers of a message, which NATS counts as part of its payload. */
const maxHeaderBytes = 1024;
/** Name of the relay in `parked_messages`, in place of a consumer's. */
const relayName = 'outbox_relay';

const columns = sql`message_id, subject, payload, trace_context`;

const movePublished = (ids: readonly string[], stream: string) =>
  sql`WITH published AS (DELETE FROM outbox WHERE id = ANY(${ids}) RETURNING ${columns})
    INSERT INTO published_events (${columns}, stream_created) SELECT ${columns}, ${stream} FROM published`;

const republish = (stream: string) =>
  sql`WITH lost AS (DELETE FROM published_events WHERE stream_created <> ${stream} RETURNING ${columns}, published_at)
    INSERT INTO outbox (${columns}) SELECT ${columns} FROM lost ORDER BY published_at`;

const removeHandled = (stream: string) =>
  sql`DELETE FROM published_events WHERE published_at < now() - interval '1 hour' AND stream_created = ${stream}`;

const parkOversized = (maxBytes: number) =>
  sql`WITH oversized AS (
        DELETE FROM outbox WHERE id IN (
          SELECT id FROM outbox WHERE octet_length(payload) > ${maxBytes} ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED)
        RETURNING ${columns}, created_at)
    INSERT INTO parked_messages (durable, ${columns}, reason, deliveries, published_at)
    SELECT ${relayName}, ${columns}, ${`larger than the ${maxBytes} bytes that NATS accepts`}, 0, created_at FROM oversized
    RETURNING message_id, subject, octet_length(payload) AS bytes`;

const takeReplayed = () =>
  sql`WITH replayed AS (
      DELETE FROM parked_messages WHERE durable = ${relayName} AND replay_requested_at IS NOT NULL
      RETURNING message_id::uuid, subject, payload, trace_context)
    INSERT INTO outbox (${columns}) SELECT ${columns} FROM replayed`;

/**
 * Publishes the rows of `outbox` at least once and moves them to `published_events` when JetStream has stored them. JetStream drops a row
 * that is published again within 2 min, by its message id. Several replicas may run the relay: each locks its rows and skips locked ones.
 * The order of events is therefore not guaranteed, neither within one replica nor between replicas: consumers read the current
 * state or compare versions.
 *
 * When NATS has lost its disk, publishes the events of the hour before again, because their consumers may not have handled them.
 * Consumers that have handled them get them twice. Events are kept for an hour, and longer while NATS does not answer.
 *
 * Once a minute parks the events that are larger than NATS accepts, so that an operator is alerted, and publishes the parked ones whose replay
 * was requested. In a service without `parked_messages` they stay in `outbox`, and its age is exported. They never delay other events.
 */
export function startOutboxRelay(pool: pg.Pool, messaging: Messaging, log: Logger): Repeating {
  let knownStream = '';
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return repeat('publishing the outbox', pollMs, log, async () => {
    const stream = messaging.streamCreated();
    if (stream !== knownStream) {
      const { rowCount } = await pool.query(republish(stream));
      knownStream = stream;
      if (rowCount)
        log.warn({ events: rowCount, stream }, 'the stream is new: events of the hour before are published again');
    }
    const maxBytes = (messaging.connection.info?.max_payload ?? unknownMaxPayload) - maxHeaderBytes;
    if (performance.now() - tidiedAt > tidyEveryMs) {
      tidiedAt = performance.now();
      await setAside(pool, maxBytes, log);
      const present = await messaging.readStreamCreated().catch(() => undefined);
      if (present !== undefined) await pool.query(removeHandled(present));
    }
    return publishBatch(pool, messaging, { stream, maxBytes });
  });
}

/** Parks oversized events, and takes parked ones back whose replay was requested. */
async function setAside(pool: pg.Pool, maxBytes: number, log: Logger): Promise<void> {
  const { rows } = await pool.query<{ parks: boolean }>(`SELECT to_regclass('parked_messages') IS NOT NULL AS parks`);
  if (!rows[0]?.parks) return;
  await pool.query(takeReplayed());
  const parked = await pool.query<{ message_id: string; subject: string; bytes: number }>(parkOversized(maxBytes));
  for (const { message_id: messageId, subject, bytes } of parked.rows) {
    log.error({ messageId, subject, bytes, maxBytes }, `event of ${subject} is parked: it is larger than NATS accepts`);
  }
}

/** Publishes up to 100 rows. Returns whether there were any. Throws the first error once the published rows are moved. */
async function publishBatch(
  pool: pg.Pool,
  messaging: Messaging,
  { stream, maxBytes }: { readonly stream: string; readonly maxBytes: number },
): Promise<boolean> {
  const outcomes = await inTransaction(pool, async (client) => {
    const { rows } = await client.query<OutboxRow>(
      sql`SELECT id, ${columns} FROM outbox WHERE octet_length(payload) <= ${maxBytes}
          ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`,
    );
    const published = await Promise.allSettled(
      rows.map((row) => messaging.publish(row.subject, row.payload, row.message_id, row.trace_context)),
    );
    const moved = rows.filter((_, index) => published[index]?.status === 'fulfilled').map(({ id }) => id);
    if (moved.length > 0) await client.query(movePublished(moved, stream));
    return published;
  });
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason as Error;
  return outcomes.length > 0;
}
