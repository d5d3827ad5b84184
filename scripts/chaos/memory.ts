import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup/memory';

/** A memory control group (version 1) that limits a process to about its current memory. The process waits instead of being killed. */
export class MemoryLimit {
  readonly #folder: string;
  readonly #pid: number;

  private constructor(folder: string, pid: number) {
    this.#folder = folder;
    this.#pid = pid;
  }

  /** Returns whether this machine has such groups and lets this user create one. */
  static get available(): boolean {
    return process.getuid?.() === 0 && existsSync(join(root, 'memory.limit_in_bytes'));
  }

  static apply(pid: number): MemoryLimit {
    const folder = join(root, `husky-chaos-${process.pid}-${pid}`);
    mkdirSync(folder);
    const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    writeFileSync(join(folder, 'memory.oom_control'), '1');
    writeFileSync(join(folder, 'cgroup.procs'), String(pid));
    // Memory in use stays charged to the old group: only new pages count.
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(Math.max(2 ** 20, resident * 16)));
    return new MemoryLimit(folder, pid);
  }

  release(): void {
    writeFileSync(join(this.#folder, 'memory.limit_in_bytes'), '-1');
    try {
      writeFileSync(join(root, 'cgroup.procs'), String(this.#pid));
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
