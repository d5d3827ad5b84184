import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/rpc/errors';
import { networkOf } from '@husky/runtime/rpc/network';

/** Failures without a delay, and the maximum of the delay that doubles with each further failure. */
export interface BackOffPolicy {
  readonly freeFailures: number;
  readonly maxBlockMs: number;
  /** The counter restarts when its last failure is older than this. */
  readonly ttlMs: number;
}

/** A counter of failed attempts. Its key is a hash, so that the table contains no names or addresses. */
export interface AttemptKey {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly policy: BackOffPolicy;
}

const dayMs = 24 * 3_600_000;
const firstBlockMs = 2_000;

// Nobody else can use these up: the owner's device, and password checks inside a session, which do not affect sign-ins.
const byDevice: BackOffPolicy = { freeFailures: 10, maxBlockMs: 60_000, ttlMs: 15 * 60_000 };
const bySession: BackOffPolicy = { freeFailures: 10, maxBlockMs: 15 * 60_000, ttlMs: 15 * 60_000 };
// An attacker may share these with the owner: they block late and briefly, and their free failures are those of a day. 100 is the most
// that NIST SP 800-63B (5.2.2) allows for one account.
const byAddress: BackOffPolicy = { freeFailures: 100, maxBlockMs: 60_000, ttlMs: dayMs };
const byNetwork: BackOffPolicy = { freeFailures: 200, maxBlockMs: 60_000, ttlMs: dayMs };
const byName: BackOffPolicy = { freeFailures: 500, maxBlockMs: 60_000, ttlMs: dayMs };

function hashOf(...parts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(parts)).digest());
}

/** Where a sign-in comes from. */
export interface Origin {
  readonly address: string;
  /** Id of a device on which the name has signed in before; empty: none. */
  readonly device: string;
}

/** What earlier sign-ins of the name show about the origin of another one. */
export type Proof = 'device' | 'address' | 'network' | 'none';

/**
 * Returns the counters of a sign-in. One with a better proof skips the counters that those with less can use up, so that others who guess
 * the owner's password do not lock the owner out.
 */
export function signInKeys(proof: Proof, name: string, { address, device }: Origin): AttemptKey[] {
  if (proof === 'device') return [{ key: hashOf('login', 'device', name, device), policy: byDevice }];
  const ofAddress = { key: hashOf('login', 'both', name, addressOf(address)), policy: byAddress };
  if (proof === 'address') return [ofAddress];
  const ofNetwork = { key: hashOf('login', 'home', name, networkPrefix(address)), policy: byNetwork };
  if (proof === 'network') return [ofAddress, ofNetwork];
  return [ofAddress, ofNetwork, { key: hashOf('login', 'name', name), policy: byName }];
}

/** Returns the counters of password checks within the sessions of a user. */
export const passwordKeys = (userId: string): AttemptKey[] => [
  { key: hashOf('password', 'both', userId, ''), policy: bySession },
];

// The usual size of one site's network.
const prefixBits = { v4: 24, v6: 48 };

/** Returns the network of a client's address. Fair queueing and known networks use it as their unit. */
export function networkPrefix(address: string): string {
  return networkOf(address, prefixBits);
}

/** Returns the address as counters and known addresses use it: of IPv6 the /64, in which a client chooses its addresses. */
const addressOf = (address: string): string => networkOf(address, { v4: 32, v6: 64 });

/** Returns the keys under which the address's network and the address are stored as known ones of the name. */
export const knownPlaces = (name: string, address: string): Places => ({
  network: hashOf('place', name, networkPrefix(address)),
  address: hashOf('place', name, 'address', addressOf(address)),
});

export interface Places {
  readonly network: AttemptKey['key'];
  readonly address: AttemptKey['key'];
}

/** Returns whether a network was used within a day, so that its last use need not be stored again. */
export const isRecentUse = (seenAt: Date | null, now: Date): boolean =>
  seenAt !== null && now.getTime() - seenAt.getTime() < dayMs;

/** Returns how long attempts are blocked after the last free failure and after each further one, in ms. The last value applies from then on. */
export function blocksMs({ maxBlockMs }: BackOffPolicy): number[] {
  const blocks: number[] = [];
  for (let ms = firstBlockMs; ms < maxBlockMs; ms *= 2) blocks.push(ms);
  return [...blocks, maxBlockMs];
}

export function tooManyAttempts(waitMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many attempts. Please try again in ${seconds}s`;
  return new DomainError('RESOURCE_EXHAUSTED', 'too-many-attempts', message, { retryAfterS: seconds });
}
