import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Objects } from './objects.ts';

/**
 * Stores objects as files. The folder must exist, so that a volume that is not mounted is an error; folders below it are created. All
 * replicas need the same folder.
 */
export function folderObjects(folder: string): Objects {
  return {
    async put(key, object) {
      const path = join(folder, key);
      const parent = dirname(path);
      await mkdir(parent).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      const unfinished = `${path}.unfinished`;
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(object);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
      await syncFolder(parent);
      await syncFolder(folder);
    },
    async get(key) {
      try {
        return await readFile(join(folder, key));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        await access(folder);
        return null;
      }
    },
    async delete(key) {
      await access(folder);
      await rm(join(folder, key), { force: true });
    },
  };
}

/** Makes the names of new files durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
