import { randomUUID } from 'node:crypto';
import { audited } from '@husky/contracts/events';
import type { AuditedDomain } from '@husky/contracts/subjects';
import type { Audited } from '@husky/contracts/types/events/v1/Audited';
import type { Caller } from '../rpc/caller.ts';
import { currentRequestId } from '../telemetry/request-id.ts';
import { type EventTransaction, emit } from './outbox.ts';

/** One audited action. `before` and `after` are small plain values without secrets. */
export interface AuditEntry {
  /** `<subject>.<verb in the past>`, e.g. `job.deleted`. */
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Address of the client, where it matters. */
  readonly address?: string;
}

const maxJsonLength = 4000;

function json(value: unknown): string {
  if (value === undefined) return '';
  const text = JSON.stringify(value);
  if (text.length <= maxJsonLength) return text;
  return JSON.stringify({ truncated: text.slice(0, maxJsonLength / 2) });
}

/** Builds the audit record of a caller's action, with the id of the request that is being served. */
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

/** Writes the audit record of a change into the outbox, within the transaction of that change. */
export function emitAudit(
  transaction: EventTransaction,
  domain: AuditedDomain,
  caller: Caller,
  entry: AuditEntry,
): Promise<void> {
  return emit(transaction, audited(domain), auditedMessage(caller, entry));
}
