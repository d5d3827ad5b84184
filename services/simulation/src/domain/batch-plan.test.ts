import { expect, test } from 'vitest';
import { checkUserCount, countsOf, encodeTables, matchesOfTable, planTables } from './batch-plan.ts';

const requested = (more: object = {}) => ({ mode: '', stacks: '', design: '', handBudget: 0, ...more });
const balanced = (handBudget: number, more: object = {}) => requested({ design: 'balanced', handBudget, ...more });

test('forms a table of every six users by default', () => {
  expect(planTables(7, 100, requested())).toEqual({
    mode: 'classic',
    stacks: 'carry',
    design: 'all',
    handBudget: null,
    tables: 7,
    matches: 7,
  });
  expect(planTables(20, 100, requested({ design: 'all' })).tables).toBe(38_760);
});

test('plays each table six times in duplicate mode', () => {
  expect(planTables(8, 100, requested({ mode: 'duplicate' }))).toMatchObject({
    mode: 'duplicate',
    stacks: 'reset',
    tables: 28,
    matches: 168,
  });
  expect(matchesOfTable('duplicate')).toBe(6);
  expect(matchesOfTable('classic')).toBe(1);
});

test('forms as many tables as the budget of hands allows', () => {
  expect(planTables(8, 100, balanced(1400))).toMatchObject({ design: 'balanced', handBudget: 1400, tables: 14 });
  expect(planTables(8, 100, balanced(1499))).toMatchObject({ handBudget: 1499, tables: 14, matches: 14 });
  expect(planTables(13, 100, balanced(15_600, { mode: 'duplicate' }))).toMatchObject({ tables: 26, matches: 156 });
});

test('requires a budget that seats each user once, and limits tables to the combinations of 20 users', () => {
  expect(planTables(13, 100, balanced(300)).tables).toBe(3);
  expect(() => planTables(13, 100, balanced(299))).toThrow(
    'The budget of hands is too small: 13 users need at least 300 hands, 100 for each table.',
  );
  expect(() => planTables(8, 1000, balanced(11_999, { mode: 'duplicate' }))).toThrow(
    'The budget of hands is too small: 8 users need at least 12,000 hands, 6,000 for each table.',
  );
  expect(planTables(20, 100, balanced(3_876_099)).tables).toBe(38_760);
  expect(() => planTables(20, 100, balanced(3_876_100))).toThrow(
    'The budget of hands is too large: it must be at most 3,876,099.',
  );
});

test.each([0, -100, 0.5, Number.NaN, 2 ** 53])('refuses a balanced design with a budget of %d hands', (handBudget) => {
  expect(() => planTables(8, 100, balanced(handBudget))).toThrow('A balanced design needs a budget of hands.');
});

test.each([
  [{ design: 'some' }, "The design must be 'all' or 'balanced'."],
  [{ design: 'all', handBudget: 1000 }, "A budget of hands needs the design 'balanced'."],
  [{ mode: 'quick' }, "The mode must be 'classic' or 'duplicate'."],
  [{ stacks: 'deep' }, "The stacks must be 'carry' or 'reset'."],
])('refuses %j', (more, message) => {
  expect(() => planTables(8, 100, requested(more))).toThrow(message);
});

test.each([5, 21, 6.5, Number.NaN])('refuses %d users', (users) => {
  expect(() => checkUserCount(users)).toThrow('A batch needs 6 to 20 users.');
  expect(() => planTables(users, 100, requested())).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT', reason: 'batch-invalid' }),
  );
});

test('accepts 6 to 20 users', () => {
  for (const users of [6, 20]) expect(() => checkUserCount(users)).not.toThrow();
});

test('counts the tables of a player and of a pair', () => {
  expect(countsOf({ design: 'all', tables: 28 }, 8)).toEqual({
    blocksOfPlayer: { min: 21, max: 21 },
    blocksOfPair: { min: 15, max: 15 },
  });
  // A block design of 13 players in 26 blocks of six: each player 12 times, each pair five times.
  expect(countsOf({ design: 'balanced', tables: 26 }, 13)).toEqual({
    blocksOfPlayer: { min: 12, max: 12 },
    blocksOfPair: { min: 5, max: 5 },
  });
});

test('stores no tables for a classic batch of all combinations', () => {
  expect(encodeTables(planTables(8, 100, requested()), 8, { seed: 'seed', hasRule: false })).toBeNull();
});

test('stores six different users a table, the same for the same seed', () => {
  for (const given of [
    requested(),
    requested({ mode: 'duplicate' }),
    balanced(1400),
    balanced(12_000, { mode: 'duplicate' }),
  ]) {
    const plan = planTables(8, 100, given);
    const stored = [...(encodeTables(plan, 8, { seed: 'seed', hasRule: true }) ?? [])];
    expect(stored).toHaveLength(6 * plan.tables);
    for (let offset = 0; offset < stored.length; offset += 6) {
      expect(new Set(stored.slice(offset, offset + 6)).size).toBe(6);
    }
    expect(Math.max(...stored)).toBe(7);
    expect([...(encodeTables(plan, 8, { seed: 'seed', hasRule: true }) ?? [])]).toEqual(stored);
    expect([...(encodeTables(plan, 8, { seed: 'other', hasRule: true }) ?? [])]).not.toEqual(stored);
  }
});
