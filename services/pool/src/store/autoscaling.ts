import { emitAudit } from '@husky/runtime/audit';
import type { UserCaller } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { AutoscalingChange, AutoscalingSettings } from '../domain/sizes.ts';
import type { Autoscaling, Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';

export type { Autoscaling };

export function readAutoscaling(db: Database): Promise<Autoscaling> {
  return db.prisma.autoscaling.findUniqueOrThrow({ where: { id: 1 } });
}

/** Locks the row until the transaction ends and returns it. */
export async function lockAutoscaling(tx: Prisma.TransactionClient): Promise<Autoscaling> {
  await tx.$executeRaw`SELECT 1 FROM autoscaling WHERE id = 1 FOR UPDATE`;
  return tx.autoscaling.findUniqueOrThrow({ where: { id: 1 } });
}

/** Saves settings with their audit record. */
export async function changeAutoscaling(
  tx: Prisma.TransactionClient,
  before: AutoscalingSettings,
  after: AutoscalingSettings,
  by: UserCaller,
  now: Date,
): Promise<Autoscaling> {
  const data = { ...after, version: { increment: 1 }, updatedAt: now, updatedBy: by.id };
  const saved = await tx.autoscaling.update({ where: { id: 1 }, data });
  await emitAudit(tx, 'pool', by, {
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
  return db.prisma.$transaction(async (tx) => {
    const row = await lockAutoscaling(tx);
    if (by.expectedVersion !== undefined && by.expectedVersion !== row.version) {
      const message = 'Somebody else has changed autoscaling since you opened this page. Reload it first.';
      throw new DomainError('ABORTED', 'autoscaling-changed', message);
    }
    const before = settingsOf(row);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after = { ...before, ...given };
    check(after);
    return changeAutoscaling(tx, before, after, by.user, by.now);
  });
}

const auditValue = ({ drainSeconds, ...rest }: AutoscalingSettings) => ({ ...rest, drain_seconds: drainSeconds });
