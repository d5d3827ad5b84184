import type { BatchVisibility } from '@husky/contracts/types/live/v1/BatchVisibility';
import type { ListPublicBatchesResponse } from '@husky/contracts/types/live/v1/ListPublicBatchesResponse';
import type { MatchAccess } from '@husky/contracts/types/live/v1/MatchAccess';
import type { Retention } from '@husky/contracts/types/live/v1/Retention';
import { emitAudit } from '@husky/runtime/messages/audit';
import { isLowerCaseUuid } from '@husky/runtime/process/uuid';
import { DomainError } from '@husky/runtime/rpc/errors';
import { mayRead } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import { type Match, readableAttempt } from '../domain/match.ts';
import { batchNotFound, jobNotFound } from '../domain/refusals.ts';
import { loadMatch } from '../load-match.ts';
import { notifyWatchers } from '../match-feed.ts';
import { findAttempt } from '../store/attempts.ts';
import { publicBatches, setBatchVisibility as store } from '../store/batch-visibility.ts';
import { toggleVisibility as toggle } from '../store/matches.ts';
import { readRetention } from '../store/retention.ts';

/** Returns whether the caller may read a match, and if so its details. */
export function getMatchAccess(context: Context): LiveDataHandlers['getMatchAccess'] {
  return async (request, call): Promise<MatchAccess> => {
    const match = await loadMatch(context, request.jobId);
    if (!mayRead(call.caller, match)) return { jobId: match.jobId, isPublic: false, canRead: false };
    return presentAccess(context, match);
  };
}

async function presentAccess(context: Context, match: Match): Promise<MatchAccess> {
  const attempt = await findAttempt(context.db, match.jobId, readableAttempt(match));
  return {
    jobId: match.jobId,
    isPublic: match.isPublic,
    hands: attempt?.hands ?? 0,
    batchId: match.batchId ?? '',
    gameNumber: match.gameNumber,
    canRead: true,
    finished: match.acceptedAttempt !== null,
  };
}

/** Toggles a match's visibility. Throws ABORTED `already-so` if it is already as requested. */
export function toggleVisibility(context: Context): LiveDataHandlers['toggleVisibility'] {
  return async (request, { caller }): Promise<MatchAccess> => {
    const { jobId } = await loadMatch(context, request.jobId);
    const match = await toggle(context.db, jobId, request.public ?? undefined, caller);
    if (match === null) throw jobNotFound();
    context.relay.kick();
    const by = caller.kind === 'user' ? { userId: caller.id } : { service: caller.name };
    context.log.info({ jobId, ...by }, `match ${jobId} is ${match.isPublic ? 'public' : 'private'} now`);
    notifyWatchers(context.messaging, jobId);
    return presentAccess(context, match);
  };
}

const maxBatches = 1000;

/** Sets the visibility of a batch, including matches added later. Does not check that the batch exists; simulation owns batches. */
export function setBatchVisibility(context: Context): LiveDataHandlers['setBatchVisibility'] {
  return async (request, { caller: admin }): Promise<BatchVisibility> => {
    if (!isLowerCaseUuid(request.batchId)) throw batchNotFound();
    const batchId = request.batchId.toLowerCase();
    const requested = request.public ?? undefined;
    const change = await store(
      context.db.pool,
      batchId,
      requested,
      (client, { before, isPublic: after, changed: jobs }) =>
        emitAudit(client, 'live_data', admin, {
          action: 'batch.visibility_changed',
          subjectKind: 'batch',
          subjectId: batchId,
          before: { public: before },
          after: { public: after, jobs },
        }),
    );
    context.relay.kick();
    const { isPublic, changed, hands, runningJobIds } = change;
    context.log.info({ batchId }, `batch ${batchId} is ${isPublic ? 'public' : 'private'} now`);
    for (const jobId of runningJobIds) notifyWatchers(context.messaging, jobId);
    return { batchId, isPublic, matches: changed, hands };
  };
}

/** Returns which of the given batches are public. */
export function listPublicBatches(context: Context): LiveDataHandlers['listPublicBatches'] {
  return async (request): Promise<ListPublicBatchesResponse> => {
    if (request.batchIds.length > maxBatches) {
      throw new DomainError(
        'INVALID_ARGUMENT',
        'too-many-ids',
        `At most ${maxBatches} batches can be requested at once`,
      );
    }
    const ids = request.batchIds.filter(isLowerCaseUuid);
    return { batchIds: ids.length === 0 ? [] : await publicBatches(context.db.pool, ids) };
  };
}

/** Returns what the rules of retention have removed. */
export function getRetention(context: Context): LiveDataHandlers['getRetention'] {
  return async (): Promise<Retention> => {
    const { lastRun, sums } = await readRetention(context.db);
    return {
      lastRun: lastRun && {
        startedAt: lastRun.startedAt.toISOString(),
        endedAt: lastRun.endedAt?.toISOString() ?? '',
        keepTestRunsDays: lastRun.keepTestRunsDays,
        keepLogsDays: lastRun.keepLogsDays,
        ...numbersOf(lastRun),
      },
      ...numbersOf(sums),
    };
  };
}

type Sums = { readonly [K in 'testRuns' | 'logMatches' | 'hands' | 'bytes']: bigint | null };

const numbersOf = ({ testRuns, logMatches, hands, bytes }: Sums) => ({
  testRuns: Number(testRuns ?? 0),
  logMatches: Number(logMatches ?? 0),
  hands: Number(hands ?? 0),
  bytes: Number(bytes ?? 0),
});
