import { audited, jobEnded, userChanged } from '@husky/contracts/events';
import type { JobEnded__Output } from '@husky/contracts/types/events/v1/JobEnded';
import type { Consumer, Messaging } from '@husky/runtime/nats';
import { isUuid } from '@husky/runtime/uuid';
import type { AuthContext } from '../context.ts';
import { noticesOf } from '../domain/match-notices.ts';
import { addNotices, dropJob, forgetUser, hurryBatch, setHeld } from '../store/notices.ts';
import { findById } from '../store/users.ts';

/** What there is to tell, from wherever it happens. Each handler may run again: a notice has a key. */
export function consumeForNotices(context: AuthContext, messaging: Messaging, kick: () => void): Consumer[] {
  const { pool } = context;
  return [
    messaging.consume(userChanged, 'auth_notices_user_changed', async ({ userId, change }) => {
      if (change === 'DELETED') await forgetUser(pool, userId);
      if (change !== 'VERIFIED') return;
      // The event is also that of a verification taken away.
      if (!(await findById(context.db, userId))?.verified) return;
      const notice = { userId, kind: 'verified', key: 'verified', data: { about: 'account' } } as const;
      await addNotices(pool, [notice], context.now());
      kick();
    }),
    messaging.consume(jobEnded, 'auth_notices_job_ended', async (event) => {
      await onJobEnded(context, event);
      kick();
    }),
    messaging.consume(audited('live_data'), 'auth_notices_published', async ({ action, subjectId, afterJson }) => {
      if (!isUuid(subjectId)) return;
      const what =
        action === 'job.visibility_changed'
          ? { jobId: subjectId }
          : action === 'batch.visibility_changed'
            ? { batchId: subjectId }
            : undefined;
      if (!what) return;
      await setHeld(pool, what, !isPublic(afterJson), context.now());
      kick();
    }),
  ];
}

async function onJobEnded(context: AuthContext, event: JobEnded__Output): Promise<void> {
  const { pool } = context;
  const now = context.now();
  if (event.status === 'Deleted' && isUuid(event.jobId)) await dropJob(pool, event.jobId, now);
  const notices = noticesOf(event);
  if (notices.length > 0) await addNotices(pool, notices, now);
  if (event.batchEnded && isUuid(event.batchId)) await hurryBatch(pool, event.batchId, now);
}

function isPublic(afterJson: string): boolean {
  const after: unknown = JSON.parse(afterJson || '{}');
  return typeof after === 'object' && after !== null && 'public' in after && after.public === true;
}
