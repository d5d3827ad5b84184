import { type Sql, sql } from '@husky/runtime/database/sql';
import { inTransaction } from '@husky/runtime/database/transaction';
import { emitAudit } from '@husky/runtime/messages/audit';
import type { UserCaller } from '@husky/runtime/rpc/caller';
import { DomainError } from '@husky/runtime/rpc/errors';
import type pg from 'pg';
import type { AutoscalingChange, AutoscalingSettings } from '../domain/sizes.ts';
import type { Autoscaling } from '../generated/client.ts';
import type { Database } from './database.ts';

export type { Autoscaling };

export function readAutoscaling(db: Database): Promise<Autoscaling> {
  return db.prisma.autoscaling.findUniqueOrThrow({ where: { id: 1 } });
}

const columns = sql`id, enabled, minimum, maximum, drain_seconds AS "drainSeconds", version, scaled_at AS "scaledAt",
  updated_at AS "updatedAt", updated_by AS "updatedBy"`;

/** Runs a statement on the one row and returns the row. */
async function theRow(client: pg.PoolClient, statement: Sql): Promise<Autoscaling> {
  const { rows } = await client.query<Autoscaling>(statement);
  if (rows[0] === undefined) throw new Error('the row of autoscaling is missing');
  return rows[0];
}

/** Locks the row until the transaction ends and returns it. */
export function lockAutoscaling(client: pg.PoolClient): Promise<Autoscaling> {
  return theRow(client, sql`SELECT ${columns} FROM autoscaling WHERE id = 1 FOR UPDATE`);
}

/** Saves settings with their audit record. */
export async function changeAutoscaling(
  client: pg.PoolClient,
  before: AutoscalingSettings,
  after: AutoscalingSettings,
  by: UserCaller,
  now: Date,
): Promise<Autoscaling> {
  const { enabled, minimum, maximum, drainSeconds } = after;
  const saved = await theRow(
    client,
    sql`UPDATE autoscaling SET enabled = ${enabled}, minimum = ${minimum}, maximum = ${maximum}, drain_seconds = ${drainSeconds},
          version = version + 1, updated_at = ${now}, updated_by = ${by.id} WHERE id = 1 RETURNING ${columns}`,
  );
  await emitAudit(client, 'pool', by, {
    action: 'pool.autoscaling_changed',
    subjectKind: 'pool',
    subjectId: 'autoscaling',
    before: auditValue(before),
    after: auditValue(after),
  });
  return saved;
}

/** Changes the given settings. Throws ABORTED when another change was saved since `expectedVersion` (compare-and-set). */
export function saveAutoscaling(
  db: Database,
  change: AutoscalingChange,
  by: { readonly user: UserCaller; readonly expectedVersion: number | undefined; readonly now: Date },
  settingsOf: (row: Autoscaling) => AutoscalingSettings,
  check: (settings: AutoscalingSettings) => void,
): Promise<Autoscaling> {
  return inTransaction(db.pool, async (client) => {
    const row = await lockAutoscaling(client);
    if (by.expectedVersion !== undefined && by.expectedVersion !== row.version) {
      const message = 'Somebody else has changed autoscaling since you opened this page. Reload it first.';
      throw new DomainError('ABORTED', 'autoscaling-changed', message);
    }
    const before = settingsOf(row);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after = { ...before, ...given };
    check(after);
    return changeAutoscaling(client, before, after, by.user, by.now);
  });
}

const auditValue = ({ drainSeconds, ...rest }: AutoscalingSettings) => ({ ...rest, drain_seconds: drainSeconds });
