import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BotReport } from '@husky/contracts/types/live/v1/BotReport';
import type { GetSeatLogRequest__Output } from '@husky/contracts/types/live/v1/GetSeatLogRequest';
import type { Context } from '../context.ts';
import { addFindings, type DecisionGroup, SeatFindings, sortedGroups } from '../domain/findings.ts';
import { readableAttempt } from '../domain/match.ts';
import { readChunk } from '../domain/record.ts';
import { matchOf } from '../facts.ts';
import { chunksAfter } from '../store/chunks.ts';
import { findSeatReport } from '../store/seat-reports.ts';
import { logNotFound, presentLog } from './get-seat-log.ts';

const mostGroups = 50;

/** Reads all hands of a match for one of its bots; other calls get their turn between chunks. */
export async function getBotReport(context: Context, request: GetSeatLogRequest__Output): Promise<BotReport> {
  const match = await matchOf(context, request.jobId);
  const attempt = readableAttempt(match);
  const seat = match.playerIds.indexOf(request.userId);
  const report = seat < 0 ? null : await findSeatReport(context.db, match.jobId, attempt, seat);
  if (report === null) throw logNotFound();
  const findings = match.playerIds.map(() => new SeatFindings());
  let hands = 0;
  for await (const chunk of chunksAfter(context.db, match.jobId, attempt, 0)) {
    addFindings(findings, readChunk(chunk.bytes));
    hands += chunk.hands;
    await nextTurn();
  }
  const own = findings[seat] ?? new SeatFindings();
  return {
    ...{ log: presentLog(report), details: report.details, decisions: own.decisions },
    ...{ faults: firstGroups(own.faults), faultGroups: own.faults.size },
    ...{ adjusted: firstGroups(own.adjusted), adjustedGroups: own.adjusted.size },
    ...{ seat, attempt, hands },
  };
}

function firstGroups(groups: ReadonlyMap<string, DecisionGroup>): DecisionGroup[] {
  return sortedGroups(groups).slice(0, mostGroups);
}
