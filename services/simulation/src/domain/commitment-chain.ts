import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import {
  type BeaconRound,
  type CommittedSeat,
  commitmentInput,
  commitmentOf,
  dealKey,
  type PublicFacts,
  publicInput,
  type RecordKind,
  recordText,
  sha256Hex,
  subjectHash,
  type TakenSeeds,
} from '@husky/match/commitment';
import { RULES_VERSION } from '@husky/match/rules-version';
import { keyChangeText, type NoteSigner, noteKey, signNote } from '@husky/match/signed-note';
import { parseStacks } from '@husky/match/stacks';
import { type Blinds, profile, type SeatPlan, startingStack } from './job.ts';

/** A record of the platform's commitment chain. Hashes are lower-case hex. */
export interface ChainRecord {
  /** From 1, without gaps. */
  readonly number: number;
  readonly kind: RecordKind;
  /** As subjectHash returns it. */
  readonly jobHash: string;
  readonly commitment: string;
  readonly madeAt: Date;
  /** Hash of the previous record; 64 zeros in the first one. */
  readonly previous: string;
  readonly hash: string;
  /** Of a plan that takes seeds of a list. */
  readonly seeds: TakenSeeds | null;
}

export type ChainHead = Pick<ChainRecord, 'number' | 'hash' | 'madeAt'>;

export const chainStart = '0'.repeat(64);

/** What a record is to be made of. `id`: of a match, or of what is planned. */
export interface Commitment {
  readonly kind?: RecordKind;
  readonly id: string;
  readonly commitment: string;
  readonly seeds?: TakenSeeds | null;
}

/** Creates the records of these commitments after `head`. Their time is `now`, or that of `head` if it is later. */
export function linkRecords(
  head: ChainHead | undefined,
  commitments: readonly Commitment[],
  now: number,
): ChainRecord[] {
  const madeAt = new Date(Math.max(now, head?.madeAt.getTime() ?? 0));
  let number = head?.number ?? 0;
  let previous = head?.hash ?? chainStart;
  return commitments.map(({ kind = 'match', id, commitment, seeds = null }) => {
    number += 1;
    const link = { number, kind, jobHash: subjectHash(kind, id), commitment, madeAt, previous, seeds };
    previous = sha256Hex(recordText({ ...link, time: madeAt.toISOString() }));
    return { ...link, hash: previous };
  });
}

/** Where a check of the chain has arrived. */
export type ChainPosition = Pick<ChainRecord, 'number' | 'hash'> & {
  readonly madeAt: number;
  /** The list of the last seeds that a plan took, and the first place after them. */
  readonly list: number;
  readonly place: number;
};

export const chainBeginning: ChainPosition = { number: 0, hash: chainStart, madeAt: 0, list: 1, place: 0 };

/** Returns the position after a record. */
export function positionAfter(before: ChainPosition, { number, hash, madeAt, seeds }: ChainRecord): ChainPosition {
  const taken = seeds && { list: seeds.list, place: seeds.first + seeds.count };
  return { ...before, number, hash, madeAt: madeAt.getTime(), ...taken };
}

/** Checks that a record follows a position. Returns what is wrong; undefined: nothing. */
export function brokenLink(before: ChainPosition, record: ChainRecord): string | undefined {
  const next = before.number + 1;
  if (record.number !== next) return `Record ${next} of the chain is missing.`;
  const text = recordText({ ...record, time: record.madeAt.toISOString() });
  if (record.previous !== before.hash) return `Record ${next} of the chain does not follow the record before it.`;
  if (record.hash !== sha256Hex(text)) return `Record ${next} of the chain was changed.`;
  if (record.madeAt.getTime() < before.madeAt) return `Record ${next} of the chain is older than the record before it.`;
  const { seeds } = record;
  const follows = !seeds || (seeds.list === before.list ? seeds.first === before.place : seeds.first === 0);
  if (!follows || (seeds && ![before.list, before.list + 1].includes(seeds.list)))
    return `Record ${next} of the chain takes seed ${seeds?.first} of list ${seeds?.list}, where seed ${before.place} of list ${before.list} follows.`;
  return undefined;
}

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

/** A key that signs, as it is stored. `privateKey`: PKCS #8 in DER. */
export interface SigningKey {
  /** Of the platform, in all of its keys. */
  readonly name: string;
  readonly publicKey: Buffer;
  readonly privateKey: Buffer;
}

/** Returns a new key of the platform with this name, or of a new platform. */
export function makeKey(name = `husky-holdem/${randomBytes(8).toString('hex')}`): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  return {
    name,
    publicKey: Buffer.from(x, 'base64url'),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
  };
}

export function signerOf({ name, publicKey, privateKey }: SigningKey): NoteSigner {
  const key = createPrivateKey({ key: privateKey, type: 'pkcs8', format: 'der' });
  return { key: noteKey(name, publicKey), sign: (text) => sign(null, text, key) };
}

/** Returns the note by which a key names the one that replaces it. Both sign it. */
export function keyChange(before: SigningKey, next: SigningKey, now: number): string {
  const text = keyChangeText(before.name, noteKey(next.name, next.publicKey), new Date(now).toISOString());
  return signNote(text, [signerOf(before), signerOf(next)]);
}
