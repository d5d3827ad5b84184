import { minSequentialClusters, type SequentialStep, sequentialCourse } from '@husky/estimate/sequential';
import { batchRefusal, countsOf, type TablePlan } from './batch-plan.ts';

/** Bounds the rows that are read after each result and for each reader of the course. */
const maxMatches = 10_000;

/** A rule that ends a batch. Fixed when the batch is created. */
export interface StopRule {
  /** Probability of a false decision, over all pairs and the whole course. */
  readonly alpha: number;
  /** Differences below it, in chips per 100 hands, count as equal; null: never. */
  readonly margin: number | null;
  /** The pair to be told apart; null: all pairs. */
  readonly pair: readonly [string, string] | null;
  /** Tables at which each pair meets if the batch is played to its end. */
  readonly plannedTables: number;
}

/** What the rule reads of a table: one match, or six rotations. */
export interface TableResult {
  /** Whether a match of the table is not played yet, or not created. */
  readonly open: boolean;
  /** Whether a match of the table has failed, is deleted or is no contest. */
  readonly void: boolean;
  /** Hands of all its matches. */
  readonly hands: number;
  /** Sums over its matches by user. */
  readonly deltas: ReadonlyMap<string, number>;
}

export interface PairCourse {
  readonly pair: readonly [string, string];
  /** Steps up to the decision. Differences are the first player's winnings minus the second's, in chips per 100 hands. */
  readonly course: readonly SequentialStep[];
}

/** Checks a requested rule. Throws INVALID_ARGUMENT. */
export function planStopRule(
  given: { readonly alpha: number; readonly margin: number; readonly userIds: readonly string[] },
  userIds: readonly string[],
  plan: TablePlan,
): StopRule {
  const { alpha, margin } = given;
  if (!(alpha >= 0.001 && alpha <= 0.5))
    throw batchRefusal('The error rate of a stopping rule must be between 0.001 and 0.5.');
  if (!(margin >= 0 && margin <= 1_000_000)) {
    throw batchRefusal('The margin of a stopping rule must be between 0 and 1,000,000 chips per 100 hands.');
  }
  const [first, second] = given.userIds;
  const isPair = given.userIds.length === 2 && first !== second && given.userIds.every((id) => userIds.includes(id));
  if (given.userIds.length > 0 && !isPair)
    throw batchRefusal('A stopping rule names two users of the batch, or none for all pairs.');
  if (plan.matches > maxMatches) {
    throw batchRefusal(`A batch with a stopping rule has at most ${maxMatches.toLocaleString('en')} matches.`);
  }
  const plannedTables = countsOf(plan, userIds.length).blocksOfPair.min;
  if (plannedTables < minSequentialClusters) {
    const unit = plan.mode === 'duplicate' ? 'deal sets' : 'matches';
    throw batchRefusal(
      `A stopping rule needs at least ${minSequentialClusters} ${unit} of every two players; this batch has ${plannedTables}.`,
    );
  }
  const pair = first === undefined || second === undefined ? null : ([first, second] as const);
  return { alpha, margin: margin === 0 ? null : margin, pair, plannedTables };
}

/**
 * Returns the course of the test for each pair. Reads tables in the order of their numbers up to the first one with an unplayed
 * match: the order in which matches end depends on their results and would bias the test. Void tables are left out.
 */
export function stopCourses(rule: StopRule, userIds: readonly string[], tables: readonly TableResult[]): PairCourse[] {
  const open = tables.findIndex((table) => table.open);
  const played = (open < 0 ? tables : tables.slice(0, open)).filter((table) => !table.void && table.hands > 0);
  const pairs = rule.pair === null ? pairsOf(userIds) : [rule.pair];
  const test = { alpha: rule.alpha, pairs: pairs.length, margin: rule.margin, plannedClusters: rule.plannedTables };
  return pairs.map((pair) => ({ pair, course: sequentialCourse(differencesOf(pair, played), test) }));
}

/** Returns whether the rule ends the batch: every pair is decided. */
export function isDecided(courses: readonly PairCourse[]): boolean {
  return courses.every(({ course }) => course.length > 0 && course.at(-1)?.decision !== 'continue');
}

function differencesOf([first, second]: readonly [string, string], tables: readonly TableResult[]): number[] {
  return tables.flatMap(({ deltas, hands }) => {
    const one = deltas.get(first);
    const other = deltas.get(second);
    return one === undefined || other === undefined ? [] : [((one - other) / hands) * 100];
  });
}

function pairsOf(userIds: readonly string[]): (readonly [string, string])[] {
  return userIds.flatMap((one, index) => userIds.slice(index + 1).map((other) => [one, other] as const));
}
