import { estimateMean } from '@husky/estimate/intervals';
import { sumBlocks } from '@husky/estimate/match-sums';
import { DECISION_BOUNDS_MS, decisionPercentile } from '@husky/match/decision-times';
import type { PlayRequest, PlaySettings } from './request.ts';
import type { FailedCall, MatchSummary, SeatSummary } from './summary.ts';

const perHands = 100;
/** Minimum number of matches with carried stacks for which intervals use whole matches as independent sums instead of blocks of hands. */
const minMatches = 5;

/** One bot over all matches of a request. */
export interface BotResult {
  readonly bot: string;
  readonly net: number;
  readonly hands: number;
  /** Chips for 100 hands with a 95 % interval; the interval is null with fewer than five independent sums. */
  readonly per_100: { readonly mean: number; readonly low: number | null; readonly high: number | null };
  readonly faults: Readonly<Record<string, number>>;
  readonly first_fault: {
    readonly match: number;
    readonly hand: number;
    readonly fault: string;
    readonly text: string;
  } | null;
  readonly failed_calls: number;
  readonly first_failed_call: FailedCall | null;
  readonly disabled: string;
  readonly decisions: number;
  readonly decision_ms: { readonly p50: number; readonly p95: number; readonly max: number };
  readonly cpu_ms: number;
  readonly peak_mib: number;
}

/** Returns the results by bot, in the order of the request. */
export function resultsOf(request: PlayRequest, settings: PlaySettings, matches: readonly MatchSummary[]): BotResult[] {
  return request.bots.map(({ name }, bot) => {
    const played = matches.flatMap((match) =>
      match.seats.flatMap((seat, number) =>
        seat.bot === bot ? [{ match, seat, nets: match.nets[number] ?? [] }] : [],
      ),
    );
    const seats = played.map(({ seat }) => seat);
    const sum = (of: (seat: SeatSummary) => number) => seats.reduce((total, seat) => total + of(seat), 0);
    const faults: Record<string, number> = {};
    for (const seat of seats)
      for (const [fault, count] of Object.entries(seat.faults)) faults[fault] = (faults[fault] ?? 0) + count;
    const firstFaulty = played.find(({ seat }) => seat.first_fault !== null);
    const hands = played.reduce((total, { nets }) => total + nets.length, 0);
    const net = sum((seat) => seat.net);
    const interval = estimateMean(sampleOf(played, settings));
    return {
      bot: name,
      net,
      hands,
      per_100: {
        mean: hands === 0 ? 0 : (perHands * net) / hands,
        low: interval === null ? null : perHands * interval.low,
        high: interval === null ? null : perHands * interval.high,
      },
      faults,
      first_fault: firstFaulty?.seat.first_fault
        ? { match: firstFaulty.match.index + 1, ...firstFaulty.seat.first_fault }
        : null,
      first_failed_call: seats.find((seat) => seat.first_failed_call !== null)?.first_failed_call ?? null,
      failed_calls: sum((seat) => seat.failed_calls),
      disabled: seats.find(({ disabled }) => disabled !== '')?.disabled ?? '',
      decisions: sum((seat) => seat.decisions),
      decision_ms: timesOf(seats),
      cpu_ms: sum((seat) => seat.cpu_ms),
      peak_mib: Math.max(0, ...seats.map(({ peak_kib: kib }) => kib)) / 1024,
    };
  });
}

/**
 * Returns the independent sums of a bot: whole matches if their stacks carry and there are at least five, otherwise blocks of hands.
 * Rotations of a deal set have the same cards and are added up.
 */
function sampleOf(
  played: readonly { readonly match: MatchSummary; readonly nets: readonly number[] }[],
  { hands: planned, stacks }: PlaySettings,
): { sums: Float64Array; hands: Float64Array } {
  const dealSets = new Set(played.map(({ match }) => match.deal_set)).size;
  const whole = stacks === 'carry' && dealSets >= minMatches;
  const clusters = new Map<string, { sum: number; hands: number }>();
  for (const { match, nets } of played) {
    const blocks = sumBlocks(
      [nets],
      null,
      nets.map(() => 1),
      planned,
    );
    for (const [block, hands] of blocks.hands.entries()) {
      if (hands === 0) continue;
      const key = whole ? `${match.deal_set}` : `${match.deal_set}:${block}`;
      const cluster = clusters.get(key) ?? { sum: 0, hands: 0 };
      cluster.sum += blocks.sums.raw?.[block] ?? 0;
      cluster.hands += hands;
      clusters.set(key, cluster);
    }
  }
  const all = [...clusters.values()];
  return { sums: Float64Array.from(all, ({ sum }) => sum), hands: Float64Array.from(all, ({ hands }) => hands) };
}

/** Returns the percentiles of decision times: exact for a single match, over several matches the upper bounds of their buckets. */
function timesOf(seats: readonly SeatSummary[]): BotResult['decision_ms'] {
  const [only] = seats;
  if (seats.length === 1 && only) return { p50: only.times.p50_ms, p95: only.times.p95_ms, max: only.times.max_ms };
  const max = Math.max(0, ...seats.map(({ times }) => times.max_ms));
  const counts = [...DECISION_BOUNDS_MS, max].map((_, bucket) =>
    seats.reduce((sum, { times }) => sum + (times.counts[bucket] ?? 0), 0),
  );
  return { p50: decisionPercentile(counts, 0.5, max), p95: decisionPercentile(counts, 0.95, max), max };
}
