import {
  type BeaconRound,
  type CommittedSeat,
  commitmentInput,
  commitmentOf,
  type PublicFacts,
  publicInput,
} from '@husky/match/commitment';
import { dealKey } from '@husky/match/deal-key';
import { RULES_VERSION } from '@husky/match/rules-version';
import { parseStacks } from '@husky/match/stacks';
import { type Blinds, profile, type SeatPlan, startingStack } from './job.ts';

interface Planned {
  readonly numRounds: number;
  readonly blinds: Blinds;
  readonly stacks: string;
  readonly seats: readonly SeatPlan[];
  readonly rulesVersion?: number;
  readonly startingStack?: number;
  readonly profile?: string;
  /** Hash of the plan; empty: none. */
  readonly planHash?: string;
  /** Numbers of its place in the plan: of a match of a batch, or of a deal set. */
  readonly gameNumber?: number | null;
  readonly rotation?: number | null;
  /** The place of its seed; null: drawn alone. */
  readonly seeds?: PublicFacts['seeds'] | null;
  readonly beacon?: BeaconRound | null;
}

/** Computes the commitment to a match and its input, of which it is the SHA-256. Throws while packages of a seat are unknown. */
export function commitTo(match: Planned & { readonly seed: Uint8Array }): { commitment: string; input: string } {
  const facts = { ...factsOf(match), seed: match.seed };
  return { commitment: commitmentOf(facts), input: commitmentInput(facts) };
}

/** Returns the input of a commitment without the seed. Throws while packages of a seat are unknown. */
export function publicInputOf(match: Planned): string {
  return publicInput(factsOf(match));
}

function factsOf(match: Planned): PublicFacts {
  return {
    rulesVersion: match.rulesVersion ?? RULES_VERSION,
    hands: match.numRounds,
    startingStack: match.startingStack ?? startingStack,
    profile: match.profile ?? profile,
    stacks: parseStacks(match.stacks),
    blinds: match.blinds,
    ...(match.planHash ? { plan: { game: match.gameNumber ?? match.rotation ?? 1, hash: match.planHash } } : {}),
    ...(match.seeds && { seeds: match.seeds }),
    ...(match.beacon && { beacon: match.beacon }),
    roster: match.seats.map((seat) => committedSeat(seat, match.seeds)),
  };
}

/** Returns what is committed to of a seat. Nonces have no effect, and are left out, where the seed is of no list. */
export function committedSeat(
  { userId, botHash, packagesHash, nonce }: SeatPlan,
  seeds?: object | null,
): CommittedSeat {
  if (packagesHash === null) throw new Error('the packages of a seat are not known yet');
  return { userId, botHash, packagesHash, ...(seeds && nonce ? { nonce } : {}) };
}

/** Returns the key from which a match with this seed is dealt. */
export function dealKeyOf(match: Planned, seed: Uint8Array): Uint8Array {
  return dealKey(seed, factsOf(match));
}
