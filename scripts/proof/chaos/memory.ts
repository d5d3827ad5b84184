import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How a version of control groups limits memory. */
export interface MemoryGroups {
  readonly version: 1 | 2;
  /** Folder in which groups are created. */
  readonly root: string;
}

/**
 * Returns the control groups that can limit the memory of processes below a mount point of control groups, or the reason why there are
 * none. Enables the memory controller of version 2 for new groups.
 */
export function findMemoryGroups(mountPoint = '/sys/fs/cgroup'): MemoryGroups | string {
  if (process.getuid?.() !== 0) return 'memory control groups need root';
  const version1 = join(mountPoint, 'memory');
  if (existsSync(join(version1, 'memory.limit_in_bytes'))) return { version: 1, root: version1 };
  if (!listsMemory(join(mountPoint, 'cgroup.controllers'))) return 'this machine has no memory control groups';
  const enabled = join(mountPoint, 'cgroup.subtree_control');
  try {
    if (!listsMemory(enabled)) writeFileSync(enabled, '+memory');
  } catch (error) {
    // EBUSY in a container: a group with processes, except the root of the machine, has no groups with controllers.
    return `memory control groups cannot be created here (${(error as NodeJS.ErrnoException).code})`;
  }
  return { version: 2, root: mountPoint };
}

const listsMemory = (file: string) =>
  existsSync(file) && readFileSync(file, 'utf8').trim().split(' ').includes('memory');

/**
 * A memory control group that limits a process to about its current memory. The process is not killed: with version 1 it waits for memory,
 * with version 2 the kernel makes it wait up to two seconds for each allocation.
 */
export class MemoryLimit {
  readonly #folder: string;
  readonly #pid: number;
  readonly #limitFile: string;
  readonly #noLimit: string;
  /** Group to which the process returns. */
  readonly #original: string;

  private constructor({ version, root }: MemoryGroups, folder: string, pid: number) {
    this.#folder = folder;
    this.#pid = pid;
    this.#limitFile = join(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.high');
    this.#noLimit = version === 1 ? '-1' : 'max';
    this.#original = version === 1 ? root : join(root, groupOf(pid));
  }

  /** Throws ENOENT or ESRCH if the process has ended. */
  static apply(pid: number, groups: MemoryGroups): MemoryLimit {
    const folder = join(groups.root, `husky-chaos-${process.pid}-${pid}`);
    const limit = new MemoryLimit(groups, folder, pid);
    const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    mkdirSync(folder);
    if (groups.version === 1) writeFileSync(join(folder, 'memory.oom_control'), '1');
    writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    // Memory in use stays charged to the old group: only new pages count.
    writeFileSync(limit.#limitFile, String(Math.max(2 ** 20, resident * 16)));
    return limit;
  }

  release(): void {
    writeFileSync(this.#limitFile, this.#noLimit);
    try {
      writeFileSync(join(this.#original, 'cgroup.procs'), String(this.#pid));
    } catch (error) {
      // The process has ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    try {
      rmdirSync(this.#folder);
    } catch (error) {
      // Its last process is still being removed; an empty group has no effect.
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
    }
  }
}

/** Returns the path of the group of a process in the hierarchy of version 2. */
const groupOf = (pid: number) => /^0::(.+)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1] ?? '/';
