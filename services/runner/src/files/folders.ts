import { chmod, lstat, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const hashPattern = /^[0-9a-f]{64}$/;
const incoming = '.incoming-';

/** Stores folders named by hashes. Creates them atomically and readable by every user. `trim` removes the least recently used ones. */
export class FolderStore {
  readonly #folder: string;
  readonly #max: number;

  constructor(folder: string, max: number) {
    this.#folder = folder;
    this.#max = max;
  }

  /** Returns the folder of this hash; creates it with `fill` if it does not exist. Throws RangeError for a name that is no hash. */
  async getOrCreate(hash: string, fill: (folder: string) => Promise<void>): Promise<string> {
    if (!hashPattern.test(hash)) throw new RangeError(`${JSON.stringify(hash.slice(0, 80))} is no hash`);
    const path = join(this.#folder, hash);
    if (await exists(path)) {
      const now = new Date();
      await utimes(path, now, now);
      return path;
    }
    // An existing folder was created by the fleet, which set its permissions.
    if ((await mkdir(this.#folder, { recursive: true })) !== undefined) await chmod(this.#folder, 0o755);
    const temporary = join(this.#folder, `${incoming}${hash}`);
    await rm(temporary, { recursive: true, force: true });
    await mkdir(temporary);
    try {
      await fill(temporary);
      await makeReadable(temporary);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      throw error;
    }
    return path;
  }

  /** Removes folders beyond the limit, least recently used first, never those in `used`. */
  async trim(used: ReadonlySet<string>): Promise<void> {
    if (!(await exists(this.#folder))) return;
    const names = await readdir(this.#folder);
    const folders = await Promise.all(
      names
        .filter((name) => !used.has(name))
        .map(async (name) => {
          const path = join(this.#folder, name);
          return { path, usedAtMs: name.startsWith(incoming) ? 0 : (await stat(path)).mtimeMs };
        }),
    );
    folders.sort((a, b) => b.usedAtMs - a.usedAtMs);
    const keep = Math.max(0, this.#max - used.size);
    for (const { path } of folders.slice(keep)) await rm(path, { recursive: true, force: true });
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
