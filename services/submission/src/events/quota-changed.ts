import { quotaChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import type pg from 'pg';
import { saveUserQuota } from '../store/quotas.ts';

/** What an admin allows one user, which simulation keeps. */
export function consumeQuotaChanged(messaging: Messaging, pool: pg.Pool): Consumer {
  return messaging.consume(quotaChanged, 'submission_quota_changed', ({ userId, version, ...own }) =>
    saveUserQuota(pool, userId, version, {
      maxSubmissions: own.maxSubmissions ?? null,
      maxUploadsADay: own.maxUploadsADay ?? null,
    }),
  );
}
