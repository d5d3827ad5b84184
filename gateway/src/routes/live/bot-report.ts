import type { BotReport__Output } from '@husky/contracts/types/live/v1/BotReport';
import type { FaultGroup__Output } from '@husky/contracts/types/live/v1/FaultGroup';
import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import type { Job__Output } from '@husky/contracts/types/simulation/v1/Job';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { gameIdOf } from '@husky/match/game-id';

/** Presents the report about a bot. Fields that the dealer of an earlier release did not report are null or empty. */
export function presentBotReport(username: string, report: BotReport__Output, job: Job__Output) {
  const { id: jobId, decisionLimits: limits } = job;
  const { details, log, attempt, hands } = report;
  const gameOf = (hand: number) => gameIdOf(jobId, attempt, hand);
  const groups = (list: readonly FaultGroup__Output[]) =>
    list.map(({ kind, text, count, firstHand, firstStep, lastHand }) => ({
      kind,
      text,
      count,
      first_hand: firstHand,
      first_step: firstStep,
      last_hand: lastHand,
      first_game_id: gameOf(firstHand),
    }));
  return {
    job_id: jobId,
    username,
    hands,
    decisions: report.decisions,
    faults: groups(report.faults),
    fault_groups: report.faultGroups,
    failed_calls: (details?.failedCalls ?? []).map(({ method, text, count, firstHand }) => ({
      method,
      text,
      count,
      first_hand: firstHand,
      first_game_id: firstHand > 0 && firstHand <= hands ? gameOf(firstHand) : null,
    })),
    adjusted: groups(report.adjusted),
    adjusted_groups: report.adjustedGroups,
    worst_hand:
      report.worstHand === 0
        ? null
        : { hand: report.worstHand, game_id: gameOf(report.worstHand), delta: report.worstDelta },
    stopped: details && details.outKind !== '' ? { kind: details.outKind, text: details.outText } : null,
    times: presentTimes(details),
    limits: limits && {
      decision_ms: limits.decisionMs,
      bank_ms: limits.bankMs,
      free_ms: limits.freeMs,
    },
    bank_ms: details?.bankMs ?? null,
    bank_used_ms: details?.bankUsedMs ?? null,
    cpu_ms: log?.cpuMs ?? 0,
    peak_memory_kib: log?.peakKib ?? 0,
    verdict: log?.verdict ?? '',
    log: log?.log ?? '',
    notes: log?.notes ?? [],
  };
}

function presentTimes(details: SeatDetails__Output | null) {
  const times = details?.times;
  if (!times) return null;
  const histogram = times.counts.map((count, place) => ({ up_to_ms: DECISION_BOUNDS_MS[place] ?? null, count }));
  return { count: times.count, p50_ms: times.p50Ms, p95_ms: times.p95Ms, max_ms: times.maxMs, histogram };
}
