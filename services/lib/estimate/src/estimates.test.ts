import { describe, expect, test } from 'vitest';
import fixtures from '../fixtures/estimates.json' with { type: 'json' };
import { addTo, type ClusterSums, maxClusters, packClusters, samplesOf } from './clusters.ts';
import { studentCdf, studentQuantile } from './distributions.ts';
import { estimateMean } from './intervals.ts';
import { comparePairs, groupPlayers, handsNeeded } from './pairs.ts';
import { fitStrengths, rate, stagesOf } from './rating.ts';

/** Clusters of entries [player, sum, hands]. */
function clustersOf(rows: readonly (readonly (readonly number[])[])[]) {
  return packClusters(
    rows.map((entries) => {
      const cluster: ClusterSums = new Map();
      for (const [player = 0, sum = 0, hands = 0] of entries) addTo(cluster, player, sum, hands);
      return cluster;
    }),
  );
}

describe('checked against scipy, statsmodels and choix (fixtures/make-fixtures.py)', () => {
  test("Student's t", () => {
    for (const { value, df, cdf, upper } of fixtures.student) {
      expect(studentCdf(value, df)).toBeCloseTo(cdf, 7);
      expect(studentQuantile(0.975, df)).toBeCloseTo(upper, 6);
    }
  });

  test('mean, standard error clustered by deal, and bootstrap interval', () => {
    for (const { sums, hands, mean, standardError, bca } of fixtures.means) {
      const interval = estimateMean({ sums: Float64Array.from(sums), hands: Float64Array.from(hands) });
      expect(interval?.mean).toBeCloseTo(mean, 9);
      expect(interval?.standardError).toBeCloseTo(standardError, 9);
      if (sums.length < 100) continue;
      // Two kinds of bootstrap, both with noise of their own: a fifth of a standard error apart at most.
      const [low = Number.NaN, high = Number.NaN] = bca;
      expect(Math.abs((interval?.low ?? 0) - low)).toBeLessThan(0.2 * standardError);
      expect(Math.abs((interval?.high ?? 0) - high)).toBeLessThan(0.2 * standardError);
    }
  });

  test('difference of two players who share some clusters', () => {
    const { clusters, difference, standardError, better } = fixtures.difference;
    const pairs = comparePairs(clustersOf(clusters), 2);
    expect(pairs.difference[0]?.[1]).toBeCloseTo(difference, 9);
    expect(pairs.standardError[0]?.[1]).toBeCloseTo(standardError, 9);
    expect(pairs.better[0]?.[1]).toBeCloseTo(better, 7);
    expect((pairs.better[0]?.[1] ?? 0) + (pairs.better[1]?.[0] ?? 0)).toBeCloseTo(1, 12);
  });

  test('strengths by Plackett-Luce, with and without the virtual player, and their standard errors', () => {
    const { orders, scipy, deviations, choix } = fixtures.rating;
    const finishes = orders.map((players) => ({ players, won: players.map((_, place) => -place) }));
    const ratings = rate(finishes, 8);
    const perLog = 400 / Math.LN10;
    for (const [player, rating] of ratings.entries()) {
      expect(rating?.value).toBeCloseTo(1500 + perLog * (scipy[player] ?? 0), 2);
      expect(((rating?.high ?? 0) - (rating?.value ?? 0)) / 1.959964).toBeCloseTo(
        perLog * (deviations[player] ?? 0),
        2,
      );
    }
    const logs = fitStrengths(finishes.flatMap(stagesOf), 8, 0);
    const mean = logs.reduce((sum, log) => sum + log, 0) / 8;
    for (const [player, log] of logs.entries()) expect(log - mean).toBeCloseTo(choix[player] ?? 0, 5);
  });
});

