import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { startThreads, type Threads } from '@husky/runtime/threads';
import type { HashPriority } from './hash-queue.ts';
import type { HashJob } from './hash-worker.ts';

/** The cost of Argon2id. Memory in KiB per hash. OWASP's minimum is 19 MiB, 2 passes, 1 lane. */
export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface Passwords {
  hash(password: string, priority?: HashPriority): Promise<string>;
  /** False for a wrong password, and without a stored hash; both take the same time. */
  verify(stored: string | null | undefined, password: string, priority?: HashPriority): Promise<boolean>;
  /** Whether a hash was made with another cost than the configured one. */
  isOutdated(stored: string): boolean;
  close(): Promise<void>;
}

const maxThreads = 8;
const strangerNiceness = 10;
const workerCode = new URL('./hash-worker.ts', import.meta.url);

/** Hash threads per priority: one fewer than the machine's cores, so that other work gets one. */
export const hashThreads = Math.min(maxThreads, Math.max(1, availableParallelism() - 1));

/** Creates the password hasher. Strangers' hashes run on low-priority threads of their own, so that a flood delays nobody else. */
export async function createPasswords(cost: Argon2Cost): Promise<Passwords> {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: cost.lanes };
  const threads: Readonly<Record<HashPriority, Threads<HashJob, string | boolean>>> = {
    known: startThreads(workerCode, { count: hashThreads, niceness: 0 }),
    stranger: startThreads(workerCode, { count: hashThreads, niceness: strangerNiceness }),
  };
  const run = (priority: HashPriority, password: string, stored?: string) =>
    threads[priority].run({ options, stored, password });
  const hash = async (password: string, priority: HashPriority = 'known') => String(await run(priority, password));
  const dummyHash = await hash(randomBytes(16).toString('hex'));
  return {
    hash,
    async verify(stored, password, priority = 'known') {
      const right = await run(priority, password, stored ?? dummyHash);
      return right === true && typeof stored === 'string';
    },
    isOutdated: (stored) => !stored.includes(`$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`),
    async close() {
      await Promise.all(Object.values(threads).map((pool) => pool.close()));
    },
  };
}
