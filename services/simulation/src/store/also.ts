import { type AuditEntry, writeAudit } from '@husky/runtime/audit';
import type { Caller } from '@husky/runtime/caller';
import type pg from 'pg';
import type { LockedBatch } from './batches.ts';

/** Something more to be written in the transaction of a change: its audit record. */
export type Also = (client: pg.ClientBase) => Promise<void>;

/** The same for a change of a batch, which it finds locked and as it was before. */
export type AlsoOfBatch = (before: LockedBatch) => Also;

export function audits(caller: Caller, entry: AuditEntry): Also {
  return (client) => writeAudit(client, 'simulation', caller, entry);
}
