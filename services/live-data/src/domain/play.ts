import { setImmediate as nextTurn } from 'node:timers/promises';
import { PlayCounters } from '@husky/estimate/play-counters';
import { figuresOf, type PlayFigure } from '@husky/estimate/play-statistics';
import { DECISION_BOUNDS_MS, decisionPercentile } from '@husky/match/decision-times';
import { curvePoints } from './results.ts';

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
  /** Chips won. */
  readonly net: number;
  /** Chips won without luck; null while they are not computed. */
  readonly adjusted: number | null;
}

/** Cumulative chips after numbers of matches, over the matches whose values without luck are computed. */
export interface LuckCurve {
  readonly points: readonly number[];
  readonly raw: readonly number[];
  readonly adjusted: readonly number[];
  /** Matches without values. */
  readonly pending: number;
}

export interface PlayerPlay {
  readonly userId: string;
  readonly hands: number;
  readonly figures: readonly PlayFigure[];
  readonly times: Times | null;
  readonly luck: LuckCurve;
}

/** Number of seats that are added before other calls may run: a few ms. */
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
    const own = seats.filter((seat) => seat.userId === userId);
    const times = sumTimes(own.flatMap((seat) => seat.times ?? []));
    return { userId, hands: counters.ofHands('hands'), figures: figuresOf(counters), times, luck: luckCurve(own) };
  });
  return { matches: matches.size, pending: pending.size, players };
}

/** Returns the cumulative nets, with and without luck, over seats in order. */
export function luckCurve(seats: readonly Pick<Seat, 'net' | 'adjusted'>[]): LuckCurve {
  const valued = seats.flatMap(({ net, adjusted }) => (adjusted === null ? [] : [{ net, adjusted }]));
  const points = curvePoints(valued.length);
  const sums = { raw: [0], adjusted: [0] };
  let [raw, cents] = [0, 0];
  for (const [index, { net, adjusted }] of valued.entries()) {
    raw += net;
    cents += Math.round(100 * adjusted);
    if (points[sums.raw.length] !== index + 1) continue;
    sums.raw.push(raw);
    sums.adjusted.push(cents / 100);
  }
  return { points, ...sums, pending: seats.length - valued.length };
}

/** Adds decision times. A percentile is the upper bound of its bucket, at most the maximum. Null: no decisions. */
export function sumTimes(times: readonly Pick<Times, 'maxMs' | 'counts'>[]): Times | null {
  const counts = Array.from({ length: DECISION_BOUNDS_MS.length + 1 }, (_, bucket) =>
    times.reduce((sum, one) => sum + (one.counts[bucket] ?? 0), 0),
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) return null;
  const maxMs = times.reduce((max, one) => Math.max(max, one.maxMs), 0);
  const percentile = (share: number) => decisionPercentile(counts, share, maxMs);
  return { count, p50Ms: percentile(0.5), p95Ms: percentile(0.95), maxMs, counts };
}
