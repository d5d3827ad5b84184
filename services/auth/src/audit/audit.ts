import type { Audited } from '@husky/contracts/types/events/v1/Audited';
import { type Sql, sql } from '@husky/runtime/database/sql';
import { type AuditEntry, auditedMessage } from '@husky/runtime/messages/audit';
import type { Logger } from '@husky/runtime/process/logger';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Caller } from '@husky/runtime/rpc/caller';
import type pg from 'pg';
import type { Prisma } from '../generated/client.ts';

/** The audit module's table, on a connection or inside a transaction. */
export type AuditTable = Pick<Prisma.TransactionClient, 'auditRecord'>;

/** Everything that the audit module uses of the service that hosts it. */
export interface AuditHost {
  readonly log: Logger;
  readonly pool: pg.Pool;
  readonly db: AuditTable;
}

/** Records an action of a caller. Call it in the transaction that makes the change. */
export async function audit(tx: AuditTable, caller: Caller, entry: AuditEntry, now: Date): Promise<void> {
  await addRecords(tx, [{ ...auditedMessage(caller, entry), occurredAt: now.toISOString() }]);
}

/** Adds records. Idempotent: deduplicated by id. Truncates texts to the lengths in `rowOf` and removes NUL. */
export async function addRecords(tx: AuditTable, messages: readonly Audited[]): Promise<void> {
  await tx.auditRecord.createMany({ data: messages.map(rowOf), skipDuplicates: true });
}

/** SQL that records an action of a caller, for the statement that makes the change. */
export function recordInsert(caller: Caller, entry: AuditEntry, now = new Date()): Sql {
  const row = rowOf({ ...auditedMessage(caller, entry), occurredAt: now.toISOString() });
  return sql`INSERT INTO audit_records (id, occurred_at, action, actor_id, actor_kind, subject_kind, subject_id,
      before_json, after_json, request_id, address)
    VALUES (${row.id}, ${row.occurredAt}, ${row.action}, ${row.actorId}, ${row.actorKind}, ${row.subjectKind},
      ${row.subjectId}, ${row.beforeJson}, ${row.afterJson}, ${row.requestId}, ${row.address})`;
}

function rowOf(message: Audited) {
  return {
    id: message.id ?? '',
    occurredAt: new Date(message.occurredAt ?? ''),
    action: bounded(message.action, 64),
    actorId: isUuid(message.actorId ?? '') ? (message.actorId ?? null) : null,
    actorKind: bounded(message.actorKind, 32),
    subjectKind: bounded(message.subjectKind, 32),
    subjectId: bounded(message.subjectId, 128),
    beforeJson: bounded(message.beforeJson, 8192),
    afterJson: bounded(message.afterJson, 8192),
    requestId: bounded(message.requestId, 64),
    address: bounded(message.address, 64),
  };
}

function bounded(value: string | undefined, maxLength: number): string {
  return (value ?? '').replaceAll('\0', '').slice(0, maxLength);
}

const failedSignIn = 'user.sign_in_failed';
const hourMs = 3_600_000;
const maxPerSubject = 20;
const maxPerHour = 2000;

/** Records a failed sign-in, at most 20 an hour per subject and address and 2,000 an hour in all, so that guessing cannot fill the log. */
export async function auditFailedSignIn(tx: AuditTable, subjectId: string, address: string, now: Date): Promise<void> {
  const recent = { action: failedSignIn, occurredAt: { gt: new Date(now.getTime() - hourMs) } };
  const [ofSubject, inAll] = await Promise.all([
    tx.auditRecord.count({ where: { ...recent, subjectId, address }, take: maxPerSubject }),
    tx.auditRecord.count({ where: recent, take: maxPerHour }),
  ]);
  if (ofSubject >= maxPerSubject || inAll >= maxPerHour) return;
  await audit(tx, { kind: 'anonymous' }, { action: failedSignIn, subjectKind: 'user', subjectId, address }, now);
}
