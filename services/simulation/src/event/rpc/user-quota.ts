import type { UserQuota } from '@husky/contracts/types/simulation/v1/UserQuota';
import { isUuid } from '@husky/runtime/process/uuid';
import type { Context, SimulationHandlers } from '../../context.ts';
import { auditWriter } from '../../store/audit.ts';
import { auditedQuota, checkQuota, quotaOf, userNotFound } from '../domain/quota.ts';
import { effectiveQuota, readUserQuota, saveUserQuota } from '../store/quotas.ts';

export function getUserQuota(context: Context): SimulationHandlers['getUserQuota'] {
  return async (request): Promise<UserQuota> => {
    return present(context, checkUserId(request.userId));
  };
}

/** Replaces the quota of a user. Refuses a deleted user. Does not check otherwise that the user exists; auth owns users. */
export function setUserQuota(context: Context): SimulationHandlers['setUserQuota'] {
  return async (request, { caller: admin }): Promise<UserQuota> => {
    const userId = checkUserId(request.userId);
    const own = checkQuota(quotaOf(request.own ?? {}), 0);
    const by = { userId: admin.id, expectedVersion: request.expectedVersion, now: context.now() };
    const subject = { action: 'user.quota_changed', subjectKind: 'user', subjectId: userId };
    await saveUserQuota(context.pool, userId, own, by, (before) =>
      auditWriter(admin, { ...subject, before: auditedQuota(before), after: auditedQuota(own) }),
    );
    context.relay.kick();
    return present(context, userId);
  };
}

function checkUserId(userId: string): string {
  if (isUuid(userId)) return userId.toLowerCase();
  throw userNotFound();
}

async function present(context: Context, userId: string): Promise<UserQuota> {
  const { own, version, updatedAt, updatedBy } = await readUserQuota(context.pool, userId);
  const effective = await effectiveQuota(context.pool, userId, context.settings.quota);
  return {
    userId,
    own,
    effective,
    version,
    updatedAt: updatedAt?.toISOString() ?? '',
    updatedById: updatedBy ?? '',
  };
}
