import type { EventContract } from '@husky/contracts/events';
import { outboxRow } from '@husky/runtime/outbox';
import type pg from 'pg';
import { sql, texts } from './sql.ts';

const rowsPerStatement = 1000;

/** Writes events into the outbox, in the transaction of the change that they report. */
export async function emit<In extends object, Out>(
  client: pg.ClientBase,
  event: EventContract<In, Out>,
  messages: readonly In[],
): Promise<void> {
  for (let from = 0; from < messages.length; from += rowsPerStatement) {
    const rows = messages.slice(from, from + rowsPerStatement).map((message) => outboxRow(event, message));
    const payloads = rows.map((row) => Buffer.from(row.payload));
    await client.query(
      sql`INSERT INTO outbox (subject, payload, trace_context)
          SELECT * FROM unnest(${texts(rows.map((row) => row.subject))}, ${payloads}::bytea[],
            ${texts(rows.map((row) => row.traceContext))})`,
    );
  }
}
