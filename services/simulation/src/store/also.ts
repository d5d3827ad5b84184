import { type AuditEntry, writeAudit } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import type pg from 'pg';

/** Something more to be written in the transaction of a change: its audit record. */
export type Also = (client: pg.ClientBase) => Promise<void>;

export function audits(caller: Caller, entry: AuditEntry): Also {
  return (client) => writeAudit(client, 'simulation', caller, entry);
}
