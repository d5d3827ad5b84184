import type { Estimate__Output } from '@husky/contracts/types/live/v1/Estimate';
import type { Standings__Output } from '@husky/contracts/types/live/v1/Standings';
import { csvLine } from '@husky/match/csv';
import type { presentStop } from '../llm/present.ts';
import { byEstimator, estimators, modelsOf } from './standings-models.ts';
import type { StandingsBody } from './standings-schema.ts';

type Player = StandingsBody['players'][number];

const unknown = -1;

/** Presents standings. `scope`: the requested one. `stop`: the rule that has ended the batch; null: none. `metadata`: of its batches. */
export function presentStandings(
  standings: Standings__Output,
  scope: StandingsBody['scope'],
  stop: ReturnType<typeof presentStop>,
  nameOf: (id: string) => string,
  metadata: readonly string[],
  counts: StandingsBody['counts'],
): StandingsBody {
  const usernames = standings.players.map(({ userId }) => nameOf(userId));
  const known = <Value>(value: Value | undefined) => value ?? null;
  const players = standings.players.map(({ userId, hands, matches, deals, estimates, groups, ranks, rating }) => ({
    username: nameOf(userId),
    hands,
    matches,
    deals,
    estimates: byEstimator((one) => presentEstimate(estimates[one])),
    groups: byEstimator((one) => known(groups[one])),
    ranks: byEstimator((one) => {
      const { best, worst } = ranks[one] ?? {};
      return best === undefined || worst === undefined ? null : { best, worst };
    }),
    rating: rating && { value: rating.value, low: rating.low, high: rating.high },
  }));
  return {
    scope,
    state: stateOf(standings),
    progress: { matches: standings.done, of: standings.of },
    methodology_version: standings.methodologyVersion,
    computed_at: standings.computedAt || null,
    mode: modeOf(standings.mode),
    matches: standings.matches,
    hands: standings.hands,
    deals: standings.deals,
    players,
    models: modelsOf(players, metadata),
    pairs: {
      estimator: estimators.find((one) => one === standings.pairsEstimator) ?? 'raw',
      usernames,
      better: rowsOf(standings.better, usernames.length),
      hands_needed: rowsOf(standings.handsNeeded, usernames.length),
    },
    heads_up: standings.headsUp.map(({ userId, opponentId, hands, chips, interval }) => ({
      username: nameOf(userId),
      opponent: nameOf(opponentId),
      hands,
      chips_per_100: chips,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
    })),
    rating_check: standings.ratingCheck && {
      pairs: standings.ratingCheck.pairs,
      expected: standings.ratingCheck.expected,
      correct: standings.ratingCheck.correct,
      standard_error: standings.ratingCheck.standardError,
    },
    anytime: stop?.players ?? null,
    counts,
    notes: [...(isReduced(counts) ? [counts.note] : []), ...standings.notes, ...notesOnStop(stop)],
  };
}

/** Whether somebody has taken played matches out of the numbers. */
const isReduced = ({ deleted, not_public }: StandingsBody['counts']) => deleted + not_public > 0;

function notesOnStop(stop: ReturnType<typeof presentStop>): string[] {
  if (stop === null) return [];
  const ended = 'This batch ended by its stopping rule: its fixed-sample intervals are optimistic.';
  if (stop.outdated) return [`${ended} The test was of an earlier version, whose error rate did not hold.`];
  if (stop.players === null) return [ended];
  const chips = (value: number) => Math.round(value).toLocaleString('en');
  const intervals = stop.players.map(({ username, low, high }) => `${username} ${chips(low)} to ${chips(high)}`);
  const share = Number((100 * (1 - stop.alpha)).toPrecision(6));
  return [
    `${ended} The anytime intervals, in raw chips per 100 hands, hold all together with a probability of ${share} %: ${intervals.join('; ')}.`,
  ];
}

function stateOf({ computing, computedAt, matches }: Standings__Output): StandingsBody['state'] {
  if (computing || computedAt === '') return 'computing';
  return matches === 0 ? 'empty' : 'ready';
}

function modeOf(mode: string): StandingsBody['mode'] {
  return mode === 'duplicate' || mode === 'mixed' ? mode : 'classic';
}

function presentEstimate(estimate: Estimate__Output | undefined): Player['estimates']['raw'] {
  if (estimate === undefined) return null;
  return {
    chips_per_100: estimate.chips,
    low: estimate.low,
    high: estimate.high,
    standard_error: estimate.standardError,
    bb_per_100: estimate.bigBlinds,
    bb_low: estimate.bigBlindsLow,
    bb_high: estimate.bigBlindsHigh,
    hands: estimate.hands,
  };
}

function rowsOf(values: readonly number[], columns: number): (number | null)[][] {
  const row = (index: number) => values.slice(index * columns, (index + 1) * columns);
  return Array.from({ length: columns }, (_, index) => row(index).map((value) => (value === unknown ? null : value)));
}

const estimateFields = ['chips_per_100', 'low', 'high', 'standard_error', 'bb_per_100', 'bb_low', 'bb_high'] as const;

/** Formats standings as CSV: a header, then a line for each player and estimator. */
export function standingsCsv({ players, counts }: StandingsBody): string {
  const ratings = ['rating', 'rating_low', 'rating_high'];
  const matches = ['matches_counted', 'matches_planned', 'matches_deleted'];
  const header = [
    'player',
    'estimator',
    'group',
    'rank_best',
    'rank_worst',
    'hands',
    ...estimateFields,
    ...ratings,
    ...matches,
  ];
  const ofMatches = [counts.counted, counts.planned, counts.deleted];
  const lines = players.flatMap(({ username, estimates, groups, ranks, rating }) =>
    estimators.flatMap((one) => {
      const estimate = estimates[one];
      if (estimate === null) return [];
      const values = estimateFields.map((field) => estimate[field]);
      const place = [groups[one], ranks[one]?.best, ranks[one]?.worst];
      const ofRating = [rating?.value, rating?.low, rating?.high];
      return [[username, one, ...place, estimate.hands, ...values, ...ofRating, ...ofMatches]];
    }),
  );
  return [header, ...lines].map((line) => csvLine(line)).join('');
}
