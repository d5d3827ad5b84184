import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { type PublicFacts, recordText, type SeedProof, sha256Hex, subjectHash } from './commitment.ts';

/** A list has 2 ** SEED_LIST_DEPTH seeds. */
export const SEED_LIST_DEPTH = 17;
export const SEED_LIST_SIZE = 2 ** SEED_LIST_DEPTH;

const leaf = Uint8Array.of(0);
const node = Uint8Array.of(1);

/** Returns the hash of a leaf of a list's Merkle tree (RFC 9162, section 2.1). */
const leafHash = (seed: Uint8Array): Uint8Array => sha256(concatBytes(leaf, seed));

/** Returns the hash of a node over two others (RFC 9162, section 2.1). */
const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(node, left, right));

/** Returns what is wrong with the place of a match's seed; undefined: nothing, or the seed is of no list. */
export function seedProblem(
  { seed, proof, recordNumber }: { seed: Uint8Array; proof: SeedProof | null; recordNumber: number | null },
  { seeds }: PublicFacts,
): string | undefined {
  if (seeds === undefined) return undefined;
  if (!proof) return 'seed_proof: it is missing.';
  const { path, record } = proof;
  if (record.hash !== sha256Hex(recordText(record))) return 'seed_proof.record.hash: it is not the hash of the record.';
  if (record.jobHash !== subjectHash('seeds', String(seeds.list)))
    return `seed_proof.record.job_hash: it is not the record of list ${seeds.list}.`;
  if (recordNumber !== null && record.number >= recordNumber)
    return 'seed_proof.record.number: the list was made after the match.';
  if (path.length !== SEED_LIST_DEPTH || !path.every((hash) => /^[0-9a-f]{64}$/.test(hash)))
    return `seed_proof.path: it does not have ${SEED_LIST_DEPTH} hashes.`;
  if (rootOf(seed, seeds.number, path) !== record.commitment)
    return `seed_proof.path: the seed does not stand at place ${seeds.number} of list ${seeds.list}.`;
  return undefined;
}

/** Returns the root of the list (hex) in which a seed stands at place `number` by a path; empty if the place is beyond the list. */
export function rootOf(seed: Uint8Array, number: number, path: readonly string[]): string {
  let hash = leafHash(seed);
  let place = number;
  for (const neighbour of path.map((hex) => hexToBytes(hex))) {
    hash = place % 2 === 0 ? nodeHash(hash, neighbour) : nodeHash(neighbour, hash);
    place = Math.floor(place / 2);
  }
  return place === 0 ? bytesToHex(hash) : '';
}
