import { DECISION_BOUNDS_MS } from '@husky/match/decision-times';
import { expect, it } from 'vitest';
import { DecisionTimes, FailedCalls } from './bot-statistics.ts';

it('describes the times of decisions by percentiles and by bucket', () => {
  const times = new DecisionTimes();
  for (let ms = 1; ms <= 100; ms++) times.add(ms);
  const { count, p50Ms, p95Ms, maxMs, counts } = times.describe();
  expect(count).toBe(100);
  expect([p50Ms, p95Ms, maxMs].map((ms) => Math.round(Number(ms)))).toEqual([50, 95, 100]);
  expect(counts).toEqual(
    DECISION_BOUNDS_MS.map((bound, index) =>
      bound > 100 ? 0 : Math.floor(bound) - Math.floor(DECISION_BOUNDS_MS[index - 1] ?? 0),
    ).concat(0),
  );
});

it('describes a bot without decisions, and one whose decisions take no time', () => {
  const times = new DecisionTimes();
  expect(times.describe()).toMatchObject({ count: 0, p50Ms: 0, p95Ms: 0, maxMs: 0 });
  times.add(0);
  expect(times.describe()).toMatchObject({ count: 1, p50Ms: 0.001, maxMs: 0.001 });
});

it('counts failed calls by callback and text, with the hand of the first one', () => {
  const calls = new FailedCalls();
  calls.add('on_start', 'KeyError: 3', 2);
  calls.add('on_end_game', 'KeyError: 3', 2);
  calls.add('on_start', 'KeyError: 3', 5);
  calls.add('on_start', 'KeyError: 4', 6);
  expect(calls.list).toEqual([
    { method: 'on_start', text: 'KeyError: 3', count: 2, firstHand: 2 },
    { method: 'on_end_game', text: 'KeyError: 3', count: 1, firstHand: 2 },
    { method: 'on_start', text: 'KeyError: 4', count: 1, firstHand: 6 },
  ]);
});

it('keeps 20 kinds of failed calls and counts further ones with the newest of them', () => {
  const calls = new FailedCalls();
  for (let kind = 1; kind <= 22; kind++) calls.add('on_start', `ValueError: ${kind}`, kind);
  calls.add('on_start', 'ValueError: 1', 30);
  expect(calls.list).toHaveLength(20);
  expect(calls.list.map(({ count }) => count)).toEqual([2, ...Array(18).fill(1), 3]);
  expect(calls.list.at(-1)).toMatchObject({ text: 'ValueError: 20', firstHand: 20 });
});
