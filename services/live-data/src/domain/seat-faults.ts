import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import type { SeatFaults } from '@husky/contracts/types/simulation/v1/SeatFaults';
import { faultNamed } from '@husky/match/fault';
import type { SeatFindings } from './findings.ts';
import { botText } from './seat-report.ts';

/**
 * Returns the faults of one bot: failed decisions from the verified hands, the rest from the dealer's report. `details` is
 * null for dealers of earlier releases.
 */
export function seatFaults(userId: string, findings: SeatFindings, details: SeatDetails__Output | null): SeatFaults {
  const counts = new Map<string, number>();
  for (const { kind, count } of findings.faults.values()) counts.set(kind, (counts.get(kind) ?? 0) + count);
  const outKind = faultNamed(details?.outKind ?? '') ?? '';
  const startups = counts.get('startup') ?? 0;
  return {
    userId,
    decisions: findings.decisions,
    counts: [...counts].map(([kind, count]) => ({ kind, count })),
    failedCalls: (details?.failedCalls ?? []).reduce((sum, { count }) => sum + count, 0),
    // Without details a bot that failed to start has a startup fault in every decision.
    neverStarted: details === null ? startups > 0 && startups === findings.decisions : outKind === 'startup',
    outKind,
    ...firstOf(findings, details),
  };
}

function firstOf(findings: SeatFindings, details: SeatDetails__Output | null) {
  const { first } = findings;
  const call = details?.failedCalls.toSorted((a, b) => a.firstHand - b.firstHand)[0];
  // A failed on_start of the same hand is the cause of what follows.
  const isEarlier = first === null || (call?.firstHand ?? 0) < first.hand + Number(call?.method === 'on_start');
  if (call !== undefined && isEarlier) {
    return {
      firstKind: 'callback',
      firstHand: call.firstHand,
      firstStep: 0,
      firstText: `${call.method}: ${call.text}`,
    };
  }
  if (first === null) {
    const outKind = details?.outKind ?? '';
    return { firstKind: outKind, firstHand: 0, firstStep: 0, firstText: details?.outText ?? '' };
  }
  // A seat that is out folds without a note; the reason is in the report.
  const text = first.text === '' && first.kind === details?.outKind ? details.outText : first.text;
  return { firstKind: first.kind, firstHand: first.hand, firstStep: first.step, firstText: botText(text) };
}
