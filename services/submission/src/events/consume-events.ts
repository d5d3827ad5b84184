import { jobEnded, quotaChanged, settingsChanged, userChanged } from '@husky/contracts/events';
import type { Consumer, Messaging } from '@husky/runtime/messages/nats';
import type pg from 'pg';
import { releasePins } from '../store/pins.ts';
import { saveEventSettings, saveUserQuota } from '../store/quota.ts';
import { deleteUser } from '../store/submissions.ts';

/** Starts the consumers of other services' events. Each handler is idempotent. */
export function consumeEvents(messaging: Messaging, pool: pg.Pool): Consumer[] {
  return [
    // Bots that running jobs play remain pinned.
    messaging.consume(userChanged, 'submission_user_changed', async ({ change, userId }) => {
      if (change === 'DELETED') await deleteUser(pool, userId);
    }),
    messaging.consume(jobEnded, 'submission_job_ended', async ({ lastOfHolder, holderId }) => {
      if (lastOfHolder) await releasePins(pool, holderId);
    }),
    messaging.consume(settingsChanged, 'submission_settings_changed', (settings) => saveEventSettings(pool, settings)),
    messaging.consume(quotaChanged, 'submission_quota_changed', ({ userId, version, ...own }) =>
      saveUserQuota(pool, userId, version, {
        maxSubmissions: own.maxSubmissions ?? null,
        maxUploadsADay: own.maxUploadsADay ?? null,
      }),
    ),
  ];
}
