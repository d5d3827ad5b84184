import { type BeaconChain, quicknet } from '@husky/match/beacon';
import { z } from 'zod';

/** A public beacon of randomness (drand). */
export interface Beacon {
  /** Origins of relays, which are asked in this order. */
  readonly urls: readonly string[];
  readonly chain: BeaconChain;
}

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));
const chainInfo = z.object({
  hash: hex(32),
  public_key: hex(96),
  genesis_time: z.number().int().positive(),
  period: z.number().int().positive(),
});

/**
 * Reads the beacon from the addresses of its relays, separated by commas, and the JSON of its chain; without one it is quicknet. Null without addresses.
 * Throws Error for an address or a chain that cannot be read.
 */
export function readBeacon(urls: string, chain: string): Beacon | null {
  const relays = urls.split(',').flatMap((url) => url.trim() || []);
  if (relays.length === 0) return null;
  const wrong = relays.find((url) => !URL.canParse(url));
  if (wrong !== undefined) throw new Error(`BEACON_URLS: ${wrong} is no URL`);
  if (chain === '') return { urls: relays, chain: quicknet };
  const read = chainInfo.safeParse(parsedJson(chain));
  if (!read.success)
    throw new Error('BEACON_CHAIN: it is not the JSON of a chain with hash, public_key, genesis_time and period');
  const { hash, public_key: publicKey, genesis_time: genesis, period } = read.data;
  return { urls: relays, chain: { hash, publicKey, genesis, period } };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
