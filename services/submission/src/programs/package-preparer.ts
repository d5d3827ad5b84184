import type pg from 'pg';
import type { Requirements } from '../domain/requirements.ts';
import { findResolution, recordResolution, storeArchive } from '../store/archives.ts';
import { createGate } from './gate.ts';
import type { PackageBuilder } from './package-builder.ts';

/** The hash of the archive with everything that a requirements.txt asks for, made when it is not stored; '': nothing. */
export type PackagePreparer = (requirements: Requirements) => Promise<string>;

const atOnce = 2;

/** Resolves each requirements.txt once, however many ask for it at the same time, and never again while it is in use. */
export function createPackagePreparer(pool: pg.Pool, builder: PackageBuilder): PackagePreparer {
  const underWay = new Map<string, Promise<string>>();
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

  return async (requirements) => {
    if (requirements.lines.length === 0) return '';
    const running = underWay.get(requirements.hash);
    if (running) return running;
    const work = resolve(requirements).finally(() => underWay.delete(requirements.hash));
    underWay.set(requirements.hash, work);
    return work;
  };
}
