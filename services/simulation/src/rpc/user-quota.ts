import type { Quota as QuotaMessage } from '@husky/contracts/types/simulation/v1/Quota';
import type { UserQuota } from '@husky/contracts/types/simulation/v1/UserQuota';
import { DomainError } from '@husky/runtime/errors';
import { isUuid } from '@husky/runtime/uuid';
import type { Context, SimulationHandlers } from '../context.ts';
import { checkQuota, type OwnQuota, quotaFields } from '../domain/quota.ts';
import { audits } from '../store/also.ts';
import { effectiveQuota, readUserQuota, saveUserQuota } from '../store/quotas.ts';

/** Admins. */
export function getUserQuota(context: Context): SimulationHandlers['getUserQuota'] {
  return async (request) => {
    return present(context, requireId(request.userId));
  };
}

/** Admins. Whether there is such a user is auth's to know; a quota of nobody does nothing. */
export function setUserQuota(context: Context): SimulationHandlers['setUserQuota'] {
  return async (request, { caller: admin }) => {
    const userId = requireId(request.userId);
    const own = checkQuota(quotaOf(request.own ?? {}), 0);
    const by = { userId: admin.id, expectedVersion: request.expectedVersion, now: context.now() };
    await saveUserQuota(context.pool, userId, own, by, (before) =>
      audits(admin, {
        ...{ action: 'user.quota_changed', subjectKind: 'user', subjectId: userId },
        ...{ before: plainQuota(before), after: plainQuota(own) },
      }),
    );
    context.relay.kick();
    return present(context, userId);
  };
}

/** What is given of a message. */
export function quotaOf(message: QuotaMessage): OwnQuota {
  return Object.fromEntries(
    quotaFields.flatMap((field) => {
      const value = message[field];
      return value === undefined || value === null ? [] : [[field, value]];
    }),
  );
}

/** As it is written in records: null is what was not set. */
export const plainQuota = (quota: OwnQuota) => ({
  max_test_runs: quota.maxTestRuns ?? null,
  max_test_runs_a_day: quota.maxTestRunsADay ?? null,
  max_submissions: quota.maxSubmissions ?? null,
  max_uploads_a_day: quota.maxUploadsADay ?? null,
});

function requireId(userId: string): string {
  if (isUuid(userId)) return userId.toLowerCase();
  throw new DomainError('NOT_FOUND', 'no-such-user', 'User not found');
}

async function present(context: Context, userId: string): Promise<UserQuota> {
  const { own, version, updatedAt, updatedBy } = await readUserQuota(context.pool, userId);
  const effective = await effectiveQuota(context.pool, userId, context.settings.quota);
  return {
    ...{ userId, own, effective, version },
    ...{ updatedAt: updatedAt?.toISOString() ?? '', updatedById: updatedBy ?? '' },
  };
}
