import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const sizeMiB = 3072;

/** A file system in memory that can be filled. Needs root. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Mounts the file system. Returns the reason if this machine does not allow it. */
  static mount(): SmallDisk | string {
    if (process.getuid?.() !== 0) return 'mounting a file system of its own needs root';
    const path = mkdtempSync(join(tmpdir(), 'husky-chaos-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m,mode=0711`, 'husky-chaos', path], {
        stdio: 'pipe',
      });
    } catch (error) {
      rmSync(path, { recursive: true, force: true });
      return `a file system in memory cannot be mounted here (${error instanceof Error ? error.message.split('\n')[0] : ''})`;
    }
    mkdirSync(join(path, 'data'), { mode: 0o711 });
    return new SmallDisk(path);
  }

  /** The folder for the data of a platform. */
  get dataDir(): string {
    return join(this.path, 'data');
  }

  /** Makes writes fail with ENOSPC until `free`. */
  fill(): void {
    const used = execFileSync('df', ['--output=used', '-k', this.path], { encoding: 'utf8' }).split('\n')[1];
    // A size below the used space is refused, and files may have grown since `df`.
    const kib = Number(used);
    for (const spare of [0, 64, 1024, 8192]) {
      try {
        this.#resize(`${kib + spare}k`);
        return;
      } catch (error) {
        if (spare === 8192) throw error;
      }
    }
  }

  /** Ends `fill`. */
  free(): void {
    this.#resize(`${sizeMiB}m`);
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.path], { stdio: 'pipe' });
    rmSync(this.path, { recursive: true, force: true });
  }

  #resize(size: string): void {
    execFileSync('mount', ['-o', `remount,size=${size}`, this.path], { stdio: 'pipe' });
  }
}
