import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type PublicFacts } from './commitment.ts';

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
