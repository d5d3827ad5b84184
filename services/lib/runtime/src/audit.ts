import { randomUUID } from 'node:crypto';
import { type AuditedDomain, audited } from '@husky/contracts/events';
import type { Audited } from '@husky/contracts/types/events/v1/Audited';
import type pg from 'pg';
import type { Caller } from './caller.ts';
import { type OutboxRow, outboxRow } from './outbox.ts';
import { currentRequestId } from './request-id.ts';

/** One thing that somebody did. `before` and `after` are small plain values without secrets. */
export interface AuditEntry {
  /** `<subject>.<verb in the past>`, e.g. `job.deleted`. */
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Of the client, where it matters. */
  readonly address?: string;
}

const mostJsonLength = 4000;

function json(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value);
  if (text.length <= mostJsonLength) return text;
  return JSON.stringify({ truncated: text.slice(0, mostJsonLength / 2) });
}

/** The record of what a caller did, as part of the request that is being served. */
export function auditedMessage(caller: Caller, entry: AuditEntry): Audited & { readonly id: string } {
  return {
    id: randomUUID(),
    action: entry.action,
    actorId: caller.kind === 'user' ? caller.id : '',
    actorKind: caller.kind,
    subjectKind: entry.subjectKind,
    subjectId: entry.subjectId,
    beforeJson: json(entry.before),
    afterJson: json(entry.after),
    requestId: currentRequestId(),
    occurredAt: new Date().toISOString(),
    address: entry.address ?? '',
  };
}

/** For the outbox of a service, to be written in the transaction of the change itself. */
export function auditRow(domain: AuditedDomain, caller: Caller, entry: AuditEntry): OutboxRow {
  return outboxRow(audited(domain), auditedMessage(caller, entry));
}

/** Writes the record into `outbox` on the connection whose transaction makes the change. */
export async function writeAudit(
  client: pg.ClientBase,
  domain: AuditedDomain,
  caller: Caller,
  entry: AuditEntry,
): Promise<void> {
  const row = auditRow(domain, caller, entry);
  await client.query('INSERT INTO outbox (subject, payload, trace_context) VALUES ($1, $2, $3)', [
    row.subject,
    Buffer.from(row.payload),
    row.traceContext,
  ]);
}
