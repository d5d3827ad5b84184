import { DomainError } from '@husky/runtime/errors';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Requirements } from '../domain/requirements.ts';
import { findResolution, recordResolution, storeArchive } from '../store/archives.ts';
import { createGate } from './gate.ts';
import type { PackageBuilder } from './package-builder.ts';

/** Makes archives of packages: each requirements.txt is resolved once, however many ask for it, and never again while it is in use. */
export interface PackagePreparer {
  /** The hash of the archive with everything that is asked for, made when it is not stored; '': nothing. */
  prepare(requirements: Requirements): Promise<string>;
  /**
   * The same for a caller who waits for `timeoutMs` at most: UNAVAILABLE `packages-preparing` after it. The work goes on;
   * whoever asks again for the same requirements gets its outcome, a refusal too.
   */
  prepareWithin(requirements: Requirements, timeoutMs: number): Promise<string>;
}

const atOnce = 2;
const unheardMs = 10 * 60_000;
const mostUnheard = 1000;
const retryAfterS = 30;

export function createPackagePreparer(pool: pg.Pool, builder: PackageBuilder): PackagePreparer {
  const underWay = new Map<string, Promise<string>>();
  /** Refusals that came after their caller had been answered. */
  const unheard = new LRUCache<string, DomainError>({ max: mostUnheard, ttl: unheardMs });
  const gate = createGate(atOnce);

  async function resolve(requirements: Requirements): Promise<string> {
    const key = { requirementsHash: requirements.hash, python: builder.python, platform: builder.platform };
    const stored = await findResolution(pool, key);
    if (stored !== undefined) return stored;
    const { hash } = await gate(() =>
      builder.build(
        requirements,
        (archiveHash) => recordResolution(pool, key, archiveHash),
        (archive) => storeArchive(pool, key, archive),
      ),
    );
    return hash;
  }

  async function prepare(requirements: Requirements): Promise<string> {
    if (requirements.lines.length === 0) return '';
    const running = underWay.get(requirements.hash);
    if (running) return running;
    const work = resolve(requirements).finally(() => underWay.delete(requirements.hash));
    underWay.set(requirements.hash, work);
    return work;
  }

  return {
    prepare,
    async prepareWithin(requirements, timeoutMs) {
      const refusal = unheard.get(requirements.hash);
      if (refusal) {
        unheard.delete(requirements.hash);
        throw refusal;
      }
      const work = prepare(requirements);
      const late = Promise.withResolvers<'late'>();
      const timer = setTimeout(() => late.resolve('late'), timeoutMs);
      const first = await Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
      if (first !== 'late') return first;
      work.catch((error: unknown) => {
        const lasting = error instanceof DomainError && error.code === 'FAILED_PRECONDITION';
        if (lasting) unheard.set(requirements.hash, error);
      });
      throw stillPreparing();
    },
  };
}

function stillPreparing(): DomainError {
  const message =
    'The packages in requirements.txt are still being prepared. Upload the same files again in a minute: what has been prepared is kept.';
  return new DomainError('UNAVAILABLE', 'packages-preparing', message, { retryAfterS });
}
