import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { startThreads, type Threads } from '@husky/runtime/process/threads';
import { DomainError } from '@husky/runtime/rpc/errors';
import { hash as hashOnce } from '@node-rs/argon2';
import type { HashPriority } from './hash-queue.ts';
import type { HashJob } from './hash-worker.ts';

/** The cost of Argon2id. Memory in KiB per hash. OWASP's minimum is 19 MiB, 2 passes, 1 lane. */
export interface Argon2Cost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly lanes: number;
}

/** `outdated`: right, but the hash was made with another cost than the configured one, or of another Unicode form of the password. */
export type PasswordMatch = 'right' | 'outdated' | 'wrong';

/** Hashes and compares passwords in Unicode's form NFC, since keyboards and systems write the same characters differently. */
export interface Passwords {
  hash(password: string, priority?: HashPriority): Promise<string>;
  /** `wrong` also without a stored hash; both take the same time. */
  verify(stored: string | null | undefined, password: string, priority?: HashPriority): Promise<PasswordMatch>;
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
  const hash = async (password: string, priority: HashPriority = 'known') =>
    String(await run(priority, password.normalize()));
  const isCurrent = (stored: string) => stored.includes(`$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$`);
  // Not on a thread of the pools: they are started by the first sign-in.
  const dummyHash = await hashOnce(randomBytes(16).toString('hex'), options);
  return {
    hash,
    async verify(stored, password, priority = 'known') {
      const matches = async (form: string) =>
        (await run(priority, form, stored ?? dummyHash)) === true && typeof stored === 'string';
      const normal = password.normalize();
      if (await matches(normal)) return isCurrent(stored ?? '') ? 'right' : 'outdated';
      // Earlier releases hashed passwords as they were typed.
      return normal !== password && (await matches(password)) ? 'outdated' : 'wrong';
    },
    async close() {
      await Promise.all(Object.values(threads).map((pool) => pool.close()));
    },
  };
}

const minLength = 8;
const maxLength = 128;

function refused(reason: string, message: string): DomainError {
  return new DomainError('INVALID_ARGUMENT', reason, message);
}

/** Throws INVALID_ARGUMENT unless the password has 8 to 128 characters (code points in NFC). */
export function checkPasswordLength(password: string): void {
  const length = [...password.normalize()].length;
  if (length < minLength) {
    throw refused('password-too-short', `A password has at least ${minLength} characters; this one has ${length}`);
  }
  if (length > maxLength) {
    throw refused('password-too-long', `A password has at most ${maxLength} characters; this one has ${length}`);
  }
}

/** Throws INVALID_ARGUMENT for a password of wrong length or from a list of leaked passwords. */
export async function checkPassword(password: string): Promise<void> {
  checkPasswordLength(password);
  if (await isStolen(password.normalize())) {
    throw refused('password-stolen', 'This password is in lists of stolen passwords. Choose another one.');
  }
}

/** Whether a password is among the 49,233 most common leaked ones, ignoring case and punctuation at both ends. */
export async function isStolen(password: string): Promise<boolean> {
  // Loaded at first use: the list takes 4 MiB.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const stolen = dictionary['passwords-common'];
  const plain = password.toLowerCase();
  const bare = plain.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
  return stolen.includes(plain) || stolen.includes(bare);
}
