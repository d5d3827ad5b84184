import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { faultNamed } from '@husky/match/fault';
import { botText } from './bot-text.ts';

const maxFailedCalls = 50;
// PostgreSQL's integers.
const mostCounted = 2 ** 31 - 1;

/** A dealer's details with every field in its bounds, since a bot's words and a faulty dealer's figures are among them. */
export function boundedDetails(details: SeatDetails__Output): SeatDetails__Output {
  const { times } = details;
  return {
    outKind: faultNamed(details.outKind) ?? '',
    outText: botText(details.outText),
    failedCalls: details.failedCalls.slice(0, maxFailedCalls).map(({ method, text, count, firstHand }) => ({
      ...{ method: botText(method, 40), text: botText(text), count: counted(count), firstHand: counted(firstHand) },
    })),
    times: times && {
      ...{ count: counted(times.count), p50Ms: duration(times.p50Ms), p95Ms: duration(times.p95Ms) },
      maxMs: duration(times.maxMs),
      counts: Array.from({ length: DECISION_BOUNDS_MS.length + 1 }, (_, place) => counted(times.counts[place] ?? 0)),
    },
    bankMs: counted(details.bankMs),
    bankUsedMs: counted(details.bankUsedMs),
  };
}

const counted = (value: number) => Math.min(mostCounted, Math.max(0, Math.round(value)));
const duration = (value: number) => (Number.isFinite(value) ? Math.max(0, value) : 0);
