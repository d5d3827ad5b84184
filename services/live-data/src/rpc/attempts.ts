import type { DeliverSeatReportResponse } from '@husky/contracts/types/live/v1/DeliverSeatReportResponse';
import type { OpenAttemptResponse } from '@husky/contracts/types/live/v1/OpenAttemptResponse';
import { RULES_VERSION } from '@husky/match/rules-version';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { DealerCall } from '../access.ts';
import type { Context, LiveDataHandlers } from '../context.ts';
import type { Match } from '../domain/match.ts';
import { startState } from '../domain/record.ts';
import { leaseLost } from '../domain/refusals.ts';
import { limitDetails, packLog } from '../domain/seat-report.ts';
import { loadMatch } from '../load-match.ts';
import { notifyWatchers } from '../match-feed.ts';
import { type Attempt, findAttempt, openAttempt as store } from '../store/attempts.ts';
import { putSeatReport } from '../store/seat-reports.ts';

const dayMs = 24 * 3600 * 1000;

/** Opens the attempt of the caller's lease and voids earlier ones. Idempotent. */
export function openAttempt(context: Context): LiveDataHandlers['openAttempt'] {
  return async (request, { caller: { jobId, attempt } }): Promise<OpenAttemptResponse> => {
    const match = await loadMatch(context, jobId);
    const now = context.now();
    // Ignores the time of a runner whose clock differs by more than a day.
    const startedAt = new Date(Math.abs(request.startedAtMs - now) < dayMs ? request.startedAtMs : now);
    const { opened } = await store(context.db, jobId, attempt, startedAt, startState(match, attempt));
    if (opened) {
      context.intakes.open(match, attempt);
      context.log.info({ jobId, attempt }, `attempt ${attempt} of match ${jobId} is open`);
      notifyWatchers(context.messaging, jobId);
    }
    return { rulesVersion: RULES_VERSION };
  };
}

const maxVerdictLength = 500;

/** Stores the output and usage of a seat. A later report of the same seat replaces it. */
export function deliverSeatReport(context: Context): LiveDataHandlers['deliverSeatReport'] {
  return async (request, call): Promise<DeliverSeatReportResponse> => {
    const { jobId, attempt } = call.caller;
    const intake = context.intakes.find(jobId, attempt);
    const match = intake?.match ?? (await leasedAttempt(context, call)).match;
    call.check(match);
    if (request.seat < 0 || request.seat >= match.playerIds.length) {
      throw new DomainError('INVALID_ARGUMENT', 'no-such-seat', `This match has no seat ${request.seat}.`);
    }
    const stored = await putSeatReport(context.db, {
      jobId,
      attempt,
      seat: request.seat,
      log: new Uint8Array(packLog(request.log)),
      // PostgreSQL text cannot contain NUL.
      verdict: request.verdict.replaceAll('\0', '').slice(0, maxVerdictLength),
      cpuMs: BigInt(Math.max(0, request.cpuMs)),
      peakKib: BigInt(Math.max(0, request.peakKib)),
      faults: Math.max(0, request.faults),
      details: request.details && limitDetails(request.details),
    });
    if (!stored) throw leaseLost();
    return {};
  };
}

/** Returns match and attempt of the caller's lease. Throws ABORTED if the lease is lost. */
export async function leasedAttempt(
  context: Context,
  call: DealerCall,
): Promise<{ readonly match: Match; readonly state: Attempt }> {
  const { jobId, attempt } = call.caller;
  const match = await loadMatch(context, jobId);
  call.check(match);
  const state = await findAttempt(context.db, jobId, attempt);
  if (state === null) throw leaseLost();
  return { match, state };
}
