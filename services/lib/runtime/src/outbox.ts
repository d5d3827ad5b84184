import type { EventContract } from '@husky/contracts/events';
import type pg from 'pg';
import type { Logger } from './logger.ts';
import type { Messaging } from './nats.ts';
import { type Repeating, repeat } from './repeat.ts';
import { type Sql, sql, texts } from './sql.ts';
import { currentTraceparent } from './trace-context.ts';
import { inTransaction } from './transaction.ts';

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
const purgeEveryMs = 60_000;

const columns = sql`message_id, subject, payload, trace_context`;

const movePublished = (ids: readonly string[], stream: string) =>
  sql`WITH published AS (DELETE FROM outbox WHERE id = ANY(${ids}) RETURNING ${columns})
    INSERT INTO published_events (${columns}, stream_created) SELECT ${columns}, ${stream} FROM published`;

const republish = (stream: string) =>
  sql`WITH lost AS (DELETE FROM published_events WHERE stream_created <> ${stream} RETURNING ${columns}, published_at)
    INSERT INTO outbox (${columns}) SELECT ${columns} FROM lost ORDER BY published_at`;

/**
 * Publishes the rows of `outbox` at least once and moves them to `published_events` when JetStream has stored them. JetStream drops a row
 * that is published again within 2 min, by its message id. Several replicas may run the relay: each locks its rows and skips locked ones.
 * The order of events is therefore not guaranteed, neither within one replica nor between replicas: consumers read the current
 * state or compare versions.
 *
 * When NATS has lost its disk, publishes the events of the last hour again, because their consumers may not have handled them.
 * Consumers that have handled them get them twice.
 */
export function startOutboxRelay(pool: pg.Pool, messaging: Messaging, log: Logger): Repeating {
  let knownStream = '';
  let purgedAt = Number.NEGATIVE_INFINITY;
  return repeat('publishing the outbox', pollMs, log, async () => {
    const stream = messaging.streamCreated();
    if (stream !== knownStream) {
      const { rowCount } = await pool.query(republish(stream));
      knownStream = stream;
      if (rowCount)
        log.warn({ events: rowCount, stream }, 'the stream is new: events of the last hour are published again');
    }
    if (performance.now() - purgedAt > purgeEveryMs) {
      await pool.query(`DELETE FROM published_events WHERE published_at < now() - interval '1 hour'`);
      purgedAt = performance.now();
    }
    return publishBatch(pool, messaging, stream);
  });
}

/** Publishes up to 100 rows. Returns whether there were any. */
function publishBatch(pool: pg.Pool, messaging: Messaging, stream: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<OutboxRow>(
      sql`SELECT id, ${columns} FROM outbox ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED`,
    );
    await Promise.all(
      rows.map((row) => messaging.publish(row.subject, row.payload, row.message_id, row.trace_context)),
    );
    const published = rows.map(({ id }) => id);
    if (rows.length > 0) await client.query(movePublished(published, stream));
    return rows.length > 0;
  });
}
