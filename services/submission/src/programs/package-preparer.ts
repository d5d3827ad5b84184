import { createSharedWork } from '@husky/runtime/process/shared-work';
import { createAdmission } from '@husky/runtime/rpc/admission';
import type pg from 'pg';
import type { Requirements } from '../domain/bot-files.ts';
import { interrupted } from '../domain/index-errors.ts';
import type { PreparationStep } from '../domain/lock.ts';
import { findResolution, recordResolution, storeArchive } from '../store/archives.ts';
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
// A place is always free for others than one account or one address.
const share = { account: 1 / 2, address: 1 / 2 };
// A resolution can take minutes, so a longer queue would be in vain.
const maxWaiting = 200;
const maxWaitMs = 10 * 60_000;

export function createPackagePreparer(pool: pg.Pool, builder: PackageBuilder): PackagePreparer {
  const steps = new Map<string, PreparationStep>();
  const builds = createSharedWork<string>(
    createAdmission({ limit: () => maxConcurrent, share, maxWaiting, maxWaitMs, refusal: interrupted }),
  );
  const keyOf = ({ hash }: Requirements) => ({
    requirementsHash: hash,
    python: builder.python,
    platform: builder.platform,
  });

  async function resolve(requirements: Requirements): Promise<string> {
    const key = keyOf(requirements);
    const stored = await findResolution(pool, key);
    if (stored !== undefined) return stored;
    const { hash } = requirements;
    return builds.run(hash, () => {
      const built = builder.build(
        requirements,
        (archiveHash) => recordResolution(pool, key, archiveHash),
        (archive) => storeArchive(pool, key, archive),
        (step) => steps.set(hash, step),
      );
      return built.finally(() => steps.delete(hash));
    });
  }

  async function prepare(requirements: Requirements): Promise<string> {
    return requirements.lines.length === 0 ? '' : resolve(requirements);
  }

  return {
    prepare,
    stepOf: ({ hash }) => steps.get(hash) ?? 'waiting',
    async prepareWithin(requirements, timeoutMs) {
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
