import { execFileSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Chaos, clockVariables } from '../../up/chaos.ts';

const hourS = 3600;
const sharedMemory = '/dev/shm';
/** Every part, and as many dealers as the maximum of POOL_MAX_SIZE of `make up`. */
const names = [
  'auth',
  'submission',
  'simulation',
  'live-data',
  'leaderboard',
  'pool',
  'gateway',
  ...Array.from({ length: 16 }, (_, index) => `dealer-${index + 1}`),
];

/** Clocks of processes, which libfaketime can move while the processes run. */
export class Clocks {
  readonly #library: string;
  readonly #folder: string;

  private constructor(library: string, folder: string) {
    this.#library = library;
    this.#folder = folder;
  }

  /** Creates the clocks. Returns the reason if this machine cannot move clocks. */
  static open(): Clocks | string {
    const [library] = globSync(['/usr/lib/*/faketime/libfaketimeMT.so.1', '/usr/lib*/faketime/libfaketimeMT.so.1']);
    if (library === undefined) return 'libfaketime is not installed (Debian: apt-get install libfaketime)';
    const clocks = new Clocks(library, mkdtempSync(join(tmpdir(), 'husky-clocks-')));
    for (const name of names) setClock(join(clocks.#folder, name), 0);
    if (clocks.#works()) return clocks;
    clocks.remove();
    return `libfaketime (${library}) does not change the clock of Node.js here`;
  }

  /** Returns the settings for `make up`. */
  get settings(): Chaos['clocks'] {
    return { library: this.#library, folder: this.#folder };
  }

  /** Removes the files of the clocks, and the shared memory that the library of ended processes has left. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    for (const name of readdirSync(sharedMemory)) {
      const pid = /^(?:sem\.)?faketime_(?:sem|shm)_(\d+)$/.exec(name)?.[1];
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(sharedMemory, name), { force: true });
    }
  }

  #works(): boolean {
    const probe = join(this.#folder, 'probe');
    setClock(probe, 24 * hourS);
    const env = { ...process.env, ...clockVariables(this.#library, probe) };
    const output = execFileSync(process.execPath, ['-p', 'Date.now()'], { env, encoding: 'utf8', stdio: 'pipe' });
    return Math.abs(Number(output) - Date.now() - 24 * hourS * 1000) < hourS * 1000;
  }
}

/** Maximum time until a process has read a change of its clock's file. */
export const clockReadMs = 1100;

/** Returns the file of a process's clock; undefined if the process uses the machine's clock or has ended. */
export function clockFileOf(pid: number): string | undefined {
  try {
    return /(?:^|\0)FAKETIME_TIMESTAMP_FILE=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

/** Sets a clock to this offset from the machine's clock. Replaces the file atomically, because a partly written file would be another time. */
export function setClock(file: string, aheadS: number): void {
  writeFileSync(`${file}.new`, `${aheadS < 0 ? '' : '+'}${aheadS}`);
  renameSync(`${file}.new`, file);
}
