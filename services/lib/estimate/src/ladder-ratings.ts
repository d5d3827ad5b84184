import { studentQuantile } from './intervals.ts';
import type { LadderEntry } from './ladder-state.ts';

/** What a ladder says of one player, in chips per 100 hands against opponents of the mean strength of the field. */
export interface LadderRating {
  readonly player: string;
  readonly rating: number;
  /** 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** Hands and sets of this version. */
  readonly hands: number;
  readonly sets: number;
  /** Place by rating, from 1. */
  readonly rank: number;
  /** The places that are left by the differences to each other player, at 95 % each. A player is tied if they differ. */
  readonly best: number;
  readonly worst: number;
}

/** A player whose rating is asked for: without a set it has its predecessor's estimate with a wider interval, or the prior. */
export interface LadderPlayer {
  readonly player: string;
  readonly predecessor?: string | null;
}

/** How many sets the assumed variance counts for, when residuals correct an interval. */
const assumedSets = 6;
const upper = 0.975;

interface View {
  readonly row: (player: string) => number | undefined;
  readonly entry: (player: string) => LadderEntry | undefined;
  readonly covariance: (row: number, column: number) => number;
  /** Prior variances: of a strength, and of its change from version to version. */
  readonly strength: number;
  readonly change: number;
}

interface Member extends LadderPlayer {
  readonly row: number | undefined;
  readonly strength: number;
  readonly variance: number;
  readonly hands: number;
  readonly sets: number;
  /** Square of half the width of an interval by the variance. */
  readonly spread: number;
}

/** See `Ladder.ratings`. */
export function rateField(field: readonly LadderPlayer[], view: View): LadderRating[] {
  // A sum in another order has other bits.
  const members = field.map((player) => memberOf(player, view)).sort((a, b) => (a.player < b.player ? -1 : 1));
  const base = members.filter(({ row }) => row !== undefined);
  const weight = 1 / Math.max(1, base.length);
  const rows = base.map(({ row }) => row as number);
  const mean = weight * base.reduce((sum, { strength }) => sum + strength, 0);
  const withMean = members.map(({ row }) => {
    let sum = 0;
    if (row !== undefined) for (const other of rows) sum += view.covariance(row, other);
    return weight * sum;
  });
  const ofMean = weight * withMean.reduce((sum, value) => sum + value, 0);
  const rated = members.map((member, index) => {
    const variance = Math.max(0, member.variance - 2 * (withMean[index] as number) + ofMean);
    return { ...member, rating: member.strength - mean, half: Math.sqrt(variance * member.spread) };
  });
  rated.sort((a, b) => b.rating - a.rating || (a.player < b.player ? -1 : 1));
  const places = placesOf(rated, view);
  return rated.map(({ player, rating, half, hands, sets }, index) => ({
    player,
    rating,
    low: rating - half,
    high: rating + half,
    hands,
    sets,
    rank: index + 1,
    ...(places[index] as Places),
  }));
}

function memberOf({ player, predecessor = null }: LadderPlayer, view: View): Member {
  const row = view.row(player);
  const own = view.entry(player);
  const before = own === undefined && predecessor !== null ? view.entry(predecessor) : undefined;
  const known = own ?? before;
  const knownRow = own !== undefined ? row : predecessor === null ? undefined : view.row(predecessor);
  const variance =
    (knownRow === undefined ? (known?.variance ?? view.strength) : view.covariance(knownRow, knownRow)) +
    (before === undefined ? 0 : view.change);
  const { hands = 0, sets = 0, surprise = 0, weight = 0 } = own ?? {};
  const seats = assumedSets + weight;
  const spread = (studentQuantile(upper, seats) ** 2 * (assumedSets + surprise)) / seats;
  return { player, row, strength: known?.strength ?? 0, variance, hands, sets, spread };
}

interface Places {
  readonly best: number;
  readonly worst: number;
}

function placesOf(rated: readonly (Member & { readonly rating: number })[], view: View): Places[] {
  const ahead = rated.map(() => 0);
  const behind = rated.map(() => 0);
  for (const [i, one] of rated.entries()) {
    for (let j = i + 1; j < rated.length; j++) {
      const other = rated[j] as (typeof rated)[number];
      const shared = one.row === undefined || other.row === undefined ? 0 : view.covariance(one.row, other.row);
      const variance = Math.max(0, one.variance + other.variance - 2 * shared);
      if ((one.rating - other.rating) ** 2 <= (variance * (one.spread + other.spread)) / 2) continue;
      behind[i] = (behind[i] as number) + 1;
      ahead[j] = (ahead[j] as number) + 1;
    }
  }
  return rated.map((_, i) => ({ best: 1 + (ahead[i] as number), worst: rated.length - (behind[i] as number) }));
}
