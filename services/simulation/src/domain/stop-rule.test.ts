import { expect, test } from 'vitest';
import { planTables } from './batch-plan.ts';
import { isDecided, planStopRule, type StopRule, stopCourses, type TableResult } from './stop-rule.ts';

const users = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay', 'gus', 'hal'];
const plan = planTables(8, 100, { mode: 'duplicate', stacks: '', design: 'all', handBudget: 0 });
const rule: StopRule = { alpha: 0.05, margin: null, pair: ['ann', 'bob'], plannedTables: 15 };
const table = (ann: number, bob: number, more: Partial<TableResult> = {}): TableResult => ({
  open: false,
  void: false,
  hands: 600,
  deltas: new Map([
    ['ann', ann],
    ['bob', bob],
  ]),
  ...more,
});
const courseOf = (tables: readonly TableResult[], given = rule) => stopCourses(given, users, tables)[0]?.course ?? [];

test('decides for the player who wins more at every table, in chips per 100 hands', () => {
  const tables = Array.from({ length: 30 }, (_, index) => table(600 + index, -600 - index));
  const courses = stopCourses(rule, users, tables);
  expect(courses[0]?.course[0]).toMatchObject({ clusters: 1, mean: 200, low: null, decision: 'continue' });
  expect(courses[0]?.course.at(-1)?.decision).toBe('better');
  expect(isDecided(courses)).toBe(true);
});

test('reads tables in order up to the first one with an unplayed match', () => {
  const tables = [table(1, 0), table(2, 0), table(3, 0, { open: true }), table(4, 0)];
  expect(courseOf(tables)).toHaveLength(2);
});

test('leaves out void tables and tables without the pair', () => {
  const others = table(0, 0, { deltas: new Map([['ann', 5]]) });
  expect(courseOf([table(1, 0), table(9, 0, { void: true }), others, table(2, 0)])).toHaveLength(2);
});

test('is undecided before the first table and while any pair is undecided', () => {
  expect(isDecided(stopCourses(rule, users, []))).toBe(false);
  const all = stopCourses(
    { ...rule, pair: null },
    users,
    Array.from({ length: 40 }, () => table(700, -700)),
  );
  expect(all).toHaveLength(28);
  expect(isDecided(all)).toBe(false);
});

test('leaves out tables without hands, and is not decided while nothing of a pair is played', () => {
  expect(courseOf([table(1, 0, { hands: 0 }), table(1, 0)])).toHaveLength(1);
  expect(courseOf([table(1, 0, { open: true })])).toEqual([]);
  expect(isDecided([{ pair: ['ann', 'bob'], course: courseOf([table(1, 0)]) }])).toBe(false);
  const withoutAnn = table(0, 0, { deltas: new Map([['bob', 5]]) });
  expect(courseOf([withoutAnn, table(1, 0)])).toHaveLength(1);
});

test('accepts a rule for one pair or for all, at the bounds of its values', () => {
  const given = { alpha: 0.001, margin: 0, userIds: [] };
  expect(planStopRule(given, users, plan)).toEqual({ alpha: 0.001, margin: null, pair: null, plannedTables: 15 });
  const max = { alpha: 0.5, margin: 1_000_000, userIds: ['bob', 'hal'] };
  const pair = ['bob', 'hal'];
  expect(planStopRule(max, users, plan)).toEqual({ alpha: 0.5, margin: 1_000_000, pair, plannedTables: 15 });
  expect(() => planStopRule(given, users, { ...plan, matches: 10_000 })).not.toThrow();
});

test('accepts a batch in which every two players meet five times', () => {
  const classic = planTables(7, 100, { mode: '', stacks: '', design: 'all', handBudget: 0 });
  const given = { alpha: 0.05, margin: 0, userIds: [] };
  expect(planStopRule(given, users.slice(0, 7), classic).plannedTables).toBe(5);
  const six = planTables(6, 100, { mode: '', stacks: '', design: 'all', handBudget: 0 });
  expect(() => planStopRule(given, users.slice(0, 6), six)).toThrow('needs at least 5 matches of every two players');
});

test.each([
  [{ alpha: 0 }, 'The error rate of a stopping rule must be between 0.001 and 0.5.'],
  [{ alpha: 0.51 }, 'The error rate of a stopping rule must be between 0.001 and 0.5.'],
  [{ margin: 1_000_001 }, 'The margin of a stopping rule must be between 0 and 1,000,000 chips per 100 hands.'],
  [{ margin: -1 }, 'The margin of a stopping rule must be between 0 and 1,000,000 chips per 100 hands.'],
  [{ userIds: ['ann'] }, 'A stopping rule names two users of the batch, or none for all pairs.'],
  [{ userIds: ['ann', 'ann'] }, 'A stopping rule names two users of the batch, or none for all pairs.'],
  [{ userIds: ['ann', 'zoe'] }, 'A stopping rule names two users of the batch, or none for all pairs.'],
])('refuses %j', (change, message) => {
  const given = { alpha: 0.05, margin: 0, userIds: [] as string[], ...change };
  expect(() => planStopRule(given, users, plan)).toThrow(message);
});

test('refuses a batch of more than 10,000 matches', () => {
  const given = { alpha: 0.05, margin: 0, userIds: [] };
  expect(() => planStopRule(given, users, { ...plan, matches: 10_001 })).toThrow(
    'A batch with a stopping rule has at most 10,000 matches.',
  );
});

test('refuses a batch in which two players meet too rarely', () => {
  const six = planTables(6, 100, { mode: 'duplicate', stacks: '', design: 'all', handBudget: 0 });
  const given = { alpha: 0.05, margin: 0, userIds: [] };
  expect(() => planStopRule(given, users.slice(0, 6), six)).toThrow(
    'A stopping rule needs at least 5 deal sets of every two players; this batch has 1.',
  );
});
