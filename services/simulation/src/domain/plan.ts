import { type BeaconRound, canonicalJson, nameHash, sha256Hex, type TakenSeeds } from '@husky/match/commitment';
import { writeTables } from '@husky/match/plan-tables';
import type { StacksMode } from '@husky/match/stacks';
import type { Design } from './batch-plan.ts';
import { committedSeat } from './commitment-chain.ts';
import { type Blinds, type Limits, type MatchMode, profile, type SeatPlan, startingStack } from './job.ts';
import type { StopRule } from './stop-rule.ts';

/** Version of the form of a plan's text. */
const planVersion = 1;

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
  /** What its matches take of the lists of seeds; null: their seeds are drawn alone. */
  readonly seeds: TakenSeeds | null;
  /** The round of a public beacon for which its matches wait; null: none. */
  readonly beacon: Pick<BeaconRound, 'chain' | 'round'> | null;
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
    ...(plan.beacon && { beacon: plan.beacon }),
    roster: plan.roster.map((bot) => ({ ...committedSeat(bot, plan.seeds), nameHash: nameOf.get(bot.userId) ?? '' })),
    rulesVersion,
    ...(plan.seeds && { seeds: plan.seeds }),
    stacks,
    startingStack,
    stopRule,
    tables: writeTables(plan.tables, plan.roster.length),
    version: planVersion,
  });
  return { text, hash: sha256Hex(text) };
}
