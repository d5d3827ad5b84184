import type pg from 'pg';
import { interrupted } from '../domain/index-errors.ts';
import type { PreparationStep } from '../domain/preparation.ts';
import type { Requirements } from '../domain/requirements.ts';
import { findResolution, recordResolution, storeArchive } from '../store/archives.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { PackageBuilder } from './package-builder.ts';

/** Resolves requirements to archives. Concurrent calls share one resolution, and a stored one is reused. */
export interface PackagePreparer {
  /** Returns the hash of the archive and builds it unless it is stored. Returns '' for a bot without packages. */
  prepare(requirements: Requirements): Promise<string>;
  /** Like `prepare`; false after `timeoutMs`, while the resolution continues. With 0 it only looks for a stored archive. */
  prepareWithin(requirements: Requirements, timeoutMs: number): Promise<boolean>;
  /** Returns what is being done for these requirements in this process. */
  stepOf(requirements: Requirements): PreparationStep;
}

const maxConcurrent = 2;
// A resolution can take minutes, so a longer queue would be in vain.
const maxWaiting = 50;

export function createPackagePreparer(pool: pg.Pool, builder: PackageBuilder): PackagePreparer {
  const running = new Map<string, Promise<string>>();
  const steps = new Map<string, PreparationStep>();
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
        (step) => steps.set(requirements.hash, step),
      ),
    );
  }

  async function prepare(requirements: Requirements): Promise<string> {
    if (requirements.lines.length === 0) return '';
    const current = running.get(requirements.hash);
    if (current) return current;
    const resolution = resolve(requirements).finally(() => {
      running.delete(requirements.hash);
      steps.delete(requirements.hash);
    });
    running.set(requirements.hash, resolution);
    return resolution;
  }

  return {
    prepare,
    stepOf: ({ hash }) => steps.get(hash) ?? 'waiting',
    async prepareWithin(requirements, timeoutMs) {
      if (requirements.lines.length === 0) return true;
      if (timeoutMs === 0) return (await findResolution(pool, keyOf(requirements))) !== undefined;
      const late = Promise.withResolvers<false>();
      const timer = setTimeout(() => late.resolve(false), timeoutMs);
      const work = prepare(requirements).then(() => true);
      // Its outcome is that of the submission, which is prepared again by the same resolution.
      work.catch(() => undefined);
      return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
    },
  };
}
