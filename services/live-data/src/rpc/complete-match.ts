import type { CompleteMatchRequest__Output } from '@husky/contracts/types/live/v1/CompleteMatchRequest';
import type { CompleteMatchResponse } from '@husky/contracts/types/live/v1/CompleteMatchResponse';
import { DomainError } from '@husky/runtime/rpc/errors';
import { inSpan } from '@husky/runtime/telemetry/trace-context';
import type { Context, LiveDataHandlers } from '../context.ts';
import { SeatFindings } from '../domain/findings.ts';
import { botText, seatFaults } from '../domain/seat-report.ts';
import { packSeries } from '../domain/series.ts';
import { notifyWatchers } from '../match-feed.ts';
import { measureDecisions } from '../metrics.ts';
import { acceptAttempt, storeVerified } from '../store/attempts.ts';
import { detailsOfSeats } from '../store/seat-reports.ts';
import { verifyMatch } from '../verify.ts';
import { leasedAttempt } from './attempts.ts';

/** Verifies the attempt, stores it as verified, reports the result to simulation and accepts it. Every step is idempotent. */
export function completeMatch(context: Context): LiveDataHandlers['completeMatch'] {
  return async (request, call): Promise<CompleteMatchResponse> => {
    const { jobId, attempt } = call.caller;
    const { match, state } = await leasedAttempt(context, call);
    const digest = Buffer.from(state.digest).toString('hex');
    if (request.handsPlayed !== state.hands) {
      throw refused(`${request.handsPlayed} hands were reported, but ${state.hands} are stored`);
    }
    if (request.digest !== digest) throw refused('the digest is another one than that of the stored hands');
    if (match.acceptedAttempt === attempt) return { accepted: true };

    const intake = context.intakes.find(jobId, attempt);
    const verified = await inSpan('verify hands', {}, () => verifyMatch(context.db, match, state, intake)).catch(
      (error: unknown) => {
        throw error instanceof RangeError ? refused(error.message) : error;
      },
    );
    if (state.hands < match.numRounds && !verified.over) {
      throw refused(`${state.hands} of ${match.numRounds} hands are played and several players still have chips`);
    }
    const endReason = request.endedEarly.replaceAll('\0', '').slice(0, 500);
    const { repacked, index } = verified;
    const series = packSeries(verified.series);
    await inSpan('store match', {}, () =>
      storeVerified(context.db, jobId, attempt, { series, index, endReason, repacked }, new Date(context.now())),
    );

    const details = await detailsOfSeats(context.db, jobId, attempt);
    const { accepted } = await context.simulation.acceptResult({
      jobId,
      attempt,
      handsPlayed: state.hands,
      endedEarly: endReason,
      results: match.playerIds.map((userId, seat) => ({ userId, delta: verified.series[seat]?.at(-1) ?? 0 })),
      digest,
      isPublic: match.isPublic,
      disabled: match.playerIds.flatMap((userId, seat) => {
        const reason = reasonOf(request, seat);
        return reason === '' ? [] : [{ userId, reason }];
      }),
      seatFaults: match.playerIds.map((userId, seat) =>
        seatFaults(userId, verified.findings[seat] ?? new SeatFindings(), details.get(seat) ?? null),
      ),
    });
    if (intake) context.intakes.drop(jobId);
    if (!accepted) return { accepted: false };
    await acceptAttempt(context.db, jobId, attempt, new Date(context.now()));
    measureDecisions(match, details.values());
    context.values.enqueue(jobId);
    context.log.info({ jobId, attempt, hands: state.hands }, `match ${jobId} is stored completely`);
    notifyWatchers(context.messaging, jobId);
    return { accepted: true };
  };
}

/** Returns the runner's reason why a seat's bot was disabled; '' if it was not. */
function reasonOf(request: CompleteMatchRequest__Output, seat: number): string {
  return botText(request.disabled.find((one) => one.seat === seat)?.reason ?? '');
}

function refused(why: string): DomainError {
  return new DomainError('FAILED_PRECONDITION', 'match-does-not-verify', `The match cannot be accepted: ${why}.`);
}
