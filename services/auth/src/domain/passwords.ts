import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { DomainError } from '@husky/runtime/errors';
import { hash, verify } from '@node-rs/argon2';

/** Argon2id's cost. Memory is per hash in KiB; RFC 9106 and OWASP give 19 MiB, 2 passes, 1 lane as a fair minimum. */
export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface Passwords {
  hash(password: string): Promise<string>;
  /** False for a wrong password and for no hash at all, after the same work. */
  verify(stored: string | null | undefined, password: string): Promise<boolean>;
  /** Whether a hash was made at another cost than today's. */
  outdated(stored: string): boolean;
}

const maxWaiting = 100;

/** Hashes at most one less than the machine's cores at once: other calls keep their share of it. */
export async function createPasswords(cost: Argon2Cost): Promise<Passwords> {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes };
  const limited = limitConcurrency(Math.max(1, availableParallelism() - 1));
  const nobodys = await hash(randomBytes(16).toString('hex'), options);
  return {
    hash: (password) => limited(() => hash(password, options)),
    async verify(stored, password) {
      const right = await limited(() => verify(stored ?? nobodys, password));
      return right && typeof stored === 'string';
    },
    outdated: (stored) => !stored.includes(`$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`),
  };
}

/** Runs at most `limit` at once and lets 100 wait, in order; more is refused with `busy`. */
export function limitConcurrency(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < limit) running++;
    else {
      if (waiting.length >= maxWaiting) {
        const message = 'Too many people are signing in right now. Please try again in a moment';
        throw new DomainError('RESOURCE_EXHAUSTED', 'busy', message, { retryAfterS: 2 });
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
