import { createHash } from 'node:crypto';
import type { StacksMode } from './stacks.ts';

/** The committed facts except the seed; public as soon as the match can be claimed. */
export interface PublicFacts {
  readonly rulesVersion: number;
  /** By seat; `packagesHash` is empty for the standard library only. */
  readonly roster: readonly { readonly userId: string; readonly botHash: string; readonly packagesHash: string }[];
  /** Maximum number of hands. */
  readonly hands: number;
  readonly startingStack: number;
  readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
  /** 'documented' or 'classic'. */
  readonly profile: string;
  /** Absent: 'carry'. */
  readonly stacks?: StacksMode;
}

/** All committed facts of a match. */
export interface MatchCommitment extends PublicFacts {
  readonly seed: Uint8Array;
}

/** Returns the text that is hashed: JSON without spaces, keys in alphabetical order at every level, the seed as lower-case hex. `stacks` is a key only if it is 'reset'. */
export function commitmentInput(match: MatchCommitment): string {
  return canonicalFacts(match, Buffer.from(match.seed).toString('hex'));
}

/** Returns the hashed text without the key `seed`. */
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
    // Without the key if it is 'carry', so that commitments made before the field existed stay valid.
    stacks: match.stacks === 'reset' ? match.stacks : undefined,
    startingStack: match.startingStack,
  });
}

/** Returns the SHA-256 of the input as lower-case hex; published before the first hand, verifiable once the seed is published. */
export function commitmentOf(match: MatchCommitment): string {
  return createHash('sha256').update(commitmentInput(match)).digest('hex');
}
