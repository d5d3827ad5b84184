import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { BeaconRound } from './commitment.ts';

/** A chain of a drand network, of the scheme bls-unchained-g1-rfc9380. */
export interface BeaconChain {
  /** Its hash, hex. */
  readonly hash: string;
  /** In G2, hex. */
  readonly publicKey: string;
  /** Time of round 1, in s since the epoch. */
  readonly genesis: number;
  /** Seconds between rounds. */
  readonly period: number;
}

/** The League of Entropy's chain "quicknet". */
export const quicknet: BeaconChain = {
  hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesis: 1_692_803_367,
  period: 3,
};

/** Returns when a round is published, in ms since the epoch. */
export const roundTime = ({ genesis, period }: BeaconChain, round: number): number =>
  (genesis + (round - 1) * period) * 1000;

/** Returns the first round that is published at least one period after `ms`. */
export function nextRound({ genesis, period }: BeaconChain, ms: number): number {
  return Math.max(1, Math.floor((ms / 1000 - genesis) / period) + 3);
}

const suite = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';

/** Returns whether a round is signed by its chain: BLS over SHA-256(uint64be round), RFC 9380. */
export function isSignedRound(chain: BeaconChain, { round, signature }: Omit<BeaconRound, 'chain'>): boolean {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
  const { shortSignatures } = bls12_381;
  try {
    const message = shortSignatures.hash(sha256(bytes), suite);
    return shortSignatures.verify(hexToBytes(signature), message, hexToBytes(chain.publicKey));
  } catch {
    return false;
  }
}
