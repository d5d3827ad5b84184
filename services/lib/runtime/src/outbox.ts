import type { EventContract } from '@husky/contracts/events';
import { context, propagation } from '@opentelemetry/api';
import type pg from 'pg';
import { messageOf } from './errors.ts';
import type { Logger } from './logger.ts';
import type { Messaging } from './nats.ts';

/** One row of a service's `outbox` table, to be written in the transaction of the change that it tells of. */
export interface OutboxRow {
  readonly subject: string;
  readonly payload: Uint8Array<ArrayBuffer>;
  readonly traceContext: string;
}

export function outboxRow<In extends object, Out>(event: EventContract<In, Out>, message: In): OutboxRow {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return {
    subject: event.subject,
    payload: new Uint8Array(event.encode(message)),
    traceContext: carrier.traceparent ?? '',
  };
}

export interface OutboxRelay {
  /** Sends what is waiting soon, without waiting for the next poll. */
  kick(): void;
  stop(): Promise<void>;
}

const pollMs = 1000;

/**
 * Publishes the rows of `outbox` (id, message_id, subject, payload, trace_context) in order of id and deletes each when
 * JetStream has it. Several replicas may run it: rows are locked, and the message id makes repeats harmless.
 */
export function startOutboxRelay(pool: pg.Pool, messaging: Messaging, log: Logger): OutboxRelay {
  let stopped = false;
  let wake: (() => void) | undefined;
  let kicked = false;

  async function sendBatch(): Promise<number> {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{
        id: string;
        message_id: string;
        subject: string;
        payload: Buffer;
        trace_context: string;
      }>(
        'SELECT id, message_id, subject, payload, trace_context FROM outbox ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED',
      );
      await Promise.all(
        rows.map((row) => messaging.publish(row.subject, row.payload, row.message_id, row.trace_context)),
      );
      if (rows.length > 0) await client.query('DELETE FROM outbox WHERE id = ANY($1)', [rows.map((row) => row.id)]);
      await client.query('COMMIT');
      return rows.length;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  const running = (async () => {
    while (!stopped) {
      kicked = false;
      let sent = 0;
      try {
        sent = await sendBatch();
      } catch (error) {
        log.warn(`events wait in the outbox: ${messageOf(error)}`);
      }
      if (sent === 0 && !kicked && !stopped) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, pollMs).unref();
        });
      }
    }
  })();

  return {
    kick() {
      kicked = true;
      wake?.();
    },
    async stop() {
      stopped = true;
      wake?.();
      await running;
    },
  };
}
