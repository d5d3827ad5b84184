import type pg from 'pg';
import { sql } from '../database/sql.ts';
import type { Logger } from '../process/logger.ts';
import { type Repeating, repeat } from '../process/repeat.ts';
import { messageOf } from '../rpc/errors.ts';

/** A message that a consumer could not handle. */
export interface Poison {
  /** Name of the durable consumer. */
  readonly durable: string;
  readonly subject: string;
  readonly messageId: string;
  readonly payload: Uint8Array;
  readonly traceContext: string;
  /** Message of the last error. */
  readonly reason: string;
  readonly deliveries: number;
  readonly publishedAt: Date;
}

type Handle = (payload: Uint8Array) => Promise<void>;

const maxReasonLength = 1000;
const pollMs = 5000;

/** Stores a message in the service's table `parked_messages`. Idempotent by consumer and message id. */
export async function park(pool: pg.Pool, poison: Poison): Promise<void> {
  await pool.query(
    sql`INSERT INTO parked_messages (durable, subject, message_id, payload, trace_context, reason, deliveries, published_at)
        VALUES (${poison.durable}, ${poison.subject}, ${poison.messageId}, ${Buffer.from(poison.payload)},
          ${poison.traceContext}, ${poison.reason.slice(0, maxReasonLength)}, ${poison.deliveries}, ${poison.publishedAt})
        ON CONFLICT (durable, message_id) DO UPDATE SET reason = EXCLUDED.reason, deliveries = EXCLUDED.deliveries`,
  );
}

interface Row {
  readonly id: string;
  readonly durable: string;
  readonly payload: Buffer;
}

/**
 * Handles parked messages whose replay was requested (`replay_requested_at`) by the handler of their consumer, one at a time.
 * Removes them on success; otherwise they stay parked with the new reason. Several replicas may run this. Handlers are idempotent,
 * so that a message that is replayed twice after a crash has no further effect.
 */
export function startReplay(pool: pg.Pool, handlers: ReadonlyMap<string, Handle>, log: Logger): Repeating {
  return repeat('replaying parked messages', pollMs, log, async () => {
    const { rows } = await pool.query<Row>(
      sql`UPDATE parked_messages SET replay_requested_at = NULL, deliveries = deliveries + 1 WHERE id = (
         SELECT id FROM parked_messages WHERE replay_requested_at IS NOT NULL AND durable = ANY(${[...handlers.keys()]})
         ORDER BY replay_requested_at, published_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, durable, payload`,
    );
    const [row] = rows;
    if (row === undefined) return false;
    try {
      await handlers.get(row.durable)?.(row.payload);
      await pool.query(sql`DELETE FROM parked_messages WHERE id = ${row.id}`);
      log.info({ durable: row.durable, id: row.id }, 'parked message replayed');
    } catch (error) {
      const reason = messageOf(error).slice(0, maxReasonLength);
      await pool.query(sql`UPDATE parked_messages SET reason = ${reason} WHERE id = ${row.id}`);
      log.warn({ err: error, durable: row.durable, id: row.id }, `parked message stays parked: ${reason}`);
    }
    return true;
  });
}
