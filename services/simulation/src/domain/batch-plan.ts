import { designCounts } from '@husky/match/plan-tables';
import type { StacksMode } from '@husky/match/stacks';
import { DomainError } from '@husky/runtime/rpc/errors';
import { allBlocks, balancedBlocks, choose, drawnBlocks } from './block-design.ts';
import { equalBlocks, equalCounts, equalStep } from './equal-design.ts';
import { type MatchMode, tableSize } from './job.ts';
import { checkMode, checkStacks } from './match-rules.ts';

const minUsers = tableSize;
const maxUsers = 20;
/** Tables of the largest batch: all combinations of 20 users. */
const maxTables = choose(maxUsers, tableSize);

const designs = ['all', 'balanced'] as const;
/** 'equal': of a stage of a tournament, with any number of users. */
export type Design = (typeof designs)[number] | 'equal';

/** How a batch forms its tables, and how it plays them. */
export interface TablePlan {
  readonly mode: MatchMode;
  readonly stacks: StacksMode;
  readonly design: Design;
  /** Null: none. */
  readonly handBudget: number | null;
  /** Groups of six players. */
  readonly tables: number;
  readonly matches: number;
}

export const batchRefusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'batch-invalid', message);

/** Throws INVALID_ARGUMENT unless a batch may have this number of users. */
export function checkUserCount(users: number): void {
  if (!Number.isInteger(users) || users < minUsers || users > maxUsers) {
    throw batchRefusal(`A batch needs ${minUsers} to ${maxUsers} users.`);
  }
}

/** Returns the number of matches of a table: one, or six rotations. */
export const matchesOfTable = (mode: MatchMode): number => (mode === 'duplicate' ? tableSize : 1);

/** Checks the requested mode, stacks and design of a batch and plans its tables; '' and 0 are defaults. Throws INVALID_ARGUMENT. */
export function planTables(
  users: number,
  numRounds: number,
  given: { readonly mode: string; readonly stacks: string; readonly design: string; readonly handBudget: number },
): TablePlan {
  checkUserCount(users);
  const mode = checkMode(given.mode);
  const stacks = checkStacks(given.stacks, mode);
  const design = designs.find((known) => known === (given.design || 'all'));
  if (!design) throw batchRefusal("The design must be 'all' or 'balanced'.");
  const tables =
    design === 'all' ? choose(users, tableSize) : tablesWithin(given.handBudget, { users, numRounds, mode });
  if (design === 'all' && given.handBudget !== 0) throw batchRefusal("A budget of hands needs the design 'balanced'.");
  const handBudget = design === 'all' ? null : given.handBudget;
  return { mode, stacks, design, handBudget, tables, matches: tables * matchesOfTable(mode) };
}

function tablesWithin(
  handBudget: number,
  { users, numRounds, mode }: { users: number; numRounds: number; mode: MatchMode },
): number {
  if (!Number.isSafeInteger(handBudget) || handBudget <= 0) {
    throw batchRefusal('A balanced design needs a budget of hands.');
  }
  const handsOfTable = numRounds * matchesOfTable(mode);
  const tables = Math.floor(handBudget / handsOfTable);
  const minTables = Math.ceil(users / tableSize);
  const count = (value: number) => value.toLocaleString('en');
  if (tables < minTables) {
    const required = `${count(users)} users need at least ${count(minTables * handsOfTable)} hands`;
    throw batchRefusal(`The budget of hands is too small: ${required}, ${count(handsOfTable)} for each table.`);
  }
  if (tables > maxTables) {
    const maxBudget = (maxTables + 1) * handsOfTable - 1;
    throw batchRefusal(`The budget of hands is too large: it must be at most ${count(maxBudget)}.`);
  }
  return tables;
}

/**
 * Plans tables at which each of 6 or more users sits equally often, within a budget of hands for each of them, or as few as possible if the budget does
 * not suffice for that.
 */
export function planEqualTables(
  users: number,
  { mode, stacks, hands, handsEach }: Pick<TablePlan, 'mode' | 'stacks'> & { hands: number; handsEach: number },
): TablePlan {
  const step = equalStep(users);
  const each = step * Math.max(1, Math.floor(handsEach / (hands * matchesOfTable(mode)) / step));
  const tables = (users * each) / tableSize;
  return { mode, stacks, design: 'equal', handBudget: null, tables, matches: tables * matchesOfTable(mode) };
}

/** Returns the bytes of an index of a user in the tables of a batch. */
export const bytesOfPlace = (users: number): number => (users > 256 ? 2 : 1);

/**
 * Returns the tables of a batch as six places each (of bytesOfPlace): indices of users in the order of the first rotation's seats. Order of tables and
 * seats are drawn from `seed`. Null for a classic batch of all combinations without a stopping rule, whose tables are those of
 * `combinationAt`.
 */
export function encodeTables(
  { mode, design, tables }: TablePlan,
  users: number,
  { seed, hasRule }: { readonly seed: string; readonly hasRule: boolean },
): Buffer | null {
  if (mode === 'classic' && design === 'all' && !hasRule) return null;
  const places = drawnBlocks(blocksOf(design, users, tables), users, seed).flat();
  return Buffer.from(bytesOfPlace(users) === 1 ? places : places.flatMap((place) => [place & 255, place >> 8]));
}

/** Returns how often users, and pairs of users, sit at a table of a design. */
export function countsOf({ design, tables }: Pick<TablePlan, 'design' | 'tables'>, users: number) {
  if (design === 'balanced') return designCounts(users, balancedBlocks(users, tables));
  if (design === 'equal') return equalCounts(users, (tables * tableSize) / users);
  const ofPlayer = choose(users - 1, tableSize - 1);
  const ofPair = choose(users - 2, tableSize - 2);
  return { blocksOfPlayer: { min: ofPlayer, max: ofPlayer }, blocksOfPair: { min: ofPair, max: ofPair } };
}

function blocksOf(design: Design, users: number, tables: number): number[][] {
  if (design === 'equal') return equalBlocks(users, (tables * tableSize) / users);
  return design === 'all' ? allBlocks(users) : balancedBlocks(users, tables);
}
