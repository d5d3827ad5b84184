import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const hashPattern = /^[0-9a-f]{64}$/;
const incoming = '.incoming-';

/** Stores folders named by hashes. Creates them atomically and readable by every user. `trim` removes the least recently used ones. */
export class FolderStore {
  readonly #folder: string;
  readonly #max: number;
  readonly #onLeft: (error: unknown) => void;
  /** When a folder was last used again, by hash. Not in the folder's times, by which the seat host knows its copy of packages. */
  readonly #usedAtMs = new Map<string, number>();

  /** `onLeft` is told why a folder could not be removed; `trim` tries again. */
  constructor(folder: string, max: number, onLeft: (error: unknown) => void = () => undefined) {
    this.#folder = folder;
    this.#max = max;
    this.#onLeft = onLeft;
  }

  /**
   * Returns the folder of this hash; creates it with `fill` if it does not exist, in a new temporary folder. `fill` must not write any more
   * when it has ended; its error is thrown. Throws RangeError for a name that is no hash.
   */
  async getOrCreate(hash: string, fill: (folder: string) => Promise<void>): Promise<string> {
    if (!hashPattern.test(hash)) throw new RangeError(`${JSON.stringify(hash.slice(0, 80))} is no hash`);
    const path = join(this.#folder, hash);
    if (await exists(path)) {
      this.#usedAtMs.set(hash, Date.now());
      return path;
    }
    // An existing folder was created by the fleet, which set its permissions.
    if ((await mkdir(this.#folder, { recursive: true })) !== undefined) await chmod(this.#folder, 0o755);
    const temporary = await mkdtemp(join(this.#folder, incoming));
    try {
      await fill(temporary);
      await makeReadable(temporary);
      await rename(temporary, path);
    } catch (error) {
      await this.#remove(temporary);
      throw error;
    }
    return path;
  }

  /**
   * Removes folders beyond the limit, least recently used first, never those in `used`, and all that were left half filled, by an earlier
   * process too. Never rejects. Must not run beside `getOrCreate`.
   */
  async trim(used: ReadonlySet<string>): Promise<void> {
    await this.#trim(used).catch(this.#onLeft);
  }

  async #trim(used: ReadonlySet<string>): Promise<void> {
    if (!(await exists(this.#folder))) return;
    const names = await readdir(this.#folder);
    for (const name of names.filter((one) => one.startsWith(incoming))) await this.#remove(join(this.#folder, name));
    const folders = await Promise.all(
      names
        .filter((name) => !used.has(name) && !name.startsWith(incoming))
        .map(async (name) => {
          const path = join(this.#folder, name);
          return { name, path, usedAtMs: this.#usedAtMs.get(name) ?? (await stat(path)).mtimeMs };
        }),
    );
    folders.sort((a, b) => b.usedAtMs - a.usedAtMs);
    const keep = Math.max(0, this.#max - used.size);
    for (const { name, path } of folders.slice(keep)) {
      this.#usedAtMs.delete(name);
      await this.#remove(path);
    }
  }

  async #remove(path: string): Promise<void> {
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(this.#onLeft);
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

/** Makes a tree readable for every user. Throws for an entry that is neither file nor folder. */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder)) {
    const path = join(folder, entry);
    const found = await lstat(path);
    if (found.isDirectory()) await makeReadable(path);
    else if (found.isFile()) await chmod(path, 0o644);
    else throw new Error(`${entry} is neither a file nor a folder`);
  }
}
