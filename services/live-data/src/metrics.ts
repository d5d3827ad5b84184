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

const archiveOperations = ['write', 'read', 'delete'] as const;
export type ArchiveOperation = (typeof archiveOperations)[number];

let archived: { readonly matches: Counter; readonly bytes: Counter; readonly failures: Counter } | undefined;

/** Creates the counters of the archive at the first call. */
function archiveCounters() {
  if (archived !== undefined) return archived;
  const meter = metrics.getMeter('husky.live_data');
  archived = {
    matches: meter.createCounter('husky.archive.matches', { description: 'Matches moved to the archive' }),
    bytes: meter.createCounter('husky.archive.bytes', { description: 'Size of their objects', unit: 'By' }),
    failures: meter.createCounter('husky.archive.failures', {
      description: 'Failed writes, reads and deletions of objects, by operation',
    }),
  };
  archived.matches.add(0);
  archived.bytes.add(0);
  for (const operation of archiveOperations) archived.failures.add(0, { operation });
  return archived;
}

/** Exports the counters of the archive as 0: PromQL's rate() does not see an increase before the first sample. */
export const startArchiveMetrics = (): void => void archiveCounters();

/** Counts a match that was moved to the archive. */
export function measureArchived(bytes: number): void {
  const counters = archiveCounters();
  counters.matches.add(1);
  counters.bytes.add(bytes);
}

/** Counts an object that could not be written, read or deleted, or was read damaged. */
export function countArchiveFailure(operation: ArchiveOperation): void {
  archiveCounters().failures.add(1, { operation });
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
