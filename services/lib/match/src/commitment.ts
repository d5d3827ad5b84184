import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import type { StacksMode } from './stacks.ts';

/** The committed facts except the seed; public as soon as the match can be claimed. */
export interface PublicFacts {
  readonly rulesVersion: number;
  /** By seat; `packagesHash` is empty for the standard library only. */
  readonly roster: readonly CommittedSeat[];
  /** Maximum number of hands. */
  readonly hands: number;
  readonly startingStack: number;
  readonly blinds: { readonly bigBlind: number; readonly multiplier: string; readonly interval: number };
  /** 'documented' or 'classic'. */
  readonly profile: string;
  /** Absent: 'carry'. */
  readonly stacks?: StacksMode;
  /** The match's place in its plan: from 1, and the SHA-256 of the plan's text. Absent: without a plan. */
  readonly plan?: { readonly game: number; readonly hash: string };
  /** Where the seed stands: in which list of seeds, at which place from 0. Absent: it was drawn alone. */
  readonly seeds?: { readonly list: number; readonly number: number };
  /** A round of a public beacon that was in the future when the plan named it. */
  readonly beacon?: BeaconRound;
}

export interface CommittedSeat {
  readonly userId: string;
  readonly botHash: string;
  readonly packagesHash: string;
  /** What the player's upload added to the randomness of the cards: 64 hex digits. Absent: nothing. */
  readonly nonce?: string;
}

/** A round of a drand chain. */
export interface BeaconRound {
  /** Hash of the chain's facts, hex. */
  readonly chain: string;
  readonly round: number;
  /** BLS signature, hex. Its SHA-256 is the round's randomness. */
  readonly signature: string;
}

/** All committed facts of a match. */
export interface MatchCommitment extends PublicFacts {
  readonly seed: Uint8Array;
}

/** Returns the text that is hashed: JSON without spaces, keys in alphabetical order at every level, the seed as lower-case hex. `stacks` is a key only if it is 'reset'. */
export function commitmentInput(match: MatchCommitment): string {
  return canonicalFacts(match, bytesToHex(match.seed));
}

/** Returns the hashed text without the key `seed`. */
export function publicInput(match: PublicFacts): string {
  return canonicalFacts(match);
}

function canonicalFacts(match: PublicFacts, seed?: string): string {
  const { bigBlind, interval, multiplier } = match.blinds;
  return JSON.stringify({
    beacon: match.beacon && { chain: match.beacon.chain, round: match.beacon.round, signature: match.beacon.signature },
    blinds: { bigBlind, interval, multiplier },
    hands: match.hands,
    plan: match.plan && { game: match.plan.game, hash: match.plan.hash },
    profile: match.profile,
    roster: match.roster.map(({ botHash, nonce, packagesHash, userId }) => ({ botHash, nonce, packagesHash, userId })),
    rulesVersion: match.rulesVersion,
    seed,
    seeds: match.seeds && { list: match.seeds.list, number: match.seeds.number },
    // Without the key if it is 'carry', so that commitments made before the field existed stay valid.
    stacks: match.stacks === 'reset' ? match.stacks : undefined,
    startingStack: match.startingStack,
  });
}

/** Returns the SHA-256 of the input as lower-case hex; published before the first hand, verifiable once the seed is published. */
export function commitmentOf(match: MatchCommitment): string {
  return sha256Hex(commitmentInput(match));
}

/** What a record commits to: a match, the plan of a batch, a deal set or a single match, or a list of seeds. */
export const recordKinds = ['match', 'plan', 'seeds'] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Returns jobHash of a record: the SHA-256 of a match's id; of another kind the id follows the kind and a colon. */
export function subjectHash(kind: RecordKind, id: string): string {
  return sha256Hex(kind === 'match' ? id : `${kind}:${id}`);
}

/** Returns the hash by which a plan names a player: it says nothing without the salt, which is deleted with the account. */
export function nameHash(salt: string, name: string): string {
  return sha256Hex(`${salt}:${name}`);
}

/** Returns JSON without spaces, keys in alphabetical order at every level. Keys without a value are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** A record of the platform's commitment chain without its own hash. Hashes are lower-case hex. */
interface RecordFacts {
  /** From 1, without gaps. */
  readonly number: number;
  /** As subjectHash returns it. */
  readonly jobHash: string;
  readonly commitment: string;
  /** UTC with milliseconds, as toISOString writes it. */
  readonly time: string;
  /** Hash of the previous record; 64 zeros in the first one. */
  readonly previous: string;
  /** Of a plan that takes seeds of a list. */
  readonly seeds?: TakenSeeds | null;
}

/** The seeds that a plan takes: `count` of a list, from place `first` on. */
export interface TakenSeeds {
  readonly count: number;
  readonly first: number;
  readonly list: number;
}

/** Returns the text that a record's hash covers: JSON without spaces, keys in alphabetical order. */
export function recordText({ number, jobHash, commitment, time, previous, seeds }: RecordFacts): string {
  const taken = seeds ? { count: seeds.count, first: seeds.first, list: seeds.list } : undefined;
  return JSON.stringify({ commitment, jobHash, number, previous, seeds: taken, time });
}

/** Returns the SHA-256 of a text's UTF-8 bytes as lower-case hex. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The first rules version whose matches are dealt from a key of seed and public randomness. */
export const PUBLIC_RANDOMNESS_VERSION = 3;

type Randomness = Pick<PublicFacts, 'seeds' | 'beacon'> & {
  readonly roster: readonly { readonly nonce?: string | undefined }[];
};

/**
 * Returns the 32 bytes from which a match is dealt: HMAC-SHA256(seed, text) of the players' nonces and the beacon's randomness, neither of which was
 * known when the list of the seed was committed to. A match whose seed is of no list is dealt from the seed itself.
 */
export function dealKey(seed: Uint8Array, { seeds, roster, beacon }: Randomness): Uint8Array {
  if (seeds === undefined) return seed;
  const nonces = [...new Set(roster.flatMap(({ nonce }) => nonce ?? []))].sort();
  const randomness = beacon === undefined ? null : bytesToHex(sha256(hexToBytes(beacon.signature)));
  return hmac(sha256, seed, utf8ToBytes(canonicalJson({ beacon: randomness, nonces })));
}

/** A record of the commitment chain as it was published. */
export interface PublishedRecord extends RecordFacts {
  readonly hash: string;
}

/** What shows that a seed stands in its list. */
export interface SeedProof {
  /** Hashes of the neighbours from the leaf up, hex (RFC 9162, section 2.1.3). */
  readonly path: readonly string[];
  /** Record of the list in the chain, whose commitment is the root. */
  readonly record: PublishedRecord;
}

/** A record as REST and files have it. */
export type RestRecord = Omit<PublishedRecord, 'jobHash'> & { readonly job_hash: string };
export type RestSeedProof = Omit<SeedProof, 'record'> & { readonly record: RestRecord };

export const restRecord = ({ jobHash, ...link }: PublishedRecord): RestRecord => ({ ...link, job_hash: jobHash });

export const publishedRecord = ({ job_hash: jobHash, ...link }: RestRecord): PublishedRecord => ({ ...link, jobHash });

export const restSeedProof = ({ path, record }: SeedProof): RestSeedProof => ({ path, record: restRecord(record) });

export const publishedSeedProof = ({ path, record }: RestSeedProof): SeedProof => ({
  path,
  record: publishedRecord(record),
});
