import { commitmentInput, commitmentOf, type PublicFacts, publicInput } from '@husky/match/commitment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { type Blinds, profile, startingStack } from './job.ts';

interface Planned {
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

/** The commitment and the exact text that it is the SHA-256 of. Throws when packages of a seat are not known yet. */
export function promiseOf(match: Planned & { readonly seed: Uint8Array }): { commitment: string; input: string } {
  const promise = { ...factsOf(match), seed: match.seed };
  return { commitment: commitmentOf(promise), input: commitmentInput(promise) };
}

/** The commitment's text without the seed. Throws when packages of a seat are not known yet. */
export function publicInputOf(match: Planned): string {
  return publicInput(factsOf(match));
}

function factsOf(match: Planned): PublicFacts {
  return {
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
}
