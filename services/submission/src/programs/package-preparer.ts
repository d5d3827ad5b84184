import { DomainError } from '@husky/runtime/errors';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Requirements } from '../domain/requirements.ts';
import { findResolution, recordResolution, storeArchive } from '../store/archives.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { interrupted, type PackageBuilder } from './package-builder.ts';

/** Resolves requirements to archives. Concurrent calls share one resolution, and a stored one is reused. */
export interface PackagePreparer {
  /** Returns the hash of the archive and builds it unless it is stored. Returns '' for a bot without packages. */
  prepare(requirements: Requirements): Promise<string>;
  /**
   * Like `prepare`, with a time limit: rejects with UNAVAILABLE `packages-preparing` after `timeoutMs`. The resolution continues;
   * the next call with the same requirements gets its outcome, including a refusal. Rejects with RESOURCE_EXHAUSTED
   * `packages-waiting` while two such resolutions of the same owner continue, unless the archive is stored.
   */
  prepareWithin(requirements: Requirements, timeoutMs: number, ownerId: string): Promise<string>;
}

const maxConcurrent = 2;
// A resolution can take minutes, so a longer queue would be in vain.
const maxWaiting = 50;
const maxLatePerOwner = 2;
const pendingRefusalMs = 10 * 60_000;
const maxPendingRefusals = 1000;
const retryAfterS = 30;

export function createPackagePreparer(pool: pg.Pool, builder: PackageBuilder): PackagePreparer {
  const running = new Map<string, Promise<string>>();
  /** Refusals that came after the time limit of their caller, by the hash of the requirements. */
  const pendingRefusals = new LRUCache<string, DomainError>({ max: maxPendingRefusals, ttl: pendingRefusalMs });
  /** Hashes of the requirements whose resolution continues after the time limit of its caller, by the caller's id. */
  const lateOf = new Map<string, Set<string>>();
  const limited = createConcurrencyLimit(maxConcurrent, maxWaiting, interrupted);
  const keyOf = ({ hash }: Requirements) => ({
    requirementsHash: hash,
    python: builder.python,
    platform: builder.platform,
  });

  async function resolve(requirements: Requirements): Promise<string> {
    const key = keyOf(requirements);
    const stored = await findResolution(pool, key);
    if (stored !== undefined) return stored;
    return limited(() =>
      builder.build(
        requirements,
        (archiveHash) => recordResolution(pool, key, archiveHash),
        (archive) => storeArchive(pool, key, archive),
      ),
    );
  }

  async function prepare(requirements: Requirements): Promise<string> {
    if (requirements.lines.length === 0) return '';
    const current = running.get(requirements.hash);
    if (current) return current;
    const resolution = resolve(requirements).finally(() => running.delete(requirements.hash));
    running.set(requirements.hash, resolution);
    return resolution;
  }

  function addLate(ownerId: string, hash: string): void {
    lateOf.set(ownerId, (lateOf.get(ownerId) ?? new Set()).add(hash));
  }

  function removeLate(ownerId: string, hash: string): void {
    const hashes = lateOf.get(ownerId);
    hashes?.delete(hash);
    if (hashes?.size === 0) lateOf.delete(ownerId);
  }

  return {
    prepare,
    async prepareWithin(requirements, timeoutMs, ownerId) {
      const refusal = pendingRefusals.get(requirements.hash);
      if (refusal) {
        pendingRefusals.delete(requirements.hash);
        throw refusal;
      }
      const isTooMany = !running.has(requirements.hash) && (lateOf.get(ownerId)?.size ?? 0) >= maxLatePerOwner;
      if (isTooMany && requirements.lines.length > 0) {
        const stored = await findResolution(pool, keyOf(requirements));
        if (stored === undefined) throw tooManyLate();
        return stored;
      }
      const work = prepare(requirements);
      const late = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => late.resolve('late'), timeoutMs);
      const first = await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
      if (first !== 'late') return first;
      addLate(ownerId, requirements.hash);
      work
        .catch((error: unknown) => {
          const isRefusal = error instanceof DomainError && error.code === 'FAILED_PRECONDITION';
          if (isRefusal) pendingRefusals.set(requirements.hash, error);
        })
        .finally(() => removeLate(ownerId, requirements.hash));
      throw stillPreparing();
    },
  };
}

function stillPreparing(): DomainError {
  const message =
    'The packages in requirements.txt are still being prepared. Upload the same files again in a minute: what has been prepared is kept.';
  return new DomainError('UNAVAILABLE', 'packages-preparing', message, { retryAfterS });
}

function tooManyLate(): DomainError {
  const message = 'The packages of two earlier uploads are still being prepared. Please wait until they are ready.';
  return new DomainError('RESOURCE_EXHAUSTED', 'packages-waiting', message, { retryAfterS });
}
