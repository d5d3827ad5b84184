import { describe, expect, test } from 'vitest';
import fixtures from '../fixtures/estimates.json' with { type: 'json' };
import { addTo, type ClusterSums, maxClusters, packClusters, samplesOf } from './clusters.ts';
import { estimateMean, type Limits, probabilityPositive, studentCdf, studentQuantile } from './intervals.ts';
import { nestedEstimate } from './nested.ts';
import { comparePairs, handsNeeded } from './pairs.ts';
import { seededRandom } from './random.ts';
import { groupPlayers, rankPlayers } from './ranking.ts';
import { fitStrengths, rate, stagesOf } from './rating.ts';
import { checkRating } from './rating-check.ts';

/** Limits of values without known ones. */
const openLimits = (clusters: number): Limits => ({
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
  open: true,
  clusters,
});

function sampleOf(sums: readonly number[], hands: readonly number[] = sums.map(() => 1)) {
  return { sums: Float64Array.from(sums), hands: Float64Array.from(hands) };
}

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

  test('mean and standard error clustered by deal', () => {
    for (const { sums, hands, mean, standardError } of fixtures.means) {
      const interval = estimateMean(sampleOf(sums, hands), openLimits(sums.length));
      expect(interval?.mean).toBeCloseTo(mean, 9);
      expect(interval?.standardError).toBeCloseTo(standardError, 9);
    }
  });

  test("Gaffke's bounds by partial fractions, and those of Clopper and Pearson", () => {
    for (const { values, high, upper } of fixtures.bounded) {
      const limits = { low: 0, high, open: false, clusters: values.length };
      expect(estimateMean(sampleOf(values), limits)?.high).toBeCloseTo(upper, 8);
      const mirrored = values.map((value) => high - value);
      expect(estimateMean(sampleOf(mirrored), limits)?.low).toBeCloseTo(high - upper, 8);
    }
  });

  test('difference of two players who share some clusters', () => {
    const { clusters, difference, standardError } = fixtures.difference;
    const pairs = comparePairs(clustersOf(clusters), [openLimits(27), openLimits(27)]);
    expect(pairs.difference[0]?.[1]).toBeCloseTo(difference, 9);
    expect(pairs.standardError[0]?.[1]).toBeCloseTo(standardError, 9);
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
  test('give no interval of one cluster, or without hands', () => {
    expect(estimateMean(sampleOf([7]), openLimits(1))).toBeNull();
    expect(estimateMean(sampleOf([0, 0], [0, 0]), openLimits(2))).toBeNull();
  });

  test('of equal results without limits have no width', () => {
    const interval = estimateMean(sampleOf(new Array(30).fill(7), new Array(30).fill(10)), openLimits(30));
    expect(interval?.standardError).toBe(0);
    expect(interval?.low).toBeCloseTo(0.7, 12);
    expect(interval?.high).toBeCloseTo(0.7, 12);
  });

  test('never reach beyond what is possible in the hands played', () => {
    const lost = sampleOf(new Array(8).fill(-10_000), [900, 1000, 850, 990, 1000, 1000, 970, 800]);
    const interval = estimateMean(lost, { low: -10_000, high: 50_000, open: false, clusters: 8 });
    const hands = lost.hands.reduce((sum, count) => sum + count, 0);
    expect(interval?.low).toBeCloseTo((8 * -10_000) / hands, 12);
    expect(interval?.high).toBeLessThan((8 * 50_000) / hands);
    // Eight losses of eight still leave a chance of 36.9 % to win all (Clopper and Pearson).
    expect(interval?.high).toBeGreaterThan((8 * (0.36 * 60_000 - 10_000)) / hands);
  });

  test('are not narrower than those of blocks while there are few clusters', () => {
    const clusters = sampleOf([10, 11, 10, 11], [100, 100, 100, 100]);
    const blocks = sampleOf([60, -50, 70, -59, 70, -60, 71, -60], new Array(8).fill(50));
    const alone = estimateMean(clusters, openLimits(4));
    const both = estimateMean(clusters, openLimits(4), blocks);
    expect((both?.high ?? 0) - (both?.low ?? 0)).toBeGreaterThan(2 * ((alone?.high ?? 0) - (alone?.low ?? 0)));
  });

  test('hold the mean of a gambler who rarely wins, whatever the seed', () => {
    const random = seededRandom(36);
    let held = 0;
    for (let repetition = 0; repetition < 400; repetition++) {
      const sums = Array.from({ length: 28 }, () => (random() < 0.05 ? 48_000 : -10_000));
      const interval = estimateMean(sampleOf(sums), { low: -10_000, high: 50_000, open: false, clusters: 28 });
      if (interval !== null && interval.low <= -7100 && -7100 <= interval.high) held += 1;
    }
    expect(held).toBeGreaterThanOrEqual(0.95 * 400);
  });

  test('join many clusters without losing sums or hands', () => {
    const clusters = clustersOf(Array.from({ length: 2 * maxClusters + 1 }, (_, index) => [[0, index, 2]]));
    const [sample] = samplesOf(clusters, 1);
    expect(sample?.sums).toHaveLength(maxClusters);
    expect(sample?.sums.reduce((sum, value) => sum + value, 0)).toBe(maxClusters * (2 * maxClusters + 1));
    expect(sample?.hands.reduce((sum, value) => sum + value, 0)).toBe(2 * (2 * maxClusters + 1));
  });
});

