import type { StacksMode } from '@husky/match/stacks';
import { DomainError } from '@husky/runtime/rpc/errors';
import { matchesOfTable, planEqualTables, type TablePlan } from '../../domain/batch-plan.ts';
import { choose } from '../../domain/block-design.ts';
import { type MatchMode, tableSize } from '../../domain/job.ts';
import { checkMatchRules, checkMode, checkStacks } from '../../domain/match-rules.ts';
import { planStopRule } from '../../domain/stop-rule.ts';

export const minEntrants = tableSize;
export const maxEntrants = 1000;
const maxStages = 8;
const maxNameLength = 60;
/** As many as those of the largest batch of admins. */
const maxTables = choose(20, tableSize);
const maxHandsEach = 10_000_000;

/** What a stage plays. All its players sit at equally many tables. */
export interface StageSpec {
  readonly name: string;
  readonly mode: MatchMode;
  readonly stacks: StacksMode;
  /** Of a match. */
  readonly hands: number;
  /** Budget of hands for each player. */
  readonly handsEach: number;
  /** How many go on; null: it is the last stage. */
  readonly advance: number | null;
  readonly bigBlind: number;
  /** Ends the stage when all its pairs are decided; null: it plays its budget. */
  readonly stopRule: { readonly alpha: number; readonly margin: number } | null;
}

const refusal = (message: string) => new DomainError('INVALID_ARGUMENT', 'stages-invalid', message);
const shown = (value: number) => value.toLocaleString('en');

interface GivenStage {
  readonly name: string;
  readonly mode: string;
  readonly stacks: string;
  readonly hands: number;
  readonly handsEach: number;
  readonly advance: number;
  readonly bigBlind: number;
  readonly stopAlpha: number;
  readonly stopMargin: number;
}

const stage = (name: string, hands: number, handsEach: number, advance: number, more: Partial<GivenStage> = {}) => ({
  name,
  mode: '',
  stacks: '',
  hands,
  handsEach,
  advance,
  bigBlind: 0,
  stopAlpha: 0,
  stopMargin: 0,
  ...more,
});

/** Stages by template. Official: matches as the specification plays them. */
const templates: Readonly<Record<string, readonly GivenStage[]>> = {
  official: [
    stage('Qualification', 1000, 12_000, 24),
    stage('Semifinal', 1000, 12_000, 6),
    stage('Final', 1000, 24_000, 0),
  ],
  quick: [stage('Qualification', 200, 1200, 12), stage('Semifinal', 200, 1200, 6), stage('Final', 200, 2400, 0)],
  researcher: [
    stage('Qualification', 100, 12_000, 12, { mode: 'duplicate' }),
    stage('Semifinal', 100, 12_000, 6, { mode: 'duplicate' }),
    stage('Final', 100, 120_000, 0, { mode: 'duplicate', stacks: 'carry', stopAlpha: 0.05, stopMargin: 200 }),
  ],
};

/** Returns the stages of a template. Throws INVALID_ARGUMENT for an unknown one. */
export function stagesOf(template: string): readonly StageSpec[] {
  const given = templates[template];
  if (!given) throw refusal(`The template must be one of ${Object.keys(templates).join(', ')}.`);
  return checkStages(given);
}

/** Checks the stages of a tournament; '' and 0 are defaults. Throws INVALID_ARGUMENT with the name of the stage. */
export function checkStages(given: readonly GivenStage[]): readonly StageSpec[] {
  if (given.length < 1 || given.length > maxStages) throw refusal(`A tournament has 1 to ${maxStages} stages.`);
  const stages: StageSpec[] = [];
  for (const [index, one] of given.entries()) {
    const name = one.name.trim();
    if (name === '' || [...name].length > maxNameLength || /\p{Cc}/u.test(name)) {
      throw refusal(`Stage ${index + 1} needs a name of at most ${maxNameLength} characters.`);
    }
    if (stages.some((other) => other.name === name)) throw refusal(`There are two stages ${name}.`);
    stages.push(checkStage({ ...one, name }, stages.at(-1), index === given.length - 1));
  }
  return stages;
}

function checkStage(given: GivenStage, before: StageSpec | undefined, isLast: boolean): StageSpec {
  const { name, hands, handsEach, advance } = given;
  const mode = checkMode(given.mode);
  const stacks = checkStacks(given.stacks, mode);
  const { bigBlind } = checkMatchRules(hands, { bigBlind: given.bigBlind || 10, multiplier: '1', interval: 1 });
  const handsOfTable = hands * matchesOfTable(mode);
  if (handsEach < handsOfTable) {
    const unit = mode === 'duplicate' ? 'a deal set' : 'a match';
    throw refusal(
      `The budget of hands of ${name} is too small: ${unit} has ${shown(handsOfTable)} hands for each player, the budget is ${shown(handsEach)}.`,
    );
  }
  const most = before?.advance ?? maxEntrants;
  const largest = planEqualTables(most, { mode, stacks, hands, handsEach: Math.min(handsEach, maxHandsEach) });
  if (handsEach > maxHandsEach || largest.tables > maxTables) {
    const limit = Math.min(maxHandsEach, Math.floor((maxTables * tableSize) / most) * handsOfTable);
    throw refusal(`The budget of hands of ${name} is too large: it must be at most ${shown(limit)}.`);
  }
  if (isLast && advance !== 0) throw refusal(`${name} is the last stage: nobody goes on from it.`);
  if (!isLast && (advance < minEntrants || advance > most)) {
    throw refusal(`From ${name}, ${minEntrants} to ${shown(most)} must go on to the next stage.`);
  }
  const stopRule = given.stopAlpha === 0 ? null : { alpha: given.stopAlpha, margin: given.stopMargin };
  if (stopRule !== null) {
    // With more players a rule would end the stage while they have sat at different numbers of tables.
    if (before?.advance !== tableSize) {
      throw refusal(`A stopping rule is for a stage of ${tableSize} players: ${tableSize} must go on to ${name}.`);
    }
    const userIds = Array.from({ length: tableSize }, (_, index) => String(index));
    planStopRule({ ...stopRule, userIds: [] }, largest, { mode, numRounds: hands, userIds });
  }
  return { name, mode, stacks, hands, handsEach, advance: isLast ? null : advance, bigBlind, stopRule };
}

/** Plans the tables of a stage for its players. */
export const planStage = (spec: StageSpec, players: number): TablePlan => planEqualTables(players, spec);

/** Returns how many hands each player of a planned stage plays at most. */
export const handsEachOf = ({ hands }: StageSpec, plan: TablePlan, players: number): number =>
  (plan.matches * tableSize * hands) / players;

/** Returns how many players each stage has, of a number of entrants, without ties at the cuts. */
export function playersOf(stages: readonly StageSpec[], entrants: number): number[] {
  let players = entrants;
  return stages.map(({ advance }) => {
    const here = players;
    players = Math.min(players, advance ?? players);
    return here;
  });
}
