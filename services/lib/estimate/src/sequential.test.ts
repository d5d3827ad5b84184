import { describe, expect, test } from 'vitest';
import { seededRandom } from './random.ts';
import { type SequentialRule, sequentialCourse, sequentialPrior, sequentialWidth } from './sequential.ts';

const rule: SequentialRule = { alpha: 0.05, pairs: 1, margin: null, plannedClusters: 100 };

function normals(random: () => number) {
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

describe('the sequential test', () => {
  test('decides for the better player and stops reading', () => {
    const normal = normals(seededRandom(1));
    const course = sequentialCourse(
      Array.from({ length: 500 }, () => 1 + normal()),
      rule,
    );
    expect(course.at(-1)?.decision).toBe('better');
    expect(course.length).toBeLessThan(100);
    expect(course.slice(0, -1).every(({ decision }) => decision === 'continue')).toBe(true);
  });

  test('is antisymmetric in the two players', () => {
    const normal = normals(seededRandom(2));
    const differences = Array.from({ length: 300 }, () => 0.5 + normal());
    const mirrored = sequentialCourse(
      differences.map((difference) => -difference),
      rule,
    );
    const course = sequentialCourse(differences, rule);
    expect(mirrored.at(-1)?.decision).toBe('worse');
    expect(mirrored.map(({ high }) => high)).toEqual(course.map(({ low }) => (low === null ? null : -low)));
  });

  test('decides in fewer than 5 % of courses of two equal players, however long they are read', () => {
    const normal = normals(seededRandom(3));
    let decided = 0;
    const courses = 1000;
    for (let course = 0; course < courses; course++) {
      const differences = Array.from({ length: 400 }, normal);
      if (sequentialCourse(differences, rule).at(-1)?.decision !== 'continue') decided += 1;
    }
    expect(decided / courses).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / courses));
    expect(decided).toBeGreaterThan(0);
  });

  test('finds two players equivalent within a margin', () => {
    const normal = normals(seededRandom(4));
    const course = sequentialCourse(Array.from({ length: 2000 }, normal), { ...rule, margin: 0.4 });
    expect(course.at(-1)?.decision).toBe('equivalent');
  });

  test('finds equal results equivalent, and without a margin never decides on them', () => {
    const zeros = new Array<number>(50).fill(0);
    expect(sequentialCourse(zeros, { ...rule, margin: 1 }).at(-1)?.decision).toBe('equivalent');
    expect(sequentialCourse(zeros, rule).every(({ decision }) => decision === 'continue')).toBe(true);
  });

  test('has bounds where the Bayes factor is 1 / alpha', () => {
    const [clusters, alpha] = [30, 0.05];
    const g = sequentialPrior(100, alpha);
    const t2 = sequentialWidth(clusters, alpha, g) ** 2;
    const [v, spread] = [clusters - 1, 1 + clusters * g];
    const factor = ((1 + t2 / v) / (1 + t2 / (v * spread))) ** (clusters / 2) / Math.sqrt(spread);
    expect(factor).toBeCloseTo(1 / alpha, 8);
    // With many clusters it approaches the normal mixture of Robbins with known variance.
    const n = 1e6;
    const h = sequentialPrior(n, alpha);
    const robbins = Math.sqrt(((1 + n * h) / (n * h)) * (Math.log(1 + n * h) - 2 * Math.log(alpha)));
    expect(sequentialWidth(n, alpha, h)).toBeCloseTo(robbins, 3);
  });

  test('is wider when several pairs are tested together', () => {
    const normal = normals(seededRandom(5));
    const differences = Array.from({ length: 40 }, normal);
    const width = (pairs: number) => {
      const last = sequentialCourse(differences, { ...rule, pairs }).at(-1);
      return (last?.high ?? Number.NaN) - (last?.low ?? Number.NaN);
    };
    expect(width(15)).toBeGreaterThan(width(1));
  });

  test('refuses an impossible rule', () => {
    expect(() => sequentialCourse([], { ...rule, alpha: 0 })).toThrow('alpha must be between 0 and 1');
    expect(() => sequentialCourse([], { ...rule, pairs: 0 })).toThrow('number of pairs');
    expect(() => sequentialCourse([], { ...rule, margin: 0 })).toThrow('margin must be positive');
    expect(() => sequentialCourse([], { ...rule, plannedClusters: 1 })).toThrow('planned number of clusters');
  });
});
