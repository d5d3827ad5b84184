import type { Estimate, StandingsResponse } from '../lib/types.ts';

/** Builds an estimate from chips per 100 hands and half of its interval, at a big blind of 10 chips. */
export function estimateOf(chips: number, half: number): Estimate {
  return {
    chips_per_100: chips,
    low: chips - half,
    high: chips + half,
    standard_error: half / 1.96,
    bb_per_100: chips / 10,
    bb_low: (chips - half) / 10,
    bb_high: (chips + half) / 10,
    hands: 6000,
  };
}

const player = (username: string, chips: number, group: number, rating: number) => ({
  username,
  hands: 6000,
  matches: 6,
  deals: 0,
  estimates: {
    raw: estimateOf(chips + 40, 900),
    adjusted: estimateOf(chips, 150),
    duplicate: null,
    duplicate_adjusted: null,
  },
  groups: { raw: 1, adjusted: group, duplicate: null, duplicate_adjusted: null },
  ranks: {
    raw: { best: 1, worst: 3 },
    adjusted: group === 1 ? { best: 1, worst: 1 } : { best: 2, worst: 3 },
    duplicate: null,
    duplicate_adjusted: null,
  },
  rating: { value: rating, low: rating - 80, high: rating + 80 },
});

/** Builds the standings of a classic batch for component tests: ann is best, ben and cat are tied. */
export function standingsFixture(changes: Partial<StandingsResponse> = {}): StandingsResponse {
  return {
    scope: { batch_number: 7, tag: null },
    state: 'ready',
    progress: { matches: 6, of: 6 },
    methodology_version: 3,
    computed_at: '2026-11-22T18:00:00Z',
    mode: 'classic',
    matches: 6,
    hands: 6000,
    deals: 0,
    players: [player('ben', -100, 2, 1480), player('ann', 250.25, 1, 1610), player('cat', -150, 2, 1500)],
    models: [],
    pairs: {
      estimator: 'adjusted',
      usernames: ['ann', 'ben', 'cat'],
      better: [
        [null, 0.9996, 0.991],
        [0.0004, null, 0.68],
        [0.009, 0.32, null],
      ],
      hands_needed: [
        [null, 0, 0],
        [0, null, 52000],
        [0, 52000, null],
      ],
    },
    heads_up: [],
    rating_check: { pairs: 300, expected: 0.68, correct: 0.71, standard_error: 0.03 },
    counts: {
      planned: 28,
      counted: 28,
      pending: 0,
      running: 0,
      failed: 0,
      no_contest: 0,
      not_public: 0,
      not_created: 0,
      deleted: 0,
      deleted_after_play: 0,
      note: '28 of 28 matches counted.',
      deleted_matches: [],
    },
    anytime: null,
    notes: ['No deal was played in duplicate, so there are no duplicate estimates.'],
    ...changes,
  };
}
