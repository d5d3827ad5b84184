import { audited, jobEnded, tournamentNews, userChanged } from '@husky/contracts/events';
import type { Messaging } from '@husky/runtime/messages/nats';
import { isUuid } from '@husky/runtime/process/uuid';
import { noticesOf } from '../domain/match-notices.ts';
import type { NoticesHost } from '../host.ts';
import { addNotices, deleteUserNotices, dropJobNotices, scheduleBatchNow, setHeld } from '../store/notices.ts';

// All handlers are idempotent and independent of order: notices are deduplicated by (user, kind, key), deleted jobs are remembered, and
// changes of visibility compare their times.

/** Creates the notice of a verified address; deletes everything stored about a deleted user. */
export function consumeUserChanged(host: NoticesHost, messaging: Messaging, wakeSender: () => void): void {
  messaging.consume(userChanged, 'auth_notices_user_changed', async ({ userId, change }) => {
    if (change === 'DELETED') await deleteUserNotices(host.pool, userId);
    if (change !== 'VERIFIED') return;
    // The event also reports a verification that was revoked; addNotices skips users who are not verified.
    await addNotices(host, [{ userId, kind: 'verified', key: 'verified', data: { about: 'account' } }]);
    wakeSender();
  });
}

/** Creates the notices of a match or batch that has ended; drops those of a deleted job. */
export function consumeJobEnded(host: NoticesHost, messaging: Messaging, wakeSender: () => void): void {
  messaging.consume(jobEnded, 'auth_notices_job_ended', async (event) => {
    const { pool } = host;
    if (event.status === 'Deleted' && isUuid(event.jobId)) await dropJobNotices(pool, event.jobId, host.now());
    await addNotices(host, noticesOf(event));
    if (event.batchEnded && isUuid(event.batchId)) await scheduleBatchNow(pool, event.batchId, host.now());
    wakeSender();
  });
}

/** Holds or releases notices about other users' matches when a match or a batch becomes private or public. */
export function consumePublished(host: NoticesHost, messaging: Messaging, wakeSender: () => void): void {
  messaging.consume(
    audited('live_data'),
    'auth_notices_published',
    async ({ action, subjectId, afterJson, occurredAt }) => {
      const changedAt = new Date(occurredAt);
      if (!isUuid(subjectId) || Number.isNaN(changedAt.getTime())) return;
      if (action === 'job.visibility_changed') {
        await setHeld(host.pool, { jobId: subjectId }, { held: !isPublic(afterJson), changedAt }, host.now());
      } else if (action === 'batch.visibility_changed') {
        await setHeld(host.pool, { batchId: subjectId }, { held: !isPublic(afterJson), changedAt }, host.now());
      } else return;
      wakeSender();
    },
  );
}

/** Creates the notice of a submission whose packages were prepared after its upload. */
export function consumePrepared(host: NoticesHost, messaging: Messaging, wakeSender: () => void): void {
  messaging.consume(audited('submission'), 'auth_notices_prepared', async ({ action, subjectId, afterJson }) => {
    if (action !== 'submission.prepared') return;
    const { user_id: userId, reason: refusal } = fieldsOf(afterJson);
    if (typeof userId !== 'string' || !isUuid(userId) || typeof refusal !== 'string') return;
    await addNotices(host, [{ userId, kind: 'bot_prepared', key: subjectId, data: { about: 'submission', refusal } }]);
    wakeSender();
  });
}

/** Creates the notices of a bot that is paused on the ladder, and of a challenge to users who want to be asked. */
export function consumeSimulationAudit(host: NoticesHost, messaging: Messaging, wakeSender: () => void): void {
  messaging.consume(audited('simulation'), 'auth_notices_paused', async (event) => {
    const { id, action, subjectId, actorId: challengerId, afterJson } = event;
    const { user_id: userId, reason, asked } = fieldsOf(afterJson);
    if (action === 'challenge.created' && Array.isArray(asked)) {
      const data = { about: 'challenge', challengerId } as const;
      const users = asked.filter((one): one is string => typeof one === 'string' && isUuid(one));
      await addNotices(
        host,
        users.map((one) => ({ userId: one, kind: 'challenged', key: subjectId, data })),
      );
      wakeSender();
    }
    if (action !== 'ladder.paused') return;
    if (typeof userId !== 'string' || !isUuid(userId) || typeof reason !== 'string') return;
    await addNotices(host, [{ userId, kind: 'bot_disabled', key: `ladder ${id}`, data: { about: 'ladder', reason } }]);
    wakeSender();
  });
}

/** Creates the notices of a tournament: entered, a bot that did not start, results. */
export function consumeTournamentNews(host: NoticesHost, messaging: Messaging, wakeSender: () => void): void {
  messaging.consume(tournamentNews, 'auth_notices_tournament', async (event) => {
    const { tournamentId, news, userIds, check, name, slug, entryDeadline } = event;
    if (news !== 'ENTERED' && news !== 'CHECK_FAILED' && news !== 'RESULTS') return;
    const data = { about: 'tournament', news, name, slug, entryDeadline } as const;
    const key = `${tournamentId} ${news} ${check}`;
    await addNotices(
      host,
      userIds.filter(isUuid).map((userId) => ({ userId, kind: 'tournament', key, data })),
    );
    wakeSender();
  });
}

const isPublic = (afterJson: string): boolean => fieldsOf(afterJson).public === true;

function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  const fields: unknown = JSON.parse(json || '{}');
  return typeof fields === 'object' && fields !== null ? { ...fields } : {};
}
