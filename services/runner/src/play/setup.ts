import type { Assignment__Output } from '@husky/contracts/types/simulation/v1/Assignment';
import type { Limits__Output } from '@husky/contracts/types/simulation/v1/Limits';
import type { BlindSchedule } from '@husky/holdem/blinds';
import { parseStacks, type StacksMode } from '@husky/match/stacks';

/** A match's limits for each bot, as in the proto. */
export type Limits = Readonly<Limits__Output>;

export const defaultLimits: Limits = {
  decisionMs: 5000,
  bankMs: 60_000,
  freeMs: 100,
  faultsToDisable: 10,
  startupMs: 30_000,
  memoryMib: 256,
  logBytes: 64 << 10,
};

/** Returns an assignment's limits; a limit that is missing or 0 gets its default. */
function limitsOf(given: Limits__Output | null): Limits {
  return {
    decisionMs: given?.decisionMs || defaultLimits.decisionMs,
    bankMs: given?.bankMs || defaultLimits.bankMs,
    freeMs: given?.freeMs || defaultLimits.freeMs,
    faultsToDisable: given?.faultsToDisable || defaultLimits.faultsToDisable,
    startupMs: given?.startupMs || defaultLimits.startupMs,
    memoryMib: given?.memoryMib || defaultLimits.memoryMib,
    logBytes: given?.logBytes || defaultLimits.logBytes,
  };
}

export type Profile = 'documented' | 'classic';

/** A bot's files as the seats see them: absolute, or relative to the run directory. */
export interface SeatFiles {
  readonly botDir: string;
  readonly packagesDir: string | null;
}

/** A bot whose files could not be fetched. It is out from the start, for the reason in `unfetchable`. */
export interface AbsentBot {
  readonly unfetchable: string;
}

/** The inputs of a match. */
export interface MatchSetup {
  readonly name: string;
  readonly rulesVersion: number;
  readonly seed: Uint8Array;
  readonly numRounds: number;
  readonly startingStack: number;
  readonly stacks: StacksMode;
  readonly blinds: BlindSchedule;
  readonly profile: Profile;
  readonly limits: Limits;
  readonly seats: readonly (SeatFiles | AbsentBot)[];
}

/** Returns the inputs of an assigned match with these bots. Throws if the assignment has no blinds or an unknown profile. */
export function setupOf(assignment: Assignment__Output, seats: MatchSetup['seats']): MatchSetup {
  const { jobId, attempt, seed, numRounds, startingStack, stacks, blinds, profile, limits, rulesVersion } = assignment;
  if (blinds === null) throw new Error('the assignment has no blinds');
  if (profile !== 'documented' && profile !== 'classic') throw new Error(`there is no profile ${profile}`);
  const { bigBlind, multiplier, interval } = blinds;
  return {
    name: `${jobId}:${attempt}`,
    rulesVersion,
    seed,
    numRounds,
    startingStack,
    stacks: parseStacks(stacks),
    blinds: { bigBlind, multiplier, interval },
    profile,
    limits: limitsOf(limits),
    seats,
  };
}