describe('estimates', () => {
  test('give no interval of fewer than five clusters', () => {
    expect(estimateMean({ sums: new Float64Array(4), hands: new Float64Array(4).fill(10) })).toBeNull();
    expect(estimateMean({ sums: new Float64Array(5), hands: new Float64Array(5) })).toBeNull();
  });

  test('of equal results have no width', () => {
    const sample = { sums: new Float64Array(30).fill(7), hands: new Float64Array(30).fill(10) };
    const interval = estimateMean(sample);
    expect(interval?.standardError).toBe(0);
    expect(interval?.low).toBe(interval?.high);
    expect(interval?.mean).toBeCloseTo(0.7, 12);
  });

  test('join many clusters without losing sums or hands', () => {
    const clusters = clustersOf(Array.from({ length: 2 * maxClusters + 1 }, (_, index) => [[0, index, 2]]));
    const [sample] = samplesOf(clusters, 1);
    expect(sample?.sums).toHaveLength(maxClusters);
    expect(sample?.sums.reduce((sum, value) => sum + value, 0)).toBe(maxClusters * (2 * maxClusters + 1));
    expect(sample?.hands.reduce((sum, value) => sum + value, 0)).toBe(2 * (2 * maxClusters + 1));
  });
});

describe('pairs', () => {
  test('with equal results are equally good and tied, and no number of hands distinguishes them', () => {
    const rows = Array.from({ length: 30 }, (_, index) => [
      [0, index % 7, 10],
      [1, index % 7, 10],
    ]);
    const pairs = comparePairs(clustersOf(rows), 2);
    expect(pairs.better[0]?.[1]).toBe(0.5);
    expect(pairs.difference[0]?.[1]).toBe(0);
    expect(pairs.handsNeeded[0]?.[1]).toBeNull();
    expect(groupPlayers([0.3, 0.3], pairs)).toEqual([1, 1]);
  });

  test('that never met are compared through the field', () => {
    const rows = Array.from({ length: 40 }, (_, index) => [
      [index % 2, (index % 2 === 0 ? 50 : -50) + (index % 5), 10],
      [2, -(index % 5), 10],
    ]);
    const pairs = comparePairs(clustersOf(rows), 4);
    expect(pairs.better[0]?.[1]).toBeGreaterThan(0.999);
    expect(pairs.handsNeeded[0]?.[1]).toBe(0);
    // The fourth player never played.
    expect(pairs.better[0]?.[3]).toBeNull();
    expect(groupPlayers([5, -5, 0, null], pairs)).toEqual([1, 3, 2, null]);
  });

  test('need four times the hands for half the difference', () => {
    const near = handsNeeded(1, 1, 1000) ?? 0;
    const far = handsNeeded(0.5, 1, 1000) ?? 0;
    expect((far + 1000) / (near + 1000)).toBeCloseTo(4, 2);
    // (1.96 + 0.84)² = 7.85 times the hands.
    expect(near).toBeGreaterThan(6800);
    expect(near).toBeLessThan(6900);
    expect(handsNeeded(3, 1, 1000)).toBe(0);
    expect(handsNeeded(0, 1, 1000)).toBeNull();
  });
});

describe('ratings', () => {
  test('stay finite for a player who always comes first, and are absent for one without a match', () => {
    const ratings = rate(
      Array.from({ length: 20 }, () => ({ players: [0, 1, 2], won: [10, 0, -10] })),
      4,
    );
    expect(ratings[3]).toBeNull();
    const [first, second, third] = ratings.map((rating) => rating?.value ?? Number.NaN);
    expect(first).toBeGreaterThan(second ?? Number.NaN);
    expect(second).toBeGreaterThan(third ?? Number.NaN);
    expect(first).toBeLessThan(3000);
  });

  test('do not order players who tie', () => {
    const ratings = rate([{ players: [0, 1, 2], won: [10, -5, -5] }], 3);
    expect(ratings[1]?.value).toBeCloseTo(ratings[2]?.value ?? Number.NaN, 9);
    expect(rate([{ players: [0, 1], won: [0, 0] }], 2)).toEqual([null, null]);
    expect(rate([], 2)).toEqual([null, null]);
  });
});
