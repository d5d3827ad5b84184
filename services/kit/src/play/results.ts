import type { Interval } from '@husky/estimate/intervals';
import { sumBlocks } from '@husky/estimate/match-sums';
import { computeStandings, type MatchSums } from '@husky/estimate/standings';
import { DECISION_BOUNDS_MS, decisionPercentile } from '@husky/match/decision-times';
import type { PlayRequest, PlaySettings } from './request.ts';
import type { FailedCall, MatchSummary, SeatSummary } from './summary.ts';

const perHands = 100;

/** One bot over all matches of a request. */
export interface BotResult {
  readonly bot: string;
  readonly net: number;
  readonly hands: number;
  /** Chips for 100 hands with a 95 % interval; the interval is null with fewer than two independent matches or deal sets. */
  readonly per_100: { readonly mean: number; readonly low: number | null; readonly high: number | null };
  /** The same without luck, only for `luck` of a request; null with fewer than two independent matches or deal sets. */
  readonly adjusted_per_100?: Interval | null;
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
  const standings = computeStandings(matches.map((match) => sumsOf(match, settings)));
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
    const estimates = standings.players.find(({ player }) => player === String(bot))?.estimates;
    const interval = estimates?.raw?.chips;
    return {
      bot: name,
      net,
      hands,
      per_100: {
        mean: hands === 0 ? 0 : (perHands * net) / hands,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
      },
      ...(request.luck && {
        adjusted_per_100: estimates?.duplicate_adjusted?.chips ?? estimates?.adjusted?.chips ?? null,
      }),
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

/** Returns the sums of a match; players are the numbers of bots. */
function sumsOf(
  { deal_set: dealSet, seats, nets, adjusted }: MatchSummary,
  { hands, stacks, ...settings }: PlaySettings,
): MatchSums {
  const bigBlind = settings.blinds.big_blind;
  const bigBlinds = nets[0]?.map(() => bigBlind) ?? [];
  return {
    seed: String(dealSet),
    players: seats.map(({ bot }) => String(bot)),
    stacks,
    startingStack: settings.starting_stack,
    bigBlind,
    blocks: sumBlocks(nets, adjusted ?? null, bigBlinds, hands),
  };
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
