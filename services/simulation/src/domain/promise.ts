import { commitmentInput, commitmentOf, type MatchPromise } from '@husky/match/commitment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { type Blinds, profile, startingStack } from './job.ts';

interface Promised {
  readonly seed: Uint8Array;
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly seats: readonly {
    readonly userId: string;
    readonly botHash: string;
    readonly packagesHash: string | null;
  }[];
  readonly rulesVersion?: number;
  readonly startingStack?: number;
  readonly profile?: string;
}

/** Everything that is fixed before the first hand: hash and exact text. Needs all packages to be known. */
export function promiseOf(match: Promised): { commitment: string; input: string } {
  const promise: MatchPromise = {
    seed: match.seed,
    rulesVersion: match.rulesVersion ?? RULES_VERSION,
    hands: match.numRounds,
    startingStack: match.startingStack ?? startingStack,
    profile: match.profile ?? profile,
    blinds: match.blinds,
    roster: match.seats.map(({ userId, botHash, packagesHash }) => {
      if (packagesHash === null) throw new Error('the packages of a seat are not known yet');
      return { userId, botHash, packagesHash };
    }),
  };
  return { commitment: commitmentOf(promise), input: commitmentInput(promise) };
}
