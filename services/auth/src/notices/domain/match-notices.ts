import { isHouseUser } from '@husky/contracts/house-user';
import type { JobEnded__Output } from '@husky/contracts/types/events/v1/JobEnded';
import { isUuid } from '@husky/runtime/process/uuid';
import type { MatchNotice, NewNotice, NoticeKind, NoticeResult } from './notice.ts';

const jobKinds: readonly string[] = ['TEST_RUN', 'MATCH', 'BATCH_MATCH'] satisfies MatchNotice['jobKind'][];

/**
 * Returns the notices that follow from a job's end. The user who started a match is notified of its outcome; for a batch
 * once, when all of it has ended. Players are notified of public finished matches of others, and of their own disabled
 * bots.
 */
export function noticesOf(event: JobEnded__Output): NewNotice[] {
  // Events of earlier releases carry no kind.
  if (event.status === 'Deleted' || !jobKinds.includes(event.kind) || !isUuid(event.jobId)) return [];
  const jobKind = event.kind as MatchNotice['jobKind'];
  const inBatch = jobKind === 'BATCH_MATCH' && isUuid(event.batchId);
  const failed = event.status === 'Failed';
  // A batch can be retried: the same job may fail and finish later.
  const key = `${event.jobId} ${event.endedAt}`;
  const notices: NewNotice[] = [];
  const add = (userId: string, kind: NoticeKind, own: boolean) =>
    notices.push({
      userId,
      kind,
      key,
      jobId: event.jobId,
      data: {
        about: 'match',
        jobId: event.jobId,
        jobKind,
        batchNumber: event.batchNumber,
        number: event.gameNumber,
        own,
        failed,
        reason: event.reason,
        handsPlayed: event.handsPlayed,
        numRounds: event.numRounds,
        results: resultsFor(userId, event),
        noContest: event.noContest,
      },
      ...(inBatch ? { batchId: event.batchId } : {}),
      ...(own ? {} : { publicOnly: true, held: !event.isPublic }),
    });

  if (!inBatch) add(event.ownerId, 'match_finished', true);
  if (!failed) {
    for (const { userId, disabled } of event.results) {
      if (isHouseUser(userId)) continue;
      const own = userId === event.ownerId;
      if (!own || inBatch) add(userId, 'match_finished', false);
      if (disabled !== '') add(userId, 'bot_disabled', own && !inBatch);
    }
  }
  if (inBatch && event.batchEnded) {
    const { finished, failed: failedMatches } = event.batchEnded;
    notices.push({
      userId: event.ownerId,
      kind: 'match_finished',
      key: `batch ${key}`,
      jobId: event.jobId,
      data: { about: 'batch', batchNumber: event.batchNumber, finished, failed: failedMatches },
    });
  }
  return notices.filter(({ userId }) => isUuid(userId));
}

/** Removes the bots' own texts (exception messages) that the recipient may not read: only a bot's owner and admins may. */
function resultsFor(recipientId: string, event: JobEnded__Output): NoticeResult[] {
  // Only admins start matches other than test runs.
  const startedByAdmin = event.kind !== 'TEST_RUN' && recipientId === event.ownerId;
  return event.results.map(({ userId, delta, disabled, faults, faultText, neverStarted }) => {
    const readsText = startedByAdmin || userId === recipientId;
    return {
      userId,
      delta,
      neverStarted,
      // The text before the first colon names the kind of fault.
      disabled: readsText ? disabled : (disabled.split(':')[0] ?? ''),
      faults: readsText && faultText !== '' ? `${faults}: ${faultText}` : faults,
    };
  });
}
