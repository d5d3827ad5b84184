import type { DeliverSeatReportResponse } from '@husky/contracts/types/live/v1/DeliverSeatReportResponse';
import type { SeatReport__Output } from '@husky/contracts/types/live/v1/SeatReport';
import { requireLease } from '@husky/runtime/caller';
import { DomainError } from '@husky/runtime/errors';
import type { Call } from '@husky/runtime/grpc-server';
import type { Context } from '../context.ts';
import { leaseLost } from '../domain/access.ts';
import { holdsLease } from '../domain/match.ts';
import { packLog } from '../domain/seat-log.ts';
import { matchOf } from '../facts.ts';
import { findAttempt } from '../store/attempts.ts';
import { putSeatReport } from '../store/seat-reports.ts';

const maxVerdictLength = 500;

export async function deliverSeatReport(
  context: Context,
  request: SeatReport__Output,
  call: Call,
): Promise<DeliverSeatReportResponse> {
  const { jobId, attempt } = requireLease(call.caller);
  const match = await matchOf(context, jobId);
  if (!holdsLease(match, attempt) || (await findAttempt(context.db, jobId, attempt)) === null) throw leaseLost();
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
  });
  return {};
}
