import type { DeliverSeatReportResponse } from '@husky/contracts/types/live/v1/DeliverSeatReportResponse';
import type { SeatReport__Output } from '@husky/contracts/types/live/v1/SeatReport';
import { DomainError } from '@husky/runtime/errors';
import type { DealerCall } from '../access.ts';
import type { Context } from '../context.ts';
import { boundedDetails } from '../domain/seat-details.ts';
import { packLog } from '../domain/seat-log.ts';
import { putSeatReport } from '../store/seat-reports.ts';
import { leasedAttempt } from './leased-attempt.ts';

const maxVerdictLength = 500;

export async function deliverSeatReport(
  context: Context,
  request: SeatReport__Output,
  call: DealerCall,
): Promise<DeliverSeatReportResponse> {
  const { jobId, attempt } = call.caller;
  const { match } = await leasedAttempt(context, call);
  if (request.seat < 0 || request.seat >= match.playerIds.length) {
    throw new DomainError('INVALID_ARGUMENT', 'no-such-seat', `This match has no seat ${request.seat}.`);
  }
  await putSeatReport(context.db, {
    jobId,
    attempt,
    seat: request.seat,
    log: new Uint8Array(packLog(request.log)),
    // PostgreSQL's text takes no zero bytes.
    verdict: request.verdict.replaceAll('\0', '').slice(0, maxVerdictLength),
    cpuMs: BigInt(Math.max(0, request.cpuMs)),
    peakKib: BigInt(Math.max(0, request.peakKib)),
    faults: Math.max(0, request.faults),
    details: request.details && boundedDetails(request.details),
  });
  return {};
}
