import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BotReport } from '@husky/contracts/types/live/v1/BotReport';
import type { SeatLog } from '@husky/contracts/types/live/v1/SeatLog';
import { showControls } from '@husky/match/plain-text';
import { DomainError } from '@husky/runtime/rpc/errors';
import type { Context, LiveDataHandlers } from '../context.ts';
import { addFindings, type DecisionGroup, SeatFindings, sortGroups } from '../domain/findings.ts';
import { readableAttempt } from '../domain/match.ts';
import { readChunk } from '../domain/record.ts';
import { handsRemoved, logRemoved, logRemovedText } from '../domain/refusals.ts';
import { unpackLog } from '../domain/seat-report.ts';
import { loadMatch } from '../load-match.ts';
import { chunksAfter } from '../store/chunks.ts';
import { findSeatReport, type StoredReport } from '../store/seat-reports.ts';

/** Returns the log of a bot in the readable attempt. */
export function getSeatLog(context: Context): LiveDataHandlers['getSeatLog'] {
  return async (request, call): Promise<SeatLog> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const seat = match.playerIds.indexOf(request.userId);
    const report = seat < 0 ? null : await findSeatReport(context.db, match.jobId, readableAttempt(match), seat);
    if (report === null) throw logNotFound();
    if (match.logsRemovedAt !== null) throw logRemoved(match.logsRemovedAt);
    return presentLog(report, null);
  };
}

function logNotFound(): DomainError {
  return new DomainError('NOT_FOUND', 'log-not-found', 'There is no log of this bot yet.');
}

function presentLog(report: StoredReport, removedAt: Date | null): SeatLog {
  return {
    log: removedAt === null ? showControls(unpackLog(report.log)) : logRemovedText(removedAt),
    verdict: report.verdict,
    cpuMs: Number(report.cpuMs),
    peakKib: Number(report.peakKib),
    faults: report.faults,
    // Earlier releases have their notes at the end of the log.
    notes: removedAt === null ? (report.details?.notes ?? []) : [],
  };
}

const maxGroups = 50;

/** Groups the faults of a bot over all hands of a match. Lets other calls run between chunks. */
export function getBotReport(context: Context): LiveDataHandlers['getBotReport'] {
  return async (request, call): Promise<BotReport> => {
    const match = await loadMatch(context, request.jobId);
    call.check(match);
    const attempt = readableAttempt(match);
    const seat = match.playerIds.indexOf(request.userId);
    const report = seat < 0 ? null : await findSeatReport(context.db, match.jobId, attempt, seat);
    if (report === null) throw logNotFound();
    if (match.handsRemovedAt !== null) throw handsRemoved(match.handsRemovedAt);
    const findings = match.playerIds.map(() => new SeatFindings());
    let hands = 0;
    let worst = { hand: 0, delta: 0 };
    for await (const chunk of chunksAfter(context.db, match.jobId, attempt, 0)) {
      const content = readChunk(chunk.bytes);
      addFindings(findings, content);
      for (const [index, { deltas }] of content.hands.entries()) {
        const delta = deltas[seat] ?? 0;
        if (delta < worst.delta) worst = { hand: content.firstHand + index, delta };
      }
      hands += chunk.hands;
      await nextTurn();
    }
    const own = findings[seat] ?? new SeatFindings();
    return {
      log: presentLog(report, match.logsRemovedAt),
      details: report.details,
      decisions: own.decisions,
      faults: firstGroups(own.faults),
      faultGroups: own.faults.size,
      adjusted: firstGroups(own.adjusted),
      adjustedGroups: own.adjusted.size,
      seat,
      attempt,
      hands,
      worstHand: worst.hand,
      worstDelta: worst.delta,
    };
  };
}

function firstGroups(groups: ReadonlyMap<string, DecisionGroup>): DecisionGroup[] {
  return sortGroups(groups).slice(0, maxGroups);
}
