import {
  compareRates,
  confidenceSequence,
  type RateInterval,
  type SequentialComparison,
  type TableBounds,
  type TableSum,
} from '@husky/estimate/sequential';
import { batchRefusal, countsOf, matchesOfTable, type TablePlan } from './batch-plan.ts';
import { type MatchMode, startingStack, tableSize } from './job.ts';

/** Bounds the rows that are read after each result and for each reader of the course. */
const maxMatches = 10_000;

/** Version of the test in stored rules. Rules without one are of a test whose error rate did not hold: they decide nothing. */
const testVersion = 2;

/** A rule that ends a batch. Fixed when the batch is created. */
export interface StopRule {
  /** Probability that any interval of a tested player ever misses the player's rate, and so of any false decision. */
  readonly alpha: number;
  /** Differences below it, in chips per 100 hands, count as equal; null: never. */
  readonly margin: number | null;
  /** The pair to be told apart; null: all pairs. */
  readonly pair: readonly [string, string] | null;
  readonly version?: number;
}

/** What a rule knows of its batch before the first match. */
export interface RuledBatch {
  readonly mode: MatchMode;
  /** Hands of a match at most. */
  readonly numRounds: number;
  readonly userIds: readonly string[];
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

/** A player's rate, in chips per 100 hands: winnings over hands of the tables read, and the interval that holds at any time. */
export interface PlayerRate extends RateInterval {
  readonly userId: string;
  readonly tables: number;
  readonly mean: number;
}

/** The difference of the first player's rate and the second's, in chips per 100 hands. */
export interface StopStep extends SequentialComparison {
  /** Tables read at which at least one of them sat. */
  readonly tables: number;
  readonly mean: number;
}

export interface PairCourse {
  readonly pair: readonly [string, string];
  /** Steps up to the decision; of a rule for all pairs the last one only. */
  readonly course: readonly StopStep[];
}

export interface StopCourse {
  readonly players: readonly PlayerRate[];
  readonly pairs: readonly PairCourse[];
}

/** Checks a requested rule. Throws INVALID_ARGUMENT. */
export function planStopRule(
  given: { readonly alpha: number; readonly margin: number; readonly userIds: readonly string[] },
  plan: TablePlan,
  batch: RuledBatch,
): StopRule {
  const { alpha, margin } = given;
  if (!(alpha >= 0.001 && alpha <= 0.5))
    throw batchRefusal('The error rate of a stopping rule must be between 0.001 and 0.5.');
  if (!(margin >= 0 && margin <= 1_000_000)) {
    throw batchRefusal('The margin of a stopping rule must be between 0 and 1,000,000 chips per 100 hands.');
  }
  const [first, second] = given.userIds;
  const isPair =
    given.userIds.length === 2 && first !== second && given.userIds.every((id) => batch.userIds.includes(id));
  if (given.userIds.length > 0 && !isPair)
    throw batchRefusal('A stopping rule names two users of the batch, or none for all pairs.');
  if (plan.stacks !== 'carry') {
    throw batchRefusal(
      "A stopping rule needs the stacks 'carry': with stacks that are reset after each hand, a match can be won or lost many stacks, so that no test of its results keeps its error rate.",
    );
  }
  if (plan.matches > maxMatches) {
    throw batchRefusal(`A batch with a stopping rule has at most ${maxMatches.toLocaleString('en')} matches.`);
  }
  const pair = first === undefined || second === undefined ? null : ([first, second] as const);
  const rule: StopRule = { alpha, margin: margin === 0 ? null : margin, pair, version: testVersion };
  checkSize(rule, plan, batch);
  return rule;
}

/** Refuses a batch in which the rule could not decide, whatever its results. */
function checkSize(rule: StopRule, plan: TablePlan, batch: RuledBatch): void {
  const tables = countsOf(plan, batch.userIds.length).blocksOfPlayer.min;
  const bounds = boundsOf(batch);
  const { loss, gain, maxHands: hands } = bounds;
  // More than any rule needs.
  const sequenceOf = (winnings: number) =>
    confidenceSequence(new Array(200).fill({ winnings, hands }), bounds, alphaOf(rule, batch));
  const [always, never, even] = [sequenceOf(gain), sequenceOf(-loss), sequenceOf(0)];
  const decides = (one: readonly RateInterval[], other: readonly RateInterval[]) => (_: unknown, at: number) =>
    compareRates(one[at] as RateInterval, other[at] as RateInterval, rule.margin).decision !== 'continue';
  const needed = Math.min(
    ...[always.findIndex(decides(always, never)), even.findIndex(decides(even, even))].filter((at) => at >= 0),
  );
  if (tables > needed) return;
  const unit = plan.mode === 'duplicate' ? 'deal sets' : 'matches';
  throw batchRefusal(
    `A stopping rule needs at least ${needed + 1} ${unit} of every user, since fewer decide nothing; this batch has ${tables}.`,
  );
}

/**
 * With carried stacks nobody can lose more than a starting stack in a match or win more than those of the others, whatever the blinds.
 */
function boundsOf({ mode, numRounds }: RuledBatch): TableBounds {
  const matches = matchesOfTable(mode);
  const loss = matches * startingStack;
  return { loss, gain: (tableSize - 1) * loss, minHands: matches, maxHands: matches * numRounds };
}

const testedUsers = ({ pair }: StopRule, { userIds }: RuledBatch) => pair ?? userIds;
const alphaOf = (rule: StopRule, batch: RuledBatch) => rule.alpha / testedUsers(rule, batch).length;

/** Returns whether the rule decides anything: rules of earlier versions no longer do. */
export const isInForce = ({ version }: StopRule): boolean => version === testVersion;

/**
 * Returns the course of the test; empty if the rule is not in force. Reads tables in the order of their numbers up to the first one with
 * an unplayed match: the order in which matches end depends on their results and would bias the test. Void tables are left out.
 */
export function stopCourse(rule: StopRule, batch: RuledBatch, tables: readonly TableResult[]): StopCourse {
  if (!isInForce(rule)) return { players: [], pairs: [] };
  const open = tables.findIndex((table) => table.open);
  const played = (open < 0 ? tables : tables.slice(0, open)).filter((table) => !table.void && table.hands > 0);
  const rates = new Map(testedUsers(rule, batch).map((userId) => [userId, ratesOf(userId, rule, batch, played)]));
  const pairs = rule.pair === null ? pairsOf(batch.userIds) : [rule.pair];
  return {
    players: [...rates.values()].flatMap((course) => course.at(-1) ?? []),
    pairs: pairs.map((pair) => {
      const course = courseOf(pair, rates, played, rule.margin);
      return { pair, course: rule.pair === null ? course.slice(-1) : course };
    }),
  };
}

/** Returns whether the rule ends the batch: every pair is decided. */
export function isDecided({ pairs }: StopCourse): boolean {
  return pairs.length > 0 && pairs.every(({ course }) => (course.at(-1)?.decision ?? 'continue') !== 'continue');
}

/** Returns a player's rate after each of the tables; null before the player's first one. */
function ratesOf(
  userId: string,
  rule: StopRule,
  batch: RuledBatch,
  tables: readonly TableResult[],
): (PlayerRate | null)[] {
  const sums = tables.flatMap(({ deltas, hands }): TableSum[] => {
    const winnings = deltas.get(userId);
    return winnings === undefined ? [] : [{ winnings, hands }];
  });
  const intervals = confidenceSequence(sums, boundsOf(batch), alphaOf(rule, batch));
  let [sat, won, played] = [0, 0, 0];
  return tables.map(({ deltas, hands }) => {
    const winnings = deltas.get(userId);
    if (winnings !== undefined) {
      sat += 1;
      won += winnings;
      played += hands;
    }
    const interval = intervals[sat - 1];
    return interval === undefined ? null : { userId, tables: sat, mean: (100 * won) / played, ...interval };
  });
}

/** Compares two players after each table at which one of them sat, up to the decision. */
function courseOf(
  pair: readonly [string, string],
  rates: ReadonlyMap<string, readonly (PlayerRate | null)[]>,
  tables: readonly TableResult[],
  margin: number | null,
): StopStep[] {
  const [one, other] = pair.map((userId) => rates.get(userId));
  const steps: StopStep[] = [];
  let sat = 0;
  for (const [index, { deltas }] of tables.entries()) {
    if (!pair.some((userId) => deltas.has(userId))) continue;
    sat += 1;
    const [first, second] = [one?.[index], other?.[index]];
    if (!first || !second) continue;
    const step = compareRates(first, second, margin);
    steps.push({ tables: sat, mean: first.mean - second.mean, ...step });
    if (step.decision !== 'continue') break;
  }
  return steps;
}

function pairsOf(userIds: readonly string[]): (readonly [string, string])[] {
  return userIds.flatMap((one, index) => userIds.slice(index + 1).map((other) => [one, other] as const));
}