test('the weighted sum of values with one sign has it, and two values win by their sizes', () => {
  expect([probabilityPositive([1, 2, 0]), probabilityPositive([-1]), probabilityPositive([])]).toEqual([1, 0, 0]);
  expect(probabilityPositive([3, -1])).toBeCloseTo(0.75, 12);
  expect(probabilityPositive([3, -1]) + probabilityPositive([-3, 1])).toBeCloseTo(1, 12);
  // Six losses against one gain: the product of the six races.
  expect(probabilityPositive([2, ...new Array<number>(6).fill(-1)])).toBeCloseTo((2 / 3) ** 6, 12);
});

describe('pairs', () => {
  test('with equal results are equally good and tied, and no number of hands distinguishes them', () => {
    const rows = Array.from({ length: 30 }, (_, index) => [
      [0, index % 7, 10],
      [1, index % 7, 10],
    ]);
    const pairs = comparePairs(clustersOf(rows), [openLimits(30), openLimits(30)]);
    expect(pairs.better[0]?.[1]).toBe(0.5);
    expect(pairs.difference[0]?.[1]).toBe(0);
    expect(pairs.handsNeeded[0]?.[1]).toBeNull();
    expect(groupPlayers([0.3, 0.3], pairs.significant)).toEqual([1, 1]);
    expect(rankPlayers([0.3, 0.3], pairs.significant)).toEqual([
      { best: 1, worst: 2 },
      { best: 1, worst: 2 },
    ]);
  });

  test('that never met are compared through the field', () => {
    const rows = Array.from({ length: 40 }, (_, index) => [
      [index % 2, (index % 2 === 0 ? 50 : -50) + (index % 5), 10],
      [2, -(index % 5), 10],
    ]);
    const limits = [20, 20, 40, 0].map(openLimits);
    const pairs = comparePairs(clustersOf(rows), limits);
    expect(pairs.better[0]?.[1]).toBeGreaterThan(0.999);
    expect(pairs.handsNeeded[0]?.[1]).toBe(0);
    // The fourth player never played.
    expect(pairs.better[0]?.[3]).toBeNull();
    const { significant } = pairs;
    expect(groupPlayers([5, -5, 0, null], significant)).toEqual([1, 3, 2, null]);
    expect(rankPlayers([5, -5, 0, null], significant)).toEqual([
      ...[1, 3, 2].map((at) => ({ best: at, worst: at })),
      null,
    ]);
  });

  test('need four times the hands for half the difference, and more hands the more pairs are compared', () => {
    const near = handsNeeded(1, 1, 1000, 1) ?? 0;
    const far = handsNeeded(0.5, 1, 1000, 1) ?? 0;
    expect((far + 1000) / (near + 1000)).toBeCloseTo(4, 2);
    // (1.96 + 0.84)² = 7.85 times the hands; (2.94 + 0.84)² = 14.25 times with 15 pairs.
    expect(near).toBeGreaterThan(6800);
    expect(near).toBeLessThan(6900);
    expect((handsNeeded(1, 1, 1000, 15) ?? 0) / 1000).toBeCloseTo(13.25, 1);
    expect(handsNeeded(3, 1, 1000, 1)).toBeNull();
    expect(handsNeeded(0, 1, 1000, 1)).toBeNull();
  });

  test('need no more hands exactly when ties tell them apart', () => {
    const random = seededRandom(3);
    const rows = Array.from({ length: 60 }, () =>
      [0, 1, 2, 3, 4, 5].map((player) => [player, 40 * random() - 4 * player, 10]),
    );
    const {
      better,
      significant,
      handsNeeded: needed,
    } = comparePairs(
      clustersOf(rows),
      rows.slice(0, 6).map(() => openLimits(60)),
    );
    expect(needed.map((row) => row.map((hands) => hands === 0))).toEqual(significant);
    const means = [0, 1, 2, 3, 4, 5].map((player) => 2 - 0.4 * player);
    const groups = groupPlayers(means, significant);
    for (const [i, row] of needed.entries())
      for (const [j, hands] of row.entries()) if (groups[i] === groups[j]) expect(hands).not.toBe(0);
    // Of one pair alone it would be significant; of all pairs it is not.
    const alone = better.flatMap((row, i) => row.map((value, j) => (value ?? 0) > 0.975 && !significant[i]?.[j]));
    expect(alone).toContain(true);
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

  test('predict tables that they were not fitted to as well as they claim', () => {
    const random = seededRandom(1);
    const strengths = [3, 2, 1, 1];
    const finishes = Array.from({ length: 200 }, () => ({
      players: [0, 1, 2, 3],
      won: strengths.map((strength) => -(-Math.log(1 - random()) / strength)),
    }));
    const check = checkRating(finishes, 4);
    expect(check?.pairs).toBe(1200);
    expect(Math.abs((check?.correct ?? 0) - (check?.expected ?? 1))).toBeLessThan(3 * (check?.standardError ?? 0));
    expect(checkRating(finishes.slice(0, 19), 4)).toBeNull();
  });

  test('do not order players who tie', () => {
    const ratings = rate([{ players: [0, 1, 2], won: [10, -5, -5] }], 3);
    expect(ratings[1]?.value).toBeCloseTo(ratings[2]?.value ?? Number.NaN, 9);
    expect(rate([{ players: [0, 1], won: [0, 0] }], 2)).toEqual([null, null]);
    expect(rate([], 2)).toEqual([null, null]);
  });
});

describe('models with several bots', () => {
  const bots = (...means: number[]) => means.map((mean) => ({ mean, standardError: 3 }));

  test('are estimated by Student over bots, never narrower than the hands', () => {
    expect(nestedEstimate(bots(10)).overBots).toBeNull();
    const half = (studentQuantile(0.975, 2) * 10) / Math.sqrt(3);
    const { mean, overBots, overHands, betweenBots } = nestedEstimate(bots(0, 10, 20));
    expect([mean, betweenBots]).toEqual([10, Math.sqrt(91)]);
    expect([overBots?.low, overBots?.high]).toEqual([10 - half, 10 + half]);
    expect(overHands.high).toBeCloseTo(10 + 1.959964 * Math.sqrt(3), 5);
    const equal = nestedEstimate(bots(10, 10));
    expect(equal).toMatchObject({ betweenBots: 0 });
    expect(equal.overBots?.high).toBeCloseTo(10 + (studentQuantile(0.975, 1) * 3) / Math.SQRT2, 8);
  });

  test.each([0, 2, 20])('hold the mean of the model in 95 % when bots differ by %d', (between) => {
    const random = seededRandom(7 + between);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const held = Array.from({ length: 4000 }, (_, index) => {
      const { overBots } = nestedEstimate(
        bots(...Array.from({ length: 2 + (index % 4) }, () => between * normal() + 3 * normal())),
      );
      return overBots !== null && overBots.low <= 0 && overBots.high >= 0;
    }).filter(Boolean).length;
    expect(held / 4000).toBeGreaterThan(0.94);
  });
});
