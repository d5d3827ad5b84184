import { createHash } from 'node:crypto';
import { DomainError } from '@husky/runtime/errors';
import { networkOf } from '@husky/runtime/network';

/** How many failures are free, and how long the wait may grow that doubles with each further one. */
export interface BackOffPolicy {
  readonly freeFailures: number;
  readonly maxBlockMs: number;
}

/** One thing whose failures are counted, by a hash that says nothing of names and addresses. */
export interface AttemptKey {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly policy: BackOffPolicy;
  /** Whether a success forgives all its failures; otherwise only the attempt itself is taken back. */
  readonly forgiven: boolean;
}

/** Failures are forgotten this long after the last one. */
export const forgetMs = 15 * 60_000;
const firstBlockMs = 2_000;

// An attacker may share the owner's network (a campus), so this key blocks for a minute at most.
const byNameAndAddress: BackOffPolicy = { freeFailures: 10, maxBlockMs: 60_000 };
// Password checks inside a session have no address; their failures keep nobody from signing in.
const bySession: BackOffPolicy = { freeFailures: 10, maxBlockMs: 15 * 60_000 };
// A name alone is blocked briefly only, so that a stranger with many addresses cannot keep its owner out.
const byName: BackOffPolicy = { freeFailures: 100, maxBlockMs: 60_000 };
// Many people share an address (a campus), so one is blocked late and briefly.
const byAddress: BackOffPolicy = { freeFailures: 200, maxBlockMs: 60_000 };

function hashOf(...parts: readonly string[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(parts)).digest());
}

/** What one try at a name (or another account's mark) from an address counts against; unknown names are treated as known ones. */
export function attemptKeys(what: 'login' | 'password' | 'reset', name: string, address: string): AttemptKey[] {
  const keys = [
    {
      key: hashOf(what, 'both', name, address),
      policy: what === 'password' ? bySession : byNameAndAddress,
      forgiven: true,
    },
    { key: hashOf(what, 'name', name), policy: byName, forgiven: true },
  ];
  if (address !== '') keys.push({ key: hashOf(what, 'address', address), policy: byAddress, forgiven: false });
  return keys;
}

// A site's IPv4 network, and what is given to one site of IPv6.
const siteBits = { v4: 24, v6: 48 };

/** The network that a client's address belongs to; it takes its turn and is known or not as one. */
export function siteOf(address: string): string {
  return networkOf(address, siteBits);
}

/** What is kept of a network from which somebody has signed in to a name. */
export function placeKey(name: string, address: string): Uint8Array<ArrayBuffer> {
  return hashOf('place', name, siteOf(address));
}

/**
 * What one sign-in counts against from a network where its name has been signed in to before: strangers' failures
 * elsewhere keep nobody out at home, and the whole network has as many guesses as one address has elsewhere.
 */
export function homeKeys(name: string, address: string): AttemptKey[] {
  return [
    { key: hashOf('login', 'both', name, address), policy: byNameAndAddress, forgiven: true },
    { key: hashOf('login', 'home', name, siteOf(address)), policy: byNameAndAddress, forgiven: true },
  ];
}

/** How long nobody may try after this many failures; 0: at once. */
export function blockMs(failures: number, policy: BackOffPolicy): number {
  const beyond = failures - policy.freeFailures;
  return beyond < 0 ? 0 : Math.min(policy.maxBlockMs, firstBlockMs * 2 ** Math.min(beyond, 30));
}

export function tooManyAttempts(waitMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many attempts. Please try again in ${seconds}s`;
  return new DomainError('RESOURCE_EXHAUSTED', 'too-many-attempts', message, { retryAfterS: seconds });
}
