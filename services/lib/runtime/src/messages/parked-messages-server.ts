import type { ParkedMessage } from '@husky/contracts/types/parked/v1/ParkedMessage';
import type { ParkedMessagesServiceDefinition } from '@husky/contracts/types/parked/v1/ParkedMessagesService';
import type pg from 'pg';
import { type Sql, sql } from '../database/sql.ts';
import { inTransaction } from '../database/transaction.ts';
import { isUuid } from '../process/uuid.ts';
import { type AccessTable, admin } from '../rpc/access.ts';
import type { Caller } from '../rpc/caller.ts';
import { DomainError } from '../rpc/errors.ts';
import type { Handlers } from '../rpc/grpc-server.ts';
import { pageOf } from '../rpc/page.ts';
import type { AuditEntry } from './audit.ts';

/** Writes the audit record of a change within its transaction. */
export type AuditInTransaction = (client: pg.ClientBase, caller: Caller, entry: AuditEntry) => Promise<void>;

export const parkedMessagesAccess = {
  listParkedMessages: admin,
  replayParkedMessage: admin,
  discardParkedMessage: admin,
} satisfies AccessTable<ParkedMessagesServiceDefinition>;

type ParkedMessagesHandlers = Handlers<ParkedMessagesServiceDefinition, typeof parkedMessagesAccess>;

const maxReasonLength = 500;

const columns = sql`id, durable, subject, message_id, reason, deliveries, octet_length(payload) AS bytes, published_at, parked_at,
  replay_requested_at`;

interface Row {
  readonly id: string;
  readonly durable: string;
  readonly subject: string;
  readonly message_id: string;
  readonly reason: string;
  readonly deliveries: number;
  readonly bytes: number;
  readonly published_at: Date;
  readonly parked_at: Date;
  readonly replay_requested_at: Date | null;
}

const present = (row: Row): ParkedMessage => ({
  id: row.id,
  consumer: row.durable,
  subject: row.subject,
  messageId: row.message_id,
  reason: row.reason,
  deliveries: row.deliveries,
  payloadBytes: row.bytes,
  publishedAt: row.published_at.toISOString(),
  parkedAt: row.parked_at.toISOString(),
  replayRequestedAt: row.replay_requested_at?.toISOString() ?? '',
});

/** Creates the handlers for the parked messages of one service. Replays and discards are audited. */
export function parkedMessagesHandlers(pool: pg.Pool, audit: AuditInTransaction): ParkedMessagesHandlers {
  /** Runs a statement that changes and returns one message, and writes its audit record. */
  const change = (caller: Caller, action: string, id: string, statement: Sql, reason?: string) =>
    inTransaction(pool, async (client) => {
      const { rows } = isUuid(id) ? await client.query<Row>(statement) : { rows: [] };
      const [row] = rows;
      if (!row) throw new DomainError('NOT_FOUND', 'parked-message-unknown', 'There is no such parked message.');
      const before = { consumer: row.durable, subject: row.subject, messageId: row.message_id, failure: row.reason };
      const after = reason === undefined ? undefined : { reason };
      await audit(client, caller, { action, subjectKind: 'parked_message', subjectId: id, before, after });
      return present(row);
    });

  return {
    async listParkedMessages({ pageSize }) {
      const { take } = pageOf({ pageSize });
      const { rows } = await pool.query<Row>(
        sql`SELECT ${columns} FROM parked_messages ORDER BY parked_at DESC, id LIMIT ${take}`,
      );
      const { rows: counted } = await pool.query<{ total: number }>(
        'SELECT count(*)::int AS total FROM parked_messages',
      );
      return { messages: rows.map(present), total: counted[0]?.total ?? 0 };
    },
    replayParkedMessage: ({ id }, { caller }) =>
      change(
        caller,
        'parked_message.replayed',
        id,
        sql`UPDATE parked_messages SET replay_requested_at = now() WHERE id = ${id} RETURNING ${columns}`,
      ),
    discardParkedMessage({ id, reason }, { caller }) {
      const given = reason.trim();
      if (given === '' || given.length > maxReasonLength) {
        throw new DomainError('INVALID_ARGUMENT', 'bad-reason', `Give a reason of 1 to ${maxReasonLength} characters.`);
      }
      const statement = sql`DELETE FROM parked_messages WHERE id = ${id} RETURNING ${columns}`;
      return change(caller, 'parked_message.discarded', id, statement, given);
    },
  };
}
