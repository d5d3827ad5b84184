import type { ClaimMatchResponse } from '@husky/contracts/types/simulation/v1/ClaimMatchResponse';
import type { RepetitionCounts } from '@husky/contracts/types/simulation/v1/RepetitionCounts';
import type { ReportRepetitionResponse } from '@husky/contracts/types/simulation/v1/ReportRepetitionResponse';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import * as store from '../store/repetitions.ts';
import { createAssignment } from './claim-match.ts';

const outcomes: readonly string[] = ['equal', 'different', 'not_compared', 'stopped'];
const maxCauseLength = 300;

/** Leases a drawn match to a runner that has none, unless a match needs runners. */
export function claimRepetition(context: Context): SimulationHandlers['claimRepetition'] {
  return async (request, call): Promise<ClaimMatchResponse> => {
    const runner = request.runner || call.caller.name;
    const claimant = { runner, rulesVersion: Math.max(1, request.rulesVersion) };
    const lease = await store.claimRepetition(context.pool, claimant, context.now());
    return lease ? { assignment: await createAssignment(context, runner, lease, () => '') } : {};
  };
}

/** Renews or ends a repetition. */
export function reportRepetition(context: Context): SimulationHandlers['reportRepetition'] {
  return async ({ outcome, hand, act, byLimit, cause }, { caller }): Promise<ReportRepetitionResponse> => {
    const { jobId, runner } = caller;
    const now = context.now();
    if (outcome === '') {
      const isOwn = await store.renewRepetition(context.pool, jobId, runner, now);
      return { cancel: !isOwn || (await store.isBusy(context.pool)) };
    }
    if (!isOutcome(outcome))
      throw new DomainError('INVALID_ARGUMENT', 'outcome-invalid', `There is no outcome ${outcome}.`);
    const result = { outcome, hand, act, byLimit, cause: cause.replaceAll('\0', '').slice(0, maxCauseLength) };
    await store.endRepetition(context.pool, jobId, runner, result, now);
    context.log.info({ jobId, ...result }, `match ${jobId} was played again: ${outcome}`);
    return { cancel: false };
  };
}

const isOutcome = (text: string): text is store.RepetitionOutcome => outcomes.includes(text);

/** Counts the drawn matches by result. */
export function countRepetitions(context: Context): SimulationHandlers['countRepetitions'] {
  return async (): Promise<RepetitionCounts> => {
    const { lastDrawnAt, ...counts } = await store.countRepetitions(context.pool);
    return { ...counts, lastDrawnAt: lastDrawnAt?.toISOString() ?? '' };
  };
}
