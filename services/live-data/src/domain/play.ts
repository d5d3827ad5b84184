import { setImmediate as nextTurn } from 'node:timers/promises';
import { PlayCounters } from '@husky/estimate/play-counters';
import { figuresOf, type PlayFigure } from '@husky/estimate/play-statistics';
import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';

export interface Times {
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
  /** By the buckets of DECISION_BOUNDS_MS. */
  readonly counts: readonly number[];
}

/** A seat of a player in a match. */
interface Seat {
  readonly jobId: string;
  readonly userId: string;
  /** Packed PlayCounters; null while the match is not counted. */
  readonly counts: Uint8Array | null;
  readonly times: Pick<Times, 'maxMs' | 'counts'> | null;
}

export interface PlayerPlay {
  readonly userId: string;
  readonly hands: number;
  readonly figures: readonly PlayFigure[];
  readonly times: Times | null;
}

/** Seats that are added without a pause: a few ms. */
const groupSize = 500;

/** Sums the seats of these players. Lets other calls run between groups of seats. */
export async function sumPlay(
  playerIds: readonly string[],
  seats: readonly Seat[],
): Promise<{ matches: number; pending: number; players: PlayerPlay[] }> {
  const sums = new Map(playerIds.map((userId) => [userId, new PlayCounters()]));
  const matches = new Set<string>();
  const pending = new Set<string>();
  for (const [index, { jobId, userId, counts }] of seats.entries()) {
    if (index % groupSize === groupSize - 1) await nextTurn();
    (counts === null ? pending : matches).add(jobId);
    if (counts !== null) sums.get(userId)?.addPacked(counts);
  }
  const players = [...sums].map(([userId, counters]) => {
    const times = seats.flatMap((seat) => (seat.userId === userId && seat.times !== null ? [seat.times] : []));
    return { userId, hands: counters.ofHands('hands'), figures: figuresOf(counters), times: sumTimes(times) };
  });
  return { matches: matches.size, pending: pending.size, players };
}

/** Adds decision times. A percentile is the upper bound of its bucket, at most the maximum. Null: no decisions. */
export function sumTimes(times: readonly Pick<Times, 'maxMs' | 'counts'>[]): Times | null {
  const counts = Array.from({ length: DECISION_BOUNDS_MS.length + 1 }, (_, place) =>
    times.reduce((sum, one) => sum + (one.counts[place] ?? 0), 0),
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) return null;
  const maxMs = times.reduce((most, one) => Math.max(most, one.maxMs), 0);
  const percentile = (share: number) => {
    let seen = 0;
    const place = counts.findIndex((one) => {
      seen += one;
      return seen >= share * count;
    });
    return Math.min(maxMs, DECISION_BOUNDS_MS[place] ?? maxMs);
  };
  return { count, p50Ms: percentile(0.5), p95Ms: percentile(0.95), maxMs, counts };
}
