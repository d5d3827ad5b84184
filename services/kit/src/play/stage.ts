import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KitError } from '../wire.ts';

/** Creates a folder atomically: its files are written to a temporary folder beside the target, which `commit` renames. */
export class Stage {
  readonly folder: string;
  readonly #target: string;
  /** The topmost parent folder that was created for the target; undefined when all existed. */
  readonly #createdFolder: string | undefined;

  /** Throws KitError when the target exists and is not an empty folder. */
  constructor(target: string) {
    if (existsSync(target) && !isEmptyFolder(target))
      throw new KitError(2, `${target} exists already: name a new folder, or an empty one`);
    this.#target = target;
    this.#createdFolder = mkdirSync(dirname(target), { recursive: true });
    this.folder = mkdtempSync(join(dirname(target), `.${basename(target)}.part-`));
  }

  /** Gives the temporary folder the target's name. */
  commit(): void {
    renameSync(this.folder, this.#target);
  }

  /** Removes everything that was created. No-op after `commit`. */
  discard(): void {
    if (!existsSync(this.folder)) return;
    rmSync(this.folder, { recursive: true, force: true });
    if (this.#createdFolder !== undefined) rmSync(this.#createdFolder, { recursive: true, force: true });
  }
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}
