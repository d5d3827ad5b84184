import { houseUserId } from '@husky/contracts/house-user';
import type { JobEnded__Output } from '@husky/contracts/types/events/v1/JobEnded';
import { isUuid } from '@husky/runtime/uuid';
import type { MatchNotice, NoticeKind, NoticeResult } from './notice.ts';

export interface PlannedNotice {
  readonly userId: string;
  readonly kind: NoticeKind;
  readonly key: string;
  readonly data: MatchNotice | { about: 'batch'; batchNumber: number; finished: number; failed: number };
  readonly jobId: string;
  readonly batchId?: string;
  readonly publicOnly?: boolean;
  readonly held?: boolean;
}

const jobKinds: readonly string[] = ['TEST_RUN', 'MATCH', 'BATCH_MATCH'] satisfies MatchNotice['jobKind'][];

/**
 * Who is told what of a job that has ended. Whoever started it hears how it went, of a batch once, when all of it has
 * ended; players hear of finished matches of others that are public, and of their own bots alone.
 */
export function noticesOf(event: JobEnded__Output): PlannedNotice[] {
  // Events of earlier releases carry no kind.
  if (event.status === 'Deleted' || !jobKinds.includes(event.kind) || !isUuid(event.jobId)) return [];
  const jobKind = event.kind as MatchNotice['jobKind'];
  const inBatch = jobKind === 'BATCH_MATCH' && isUuid(event.batchId);
  const data: MatchNotice = {
    ...{ about: 'match', jobId: event.jobId, jobKind, batchNumber: event.batchNumber, number: event.gameNumber },
    ...{ own: true, failed: event.status === 'Failed', reason: event.reason },
    ...{ handsPlayed: event.handsPlayed, numRounds: event.numRounds },
    ...{ results: [], noContest: event.noContest },
  };
  // A batch may be retried: the same job can fail, and later finish.
  const once = `${event.jobId} ${event.endedAt}`;
  const notices: PlannedNotice[] = [];
  const tell = (userId: string, kind: NoticeKind, own: boolean) =>
    notices.push({
      ...{ userId, kind, key: once, jobId: event.jobId, data: { ...data, own, results: resultsFor(userId, event) } },
      ...(inBatch ? { batchId: event.batchId } : {}),
      ...(own ? {} : { publicOnly: true, held: !event.isPublic }),
    });

  if (!inBatch) tell(event.ownerId, 'match_finished', true);
  if (!data.failed) {
    for (const { userId, disabled } of event.results) {
      if (userId === houseUserId) continue;
      const own = userId === event.ownerId;
      if (!own || inBatch) tell(userId, 'match_finished', false);
      if (disabled !== '') tell(userId, 'bot_disabled', own && !inBatch);
    }
  }
  if (inBatch && event.batchEnded) {
    const { finished, failed } = event.batchEnded;
    notices.push({
      ...{ userId: event.ownerId, kind: 'match_finished', key: `batch ${once}`, jobId: event.jobId },
      data: { about: 'batch', batchNumber: event.batchNumber, finished, failed },
    });
  }
  return notices.filter(({ userId }) => isUuid(userId));
}

/** What a bot says of itself (an exception's text) is for its owner and admins, who alone start matches of others. */
function resultsFor(reader: string, event: JobEnded__Output): NoticeResult[] {
  const startedByAdmin = event.kind !== 'TEST_RUN' && reader === event.ownerId;
  return event.results.map(({ userId, delta, disabled, faults, faultText, neverStarted }) => {
    const whole = startedByAdmin || userId === reader;
    return {
      ...{ userId, delta, neverStarted },
      // Its first words are the kind of fault.
      disabled: whole ? disabled : (disabled.split(':')[0] ?? ''),
      faults: whole && faultText !== '' ? `${faults}: ${faultText}` : faults,
    };
  });
}
