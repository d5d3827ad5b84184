import type { GetSeatLogRequest__Output } from '@husky/contracts/types/live/v1/GetSeatLogRequest';
import type { SeatLog } from '@husky/contracts/types/live/v1/SeatLog';
import { DomainError } from '@husky/runtime/errors';
import type { Context } from '../context.ts';
import { readableAttempt } from '../domain/match.ts';
import { unpackLog } from '../domain/seat-log.ts';
import { matchOf } from '../facts.ts';
import { findSeatReport, type StoredReport } from '../store/seat-reports.ts';

export async function getSeatLog(context: Context, request: GetSeatLogRequest__Output): Promise<SeatLog> {
  const match = await matchOf(context, request.jobId);
  const seat = match.playerIds.indexOf(request.userId);
  const report = seat < 0 ? null : await findSeatReport(context.db, match.jobId, readableAttempt(match), seat);
  if (report === null) throw logNotFound();
  return presentLog(report);
}

export function logNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'log-not-found', 'There is no log of this bot yet.');
}

export function presentLog(report: StoredReport): SeatLog {
  return {
    log: unpackLog(report.log),
    verdict: report.verdict,
    cpuMs: Number(report.cpuMs),
    peakKib: Number(report.peakKib),
    faults: report.faults,
  };
}
