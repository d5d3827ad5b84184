import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KitError } from '../wire.ts';

/** A new folder beside the folder that is written. It takes that one's name when it is complete, so that nothing is ever half-written. */
export class Stage {
  readonly folder: string;
  readonly #target: string;
  /** The topmost folder that was made for the target; undefined when all existed. */
  readonly #made: string | undefined;

  /** Throws KitError when the target exists and is not an empty folder. */
  constructor(target: string) {
    if (existsSync(target) && !isEmptyFolder(target))
      throw new KitError(2, `${target} exists already: name a new folder, or an empty one`);
    this.#target = target;
    this.#made = mkdirSync(dirname(target), { recursive: true });
    this.folder = mkdtempSync(join(dirname(target), `.${basename(target)}.part-`));
  }

  commit(): void {
    renameSync(this.folder, this.#target);
  }

  /** Removes everything that was made. No-op after `commit`. */
  discard(): void {
    if (!existsSync(this.folder)) return;
    rmSync(this.folder, { recursive: true, force: true });
    if (this.#made !== undefined) rmSync(this.#made, { recursive: true, force: true });
  }
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
