import { type AuditEntry, emitAudit } from '@husky/runtime/messages/audit';
import type { Caller } from '@husky/runtime/rpc/caller';
import type pg from 'pg';

/** Writes the audit record of a change, in the transaction of the change. */
export type AuditWriter = (client: pg.ClientBase) => Promise<void>;

export function auditWriter(caller: Caller, entry: AuditEntry): AuditWriter {
  return (client) => emitAudit(client, 'simulation', caller, entry);
}
