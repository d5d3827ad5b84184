import type { StacksMode } from '@husky/match/stacks';
import type pg from 'pg';
import { rotated } from '../domain/block-design.ts';
import { type Blinds, type Limits, type SeatPlan, tableSize } from '../domain/job.ts';
import { insertPlan, type PlannedRules, type Planning } from './plans.ts';

/** A match without a batch, or one of its deal set. */
interface PlannedMatch {
  /** The deal set or the match. */
  readonly holderId: string;
  readonly rotation: number | null;
  readonly seats: readonly SeatPlan[];
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly stacks: StacksMode;
  readonly limits: Limits;
  readonly rulesVersion: number;
}

/** Writes the plan of a match without a batch, or of its deal set. */
export function planOfMatch(client: pg.ClientBase, match: PlannedMatch, planning: Planning): Promise<PlannedRules> {
  const { holderId, rotation, numRounds, blinds, stacks, limits, rulesVersion } = match;
  // In the order of the first rotation's seats.
  const roster = rotation === null ? match.seats : rotated(match.seats, tableSize + 1 - rotation);
  const plan = {
    kind: rotation === null ? ('match' as const) : ('deal-set' as const),
    id: holderId,
    roster,
    mode: rotation === null ? ('classic' as const) : ('duplicate' as const),
    stacks,
    design: 'all' as const,
    handBudget: null,
    numRounds,
    blinds,
    stopRule: null,
    limits,
    rulesVersion,
    isPublic: false,
    tables: [roster.map((_, place) => place)],
    matches: rotation === null ? 1 : tableSize,
  };
  return insertPlan(client, plan, planning);
}
