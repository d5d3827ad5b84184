import type { Backlog } from '@husky/contracts/types/simulation/v1/Backlog';
import type { ClaimMatchResponse } from '@husky/contracts/types/simulation/v1/ClaimMatchResponse';
import type { ListRunnersResponse } from '@husky/contracts/types/simulation/v1/ListRunnersResponse';
import type { RepetitionCounts } from '@husky/contracts/types/simulation/v1/RepetitionCounts';
import type { ReportRepetitionResponse } from '@husky/contracts/types/simulation/v1/ReportRepetitionResponse';
import type { RunnerTotals } from '@husky/contracts/types/simulation/v1/RunnerTotals';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, SimulationHandlers } from '../context.ts';
import { queueClasses, type RunnerState } from '../domain/job.ts';
import { readBacklog } from '../store/backlog.ts';
import { notifyQueue } from '../store/queue.ts';
import * as store from '../store/repetitions.ts';
import { listRunners as readRunners, cordonRunners as storeCordon } from '../store/runners.ts';
import { createAssignment } from './claim-match.ts';

export function listRunners(context: Context): SimulationHandlers['listRunners'] {
  return async (): Promise<ListRunnersResponse> => presentRunners(context);
}

/** Cordons runners: they get no new lease; a match that they hold continues. */
export function cordonRunners(context: Context): SimulationHandlers['cordonRunners'] {
  return async (request): Promise<ListRunnersResponse> => {
    await storeCordon(context.pool, request.names, request.cordoned, context.now());
    if (!request.cordoned) await notifyQueue(context.pool);
    return presentRunners(context);
  };
}

/** Returns the backlog and the pace of a runner by class, which pool uses for autoscaling. */
export function getBacklog(context: Context): SimulationHandlers['getBacklog'] {
  return async (): Promise<Backlog> => {
    const { leaseSeconds } = context.settings;
    const backlog = await readBacklog(context.pool, { now: context.now(), leaseSeconds });
    return { classes: queueClasses.map((kind) => backlog.get(kind) ?? { kind }) };
  };
}

async function presentRunners(context: Context) {
  const runners = await readRunners(context.pool);
  return {
    runners: runners.map(({ name, state, jobId, cordoned, lastSeen, totals }) => ({
      name,
      state: state as RunnerState,
      jobId: jobId ?? '',
      cordoned,
      lastSeen: lastSeen?.toISOString() ?? '',
      totals: totals as RunnerTotals | null,
    })),
  };
}

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
