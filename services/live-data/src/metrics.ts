import type { SeatDetails__Output } from '@husky/contracts/types/live/v1/SeatDetails';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { type CountedHistogram, createCountedHistogram } from '@husky/runtime/telemetry/counted-histogram';
import { type Counter, metrics } from '@opentelemetry/api';
import type { Match } from './domain/match.ts';

const playersOfMatch = 6;
let decisions: CountedHistogram | undefined;

/**
 * Adds the times of all decisions of an accepted match, by its kind. The runner counts them in buckets; their sum is estimated
 * with the middle of each bucket.
 */
export function measureDecisions(
  match: Pick<Match, 'batchId' | 'playerIds'>,
  seats: Iterable<Pick<SeatDetails__Output, 'times'> | null>,
): void {
  decisions ??= createCountedHistogram({
    name: 'husky.bot.decision.duration',
    description: 'Wall time of decisions of bots, from question to reply, by kind of match',
    unit: 'ms',
    bounds: DECISION_BOUNDS_MS,
  });
  for (const details of seats) {
    const times = details?.times;
    if (!times || times.counts.length !== DECISION_BOUNDS_MS.length + 1) continue;
    decisions.add(times.counts, estimateSum(times.counts, times.maxMs), { class: classOf(match) });
  }
}

function estimateSum(counts: readonly number[], maxMs: number): number {
  return counts.reduce((sum, count, bucket) => {
    const from = DECISION_BOUNDS_MS[bucket - 1] ?? 0;
    return sum + (count * (from + (DECISION_BOUNDS_MS[bucket] ?? Math.max(from, maxMs)))) / 2;
  }, 0);
}

// Only test runs have fewer players.
function classOf({ batchId, playerIds }: Pick<Match, 'batchId' | 'playerIds'>): string {
  if (playerIds.length < playersOfMatch) return 'test_run';
  return batchId === null ? 'match' : 'batch_match';
}

let removals: { readonly matches: Counter; readonly bytes: Counter } | undefined;

/** Counts what a rule of retention has removed. */
export function measureRetention(rule: string, removed: { readonly matches: number; readonly bytes: number }): void {
  const meter = metrics.getMeter('husky.live_data');
  removals ??= {
    matches: meter.createCounter('husky.retention.matches', { description: 'Matches with removed data, by rule' }),
    bytes: meter.createCounter('husky.retention.bytes', { description: 'Removed hands and logs, by rule', unit: 'By' }),
  };
  removals.matches.add(removed.matches, { rule });
  removals.bytes.add(removed.bytes, { rule });
}
