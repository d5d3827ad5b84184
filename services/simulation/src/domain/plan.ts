import { canonicalJson, nameHash, sha256Hex } from '@husky/match/commitment';
import type { StacksMode } from '@husky/match/stacks';
import type { Design } from './batch-plan.ts';
import { type Blinds, type Limits, type MatchMode, profile, type SeatPlan, startingStack } from './job.ts';
import type { StopRule } from './stop-rule.ts';

/** Version of the form of a plan's text. */
const planVersion = 1;
const letters = 'ABCDEFGHIJKLMNOPQRST';

/** What is committed to before the first seed of a batch, a deal set or a single match is drawn. */
export interface Plan {
  readonly kind: 'batch' | 'deal-set' | 'match';
  /** Of the batch, the deal set or the match. */
  readonly id: string;
  readonly roster: readonly SeatPlan[];
  readonly mode: MatchMode;
  readonly stacks: StacksMode;
  readonly design: Design;
  readonly handBudget: number | null;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly stopRule: StopRule | null;
  readonly limits: Limits;
  readonly rulesVersion: number;
  readonly isPublic: boolean;
  /** By table: places in the roster by seat of the first rotation. */
  readonly tables: readonly (readonly number[])[];
  readonly matches: number;
}

/** A name and the salt of its hash. */
export interface PlanName {
  readonly userId: string;
  readonly name: string;
  readonly salt: string;
}

/** Returns the text of a plan and its hash. Players without a name (deleted accounts) have an empty one. Throws while packages are unknown. */
export function writePlan(plan: Plan, names: readonly PlanName[]): { text: string; hash: string } {
  const { kind, id, mode, stacks, design, handBudget, numRounds, blinds, stopRule, limits, rulesVersion } = plan;
  const nameOf = new Map(names.map(({ userId, name, salt }) => [userId, nameHash(salt, name)]));
  const text = canonicalJson({
    blinds,
    design,
    handBudget,
    hands: numRounds,
    id,
    kind,
    limits,
    matches: plan.matches,
    mode,
    profile,
    public: plan.isPublic,
    roster: plan.roster.map(({ userId, botHash, packagesHash }) => {
      if (packagesHash === null) throw new Error('the packages of a bot are not known yet');
      return { userId, botHash, packagesHash, nameHash: nameOf.get(userId) ?? '' };
    }),
    rulesVersion,
    stacks,
    startingStack,
    stopRule,
    tables: plan.tables.map((table) => table.map((place) => letters[place]).join('')),
    version: planVersion,
  });
  return { text, hash: sha256Hex(text) };
}
