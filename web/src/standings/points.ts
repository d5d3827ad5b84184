import { rankOf } from '@husky/match/ranks';
import type { Estimate, EstimatorId, PlayerEstimates, StandingsResponse } from '../lib/types.ts';

/** Estimators in the order of their columns, with the sentence that says what the number means. */
export const ESTIMATORS: Readonly<Record<EstimatorId, { label: string; meaning: string }>> = {
  raw: {
    label: 'Raw',
    meaning: 'Winnings per 100 hands as they were played, good and bad cards included.',
  },
  adjusted: {
    label: 'Adjusted',
    meaning:
      'The same winnings without the part that the cards alone decided: luck of the deal and of the board is taken out.',
  },
  duplicate: {
    label: 'Duplicate',
    meaning:
      'Winnings per 100 hands over deals that were played six times, so that every player held the cards of every seat once.',
  },
  duplicate_adjusted: {
    label: 'Duplicate and adjusted',
    meaning: 'Duplicate deals with the luck of the cards taken out as well: usually the most precise of the four.',
  },
};

export const ESTIMATOR_IDS = Object.keys(ESTIMATORS) as EstimatorId[];

export type Unit = 'chips' | 'bb';
export const UNITS: Readonly<Record<Unit, string>> = { chips: 'Chips per 100 hands', bb: 'Big blinds per 100 hands' };

export type Sort = 'points' | 'name' | 'rating' | 'hands';
export const SORTS: Readonly<Record<Sort, string>> = {
  points: 'Points',
  name: 'Player',
  rating: 'Rating',
  hands: 'Hands',
};

export type Interval = { value: number; low: number; high: number };

/** Returns an estimate and its 95 % interval in a unit. */
export function inUnit(estimate: Estimate, unit: Unit): Interval {
  return unit === 'bb'
    ? { value: estimate.bb_per_100, low: estimate.bb_low, high: estimate.bb_high }
    : { value: estimate.chips_per_100, low: estimate.low, high: estimate.high };
}

const signed = (digits: number) =>
  new Intl.NumberFormat('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: 'exceptZero',
  });
const FORMATS = { chips: signed(1), bb: signed(2) };

/** Formats points with their sign: '+123.4' chips, '-1.23' big blinds. */
export function formatPoints(value: number, unit: Unit): string {
  return FORMATS[unit].format(value);
}

/** Returns the estimators that have an estimate for at least one player. */
export function availableEstimators(players: readonly PlayerEstimates[]): EstimatorId[] {
  return ESTIMATOR_IDS.filter((id) => players.some(({ estimates }) => estimates[id] !== null));
}

export type RankedPlayer = PlayerEstimates & {
  /** '3', or '2–4': the places that the data leave to the player; null without an estimate. */
  rank: string | null;
  /** Names of the players that the data cannot tell apart from this one. */
  tiedWith: string[];
};

/** Sorts players by the estimates of one estimator, best first, those without an estimate last. */
export function rankPlayers(players: readonly PlayerEstimates[], estimator: EstimatorId): RankedPlayer[] {
  const points = ({ estimates }: PlayerEstimates) => estimates[estimator]?.chips_per_100 ?? Number.NEGATIVE_INFINITY;
  // Equal points keep the order of the response, by user id.
  const sorted = players.toSorted((a, b) => points(b) - points(a) || 0);
  return sorted.map((player, index) => {
    if (player.estimates[estimator] === null) return { ...player, rank: null, tiedWith: [] };
    const group = player.groups[estimator];
    const tied = sorted.flatMap((other, at) => {
      const sameGroup = group !== null && other.groups[estimator] === group;
      return sameGroup || points(other) === points(player) ? [at] : [];
    });
    const rank = rankOf(points(player), sorted.map(points));
    const { best, worst } = player.ranks[estimator] ?? { best: rank, worst: rank };
    return {
      ...player,
      rank: best === worst ? String(best) : `${best}–${worst}`,
      tiedWith: tied.filter((at) => at !== index).map((at) => sorted[at]?.username ?? ''),
    };
  });
}

/** Sorts ranked players. 'points' keeps the order of the ranks. */
export function sortPlayers(ranked: readonly RankedPlayer[], sort: Sort): RankedPlayer[] {
  const rating = (player: RankedPlayer) => player.rating?.value ?? Number.NEGATIVE_INFINITY;
  if (sort === 'name') return ranked.toSorted((a, b) => a.username.localeCompare(b.username));
  if (sort === 'rating') return ranked.toSorted((a, b) => rating(b) - rating(a));
  if (sort === 'hands') return ranked.toSorted((a, b) => b.hands - a.hands);
  return [...ranked];
}

/** Returns the estimator to show: the requested one if it has estimates, otherwise that of the pairs, otherwise the last with any. */
export function chooseEstimator(standings: StandingsResponse, requested: string | null): EstimatorId {
  const available = availableEstimators(standings.players);
  return (
    available.find((id) => id === requested) ??
    available.find((id) => id === standings.pairs.estimator) ??
    available.at(-1) ??
    'raw'
  );
}
