import { expect, test } from 'vitest';
import { planTables } from './batch-plan.ts';
import { isDecided, planStopRule, type StopRule, stopCourse, type TableResult } from './stop-rule.ts';

const users = ['ann', 'bob', 'cem', 'dee', 'eve', 'fay', 'gus', 'hal'];
const requested = { mode: '', stacks: '', design: 'all', handBudget: 0 };
const plan = planTables(8, 100, requested);
const batch = { mode: 'classic' as const, numRounds: 100, userIds: users };
const rule: StopRule = { alpha: 0.05, margin: null, pair: ['ann', 'bob'], version: 2 };
const table = (ann: number, bob: number, more: Partial<TableResult> = {}): TableResult => ({
  open: false,
  void: false,
  hands: 100,
  deltas: new Map([
    ['ann', ann],
    ['bob', bob],
  ]),
  ...more,
});
const times = (count: number, one: TableResult) => Array.from({ length: count }, () => one);
const courseOf = (tables: readonly TableResult[], given = rule) =>
  stopCourse(given, batch, tables).pairs[0]?.course ?? [];

test('decides for the player who wins every match, in chips per 100 hands', () => {
  const course = stopCourse(rule, batch, times(30, table(50_000, -10_000)));
  const steps = course.pairs[0]?.course ?? [];
  expect(steps[0]).toMatchObject({ tables: 1, mean: 60_000, decision: 'continue' });
  expect(steps.at(-1)?.decision).toBe('better');
  expect(steps.length).toBeLessThan(15);
  expect(isDecided(course)).toBe(true);
  expect(course.players.map(({ userId, tables, mean }) => [userId, tables, mean])).toEqual([
    ['ann', 30, 50_000],
    ['bob', 30, -10_000],
  ]);
});

test('estimates what standings do: winnings over hands, although the means of the matches have the other order', () => {
  // Ann wins at a high rate in the short matches, but loses more chips in the long ones.
  const tables = [table(2000, -2000, { hands: 10 }), table(-6000, 6000)];
  expect(courseOf(tables).at(-1)?.mean).toBeCloseTo((100 * -8000) / 110, 10);
});

test('takes the bounds of all rotations for a deal set', () => {
  const course = stopCourse(rule, { ...batch, mode: 'duplicate' }, [table(300_000, -60_000, { hands: 600 })]);
  expect(course.players.map(({ mean }) => mean)).toEqual([50_000, -10_000]);
  expect(() => courseOf([table(300_000, -60_000)])).toThrow('winnings of 300000 chips at a table are outside of');
});

test('reads tables in order up to the first one with an unplayed match', () => {
  const tables = [table(1, 0), table(2, 0), table(3, 0, { open: true }), table(4, 0)];
  expect(courseOf(tables)).toHaveLength(2);
});

test('leaves out void tables, those without hands, and those of others', () => {
  const others = table(0, 0, { deltas: new Map([['cem', 5]]) });
  const left = [table(9, 0, { void: true }), table(9, 0, { hands: 0 }), others];
  expect(courseOf([table(1, 0), ...left, table(2, 0)])).toEqual(courseOf([table(1, 0), table(2, 0)]));
});

test('reads the tables of one player without the other from the time when both have played', () => {
  const [onlyAnn, onlyBob] = ['ann', 'bob'].map((user) => table(0, 0, { deltas: new Map([[user, 5]]) }));
  const course = courseOf([onlyAnn, onlyAnn, onlyBob, onlyAnn] as TableResult[]);
  expect(course.map(({ tables }) => tables)).toEqual([3, 4]);
});

test('is undecided before the first table and while any pair is undecided', () => {
  expect(isDecided(stopCourse(rule, batch, []))).toBe(false);
  expect(isDecided(stopCourse(rule, batch, [table(1, 0)]))).toBe(false);
  const all = stopCourse({ ...rule, pair: null }, batch, times(40, table(50_000, -10_000)));
  expect(all.pairs).toHaveLength(28);
  expect(all.pairs.filter(({ course }) => course.length === 1).map(({ pair }) => pair)).toEqual([['ann', 'bob']]);
  expect(isDecided(all)).toBe(false);
});

test('a rule of an earlier version decides nothing', () => {
  const { version: _, ...earlier } = rule;
  const course = stopCourse({ ...earlier, pair: null }, batch, times(40, table(50_000, -10_000)));
  expect(course).toEqual({ players: [], pairs: [] });
  expect(isDecided(course)).toBe(false);
});

test('accepts a rule for one pair or for all, at the bounds of its values', () => {
  const max = { alpha: 0.5, margin: 1_000_000, userIds: ['bob', 'hal'] };
  expect(planStopRule(max, plan, batch)).toEqual({ ...max, userIds: undefined, pair: ['bob', 'hal'], version: 2 });
  const given = { alpha: 0.001, margin: 0, userIds: [] };
  const large = { ...plan, ...planTables(14, 100, requested) };
  const expected = { alpha: 0.001, margin: null, pair: null, version: 2 };
  expect(planStopRule(given, large, { ...batch, userIds: [...users, 'i', 'j', 'k', 'l', 'm', 'n'] })).toEqual(expected);
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
  expect(() => planStopRule(given, plan, batch)).toThrow(message);
});

test.each([
  ['classic', 'reset'],
  ['duplicate', ''],
])('refuses a batch in which stacks are reset: %s, %j', (mode, stacks) => {
  const given = { alpha: 0.05, margin: 0, userIds: [] };
  expect(() => planStopRule(given, planTables(8, 100, { ...requested, mode, stacks }), batch)).toThrow(
    "A stopping rule needs the stacks 'carry': with stacks that are reset after each hand, a match can be won or lost many stacks, so that no test of its results keeps its error rate.",
  );
});

test('refuses a batch of more than 10,000 matches', () => {
  const given = { alpha: 0.05, margin: 0, userIds: [] };
  expect(() => planStopRule(given, { ...plan, matches: 10_000 }, batch)).not.toThrow();
  expect(() => planStopRule(given, { ...plan, matches: 10_001 }, batch)).toThrow(
    'A batch with a stopping rule has at most 10,000 matches.',
  );
});

test('refuses a batch in which even the clearest results decide nothing', () => {
  const six = { ...batch, mode: 'duplicate' as const, userIds: users.slice(0, 6) };
  const given = { alpha: 0.05, margin: 0, userIds: ['ann', 'bob'] };
  const sized = (tables: number) =>
    planTables(6, 100, { mode: 'duplicate', stacks: 'carry', design: 'balanced', handBudget: 600 * tables });
  const needed =
    'A stopping rule needs at least 13 deal sets of every user, since fewer decide nothing; this batch has 12.';
  expect(() => planStopRule(given, sized(12), six)).toThrow(needed);
  expect(() => planStopRule(given, sized(13), six)).not.toThrow();
  // Equal results lie within a margin that is wide enough sooner than any players are told apart.
  expect(() => planStopRule({ ...given, margin: 1_000_000 }, sized(3), six)).not.toThrow();
});
