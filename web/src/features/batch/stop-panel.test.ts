import { expect, it } from 'vitest';
import { courseFigure, ruleSentence } from './stop-panel.tsx';

const step = (tables: number, mean: number, half: number | null) => ({
  tables,
  mean,
  low: half === null ? null : mean - half,
  high: half === null ? null : mean + half,
  decision: 'continue' as const,
});

it('draws means from the first table and the interval from where it is bounded', () => {
  const figure = courseFigure([step(1, 0, null), step(2, 10, null), step(3, 10, 20), step(4, 10, 10)], 300, 100);
  expect(figure).toMatchObject({ top: 30, bottom: -10, zero: 75 });
  expect(figure.mean).toBe('M0.0 75.0L100.0 50.0L200.0 50.0L300.0 50.0');
  expect(figure.band).toBe('M200.0 0.0L300.0 25.0L300.0 75.0L200.0 100.0Z');
});

it('draws nothing for a course of one table or none', () => {
  expect(courseFigure([], 300, 100)).toMatchObject({ band: '', mean: '' });
  expect(courseFigure([step(1, 5, null)], 300, 100)).toMatchObject({ band: '', mean: '' });
});

it('states the rule', () => {
  const stop = {
    users: ['ann', 'bob'],
    alpha: 0.05,
    margin: 20,
    stopped_at: null,
    outdated: false,
    players: null,
    pairs: null,
  };
  expect(ruleSentence(stop)).toBe(
    'The batch ends when the results tell ann and bob apart, with at most 5 % probability of a false decision. Differences below 20 chips per 100 hands count as equal. The rule was fixed before the first match.',
  );
  expect(ruleSentence({ ...stop, users: null, margin: null })).toContain('tell all pairs of players apart');
  expect(ruleSentence({ ...stop, outdated: true })).toBe(
    'This rule is of an earlier version, whose error rate did not hold. It does not end the batch any more.',
  );
  expect(ruleSentence({ ...stop, outdated: true, stopped_at: '2026-01-01T00:00:00Z' })).toBe(
    'This rule is of an earlier version, whose error rate did not hold.',
  );
});
