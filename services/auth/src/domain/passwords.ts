import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type HashWorkers, hashWorkers } from './hash-workers.ts';
import type { Lane } from './turns.ts';

/** Argon2id's cost. Memory is per hash in KiB; RFC 9106 and OWASP give 19 MiB, 2 passes, 1 lane as a fair minimum. */
export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface Passwords {
  hash(password: string, lane?: Lane): Promise<string>;
  /** False for a wrong password and for no hash at all, after the same work. */
  verify(stored: string | null | undefined, password: string, lane?: Lane): Promise<boolean>;
  /** Whether a hash was made at another cost than today's. */
  outdated(stored: string): boolean;
  close(): Promise<void>;
}

const maxThreads = 8;
const strangersNiceness = 15;

/** Threads that hash in each lane: one fewer than the machine's cores, as others have work to do. */
export const hashThreads = Math.min(maxThreads, Math.max(1, availableParallelism() - 1));

/**
 * Strangers' hashes run on threads of the lowest priority, those of known people on threads of their own, so that no
 * flood of the former holds the latter or anything else up.
 */
export async function createPasswords(cost: Argon2Cost): Promise<Passwords> {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes };
  const workers: Readonly<Record<Lane, HashWorkers>> = {
    known: hashWorkers(hashThreads, { options, niceness: 0 }),
    stranger: hashWorkers(hashThreads, { options, niceness: strangersNiceness }),
  };
  const hash = async (password: string, lane: Lane = 'known') => String(await workers[lane].run(password));
  const nobodys = await hash(randomBytes(16).toString('hex'));
  return {
    hash,
    async verify(stored, password, lane = 'known') {
      const right = await workers[lane].run(password, stored ?? nobodys);
      return right === true && typeof stored === 'string';
    },
    outdated: (stored) => !stored.includes(`$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`),
    async close() {
      await Promise.all(Object.values(workers).map((threads) => threads.close()));
    },
  };
}
