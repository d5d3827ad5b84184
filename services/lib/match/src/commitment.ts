import { createHash } from 'node:crypto';

/** What a commitment is over, except the seed: public from the moment the match can be claimed. */
export interface PublicFacts {
  readonly rulesVersion: number;
  /** By seat; `packagesHash` is empty for the standard library only. */
  readonly roster: readonly { readonly userId: string; readonly botHash: string; readonly packagesHash: string }[];
  /** The most hands to be played. */
  readonly hands: number;
  readonly startingStack: number;
  readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
  /** 'documented' or 'classic'. */
  readonly profile: string;
}

/** All that a match is promised to be before its first hand. */
export interface MatchPromise extends PublicFacts {
  readonly seed: Uint8Array;
}

/** The exact text that is hashed: JSON without spaces, keys in alphabetical order at every level, the seed as lower-case hex. */
export function commitmentInput(match: MatchPromise): string {
  return canonicalFacts(match, Buffer.from(match.seed).toString('hex'));
}

/** The same text without the key `seed`. */
export function publicInput(match: PublicFacts): string {
  return canonicalFacts(match);
}

function canonicalFacts(match: PublicFacts, seed?: string): string {
  const { bigBlind, interval, multiplier } = match.blinds;
  return JSON.stringify({
    blinds: { bigBlind, interval, multiplier },
    hands: match.hands,
    profile: match.profile,
    roster: match.roster.map(({ botHash, packagesHash, userId }) => ({ botHash, packagesHash, userId })),
    rulesVersion: match.rulesVersion,
    seed,
    startingStack: match.startingStack,
  });
}

/** SHA-256 of the commitment's input as lower-case hex; published before the first hand, checkable once the seed is. */
export function commitmentOf(match: MatchPromise): string {
  return createHash('sha256').update(commitmentInput(match)).digest('hex');
}
