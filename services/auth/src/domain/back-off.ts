import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { networkOf } from '@husky/runtime/network';

/** Failures without a delay, and the maximum of the delay that doubles with each further failure. */
export interface BackOffPolicy {
  readonly freeFailures: number;
  readonly maxBlockMs: number;
}

/** A counter of failed attempts. Its key is a hash, so that the table contains no names or addresses. */
export interface AttemptKey {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly policy: BackOffPolicy;
  /** Whether a success resets the counter; otherwise it only refunds its own attempt. */
  readonly clearedBySuccess: boolean;
}

/** A counter restarts when its last failure is older than this. */
export const attemptTtlMs = 15 * 60_000;
const firstBlockMs = 2_000;

// An attacker may share the owner's network (a campus), so this key blocks for a minute at most.
const byNameAndAddress: BackOffPolicy = { freeFailures: 10, maxBlockMs: 60_000 };
// Password checks inside a session have no address; their failures do not affect sign-ins.
const bySession: BackOffPolicy = { freeFailures: 10, maxBlockMs: 15 * 60_000 };
// A name alone is blocked briefly, so that an attacker with many addresses cannot lock its owner out.
const byName: BackOffPolicy = { freeFailures: 100, maxBlockMs: 60_000 };
// Many people share an address (a campus), so an address is blocked late and briefly.
const byAddress: BackOffPolicy = { freeFailures: 200, maxBlockMs: 60_000 };

function hashOf(...parts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(parts)).digest());
}

/** Returns the counters of an attempt for a name (or another account key) from an address; an empty address is not counted. */
export function attemptKeys(what: 'login' | 'password' | 'reset', name: string, address: string): AttemptKey[] {
  const policy = what === 'password' ? bySession : byNameAndAddress;
  const keys = [
    { key: hashOf(what, 'both', name, address), policy, clearedBySuccess: true },
    { key: hashOf(what, 'name', name), policy: byName, clearedBySuccess: true },
  ];
  if (address !== '') keys.push({ key: hashOf(what, 'address', address), policy: byAddress, clearedBySuccess: false });
  return keys;
}

/**
 * Returns the counters of a sign-in from a known network of the name. Failures from other networks do not block it. All
 * addresses of the network share the free failures that elsewhere one address has.
 */
export function knownNetworkKeys(name: string, address: string): AttemptKey[] {
  return [
    { key: hashOf('login', 'both', name, address), policy: byNameAndAddress, clearedBySuccess: true },
    { key: hashOf('login', 'home', name, networkPrefix(address)), policy: byNameAndAddress, clearedBySuccess: true },
  ];
}

// The usual size of one site's network.
const prefixBits = { v4: 24, v6: 48 };

/** Returns the network of a client's address. Fair queueing and known networks use it as their unit. */
export function networkPrefix(address: string): string {
  return networkOf(address, prefixBits);
}

/** Returns the key under which the address's network is stored as a known network of the name. */
export function knownNetworkKey(name: string, address: string): Uint8Array<ArrayBuffer> {
  return hashOf('place', name, networkPrefix(address));
}

const dayMs = 24 * 3_600_000;

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
