import type { ChildProcess } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type OwnSeatHost, startSeatHost } from '../src/host/own-seat-host.ts';
import type { SeatHost } from '../src/host/seat-host.ts';

const runnerFolder = join(import.meta.dirname, '..');

/** Returns the path of Python: PYTHON if it is set, else the system's. As root, the seats' users must be able to read it. */
export function findPython(env: NodeJS.ProcessEnv = process.env): string {
  for (const path of [env.PYTHON, '/usr/bin/python3']) {
    if (path === undefined || path === '') continue;
    accessSync(path, constants.X_OK);
    return path;
  }
  throw new Error('no Python was found');
}

/** A seat host process with its own run directory, by default a temporary one. */
export class LocalHost {
  readonly runDir: string;
  readonly process: ChildProcess;
  host: SeatHost;

  readonly #own: OwnSeatHost;

  private constructor(runDir: string, own: OwnSeatHost) {
    this.runDir = runDir;
    this.process = own.process;
    this.host = own.host;
    this.#own = own;
  }

  /** Starts a seat host in `folder`, by default a new temporary one. */
  static async start(python: string, options: readonly string[] = [], folder?: string): Promise<LocalHost> {
    const runDir = folder ?? mkdtempSync(join(tmpdir(), 'husky-run-'));
    chmodSync(runDir, 0o755);
    const own = await startSeatHost({ python, seatFolder: join(runnerFolder, 'seat'), runDir, options });
    return new LocalHost(runDir, own);
  }

  /** Copies a bot's folder into the run directory and returns the copy's path. */
  addBot(folder: string): string {
    const copy = join(this.runDir, 'bots', basename(resolve(folder)));
    mkdirSync(copy, { recursive: true });
    cpSync(folder, copy, { recursive: true });
    return copy;
  }

  /** Creates a bot with this source in the run directory and returns its path. */
  addSource(name: string, source: string): string {
    const folder = join(this.runDir, 'bots', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'player.py'), source);
    return folder;
  }

  /** Returns the process ids of this host's living seats, by seat. */
  seatPids(): Map<number, number> {
    const parents = new Map<number, { parent: number; name: string }>();
    for (const entry of readdirSync('/proc')) {
      if (!/^[0-9]+$/.test(entry)) continue;
      try {
        const stat = readFileSync(join('/proc', entry, 'stat'), 'latin1');
        const end = stat.lastIndexOf(')');
        const name = stat.slice(stat.indexOf('(') + 1, end);
        parents.set(Number(entry), { parent: Number(stat.slice(end + 2).split(' ')[1]), name });
      } catch (error) {
        // The process has ended meanwhile.
        if (!(error instanceof Error)) throw error;
      }
    }
    const isOwn = (pid: number | undefined): boolean =>
      pid !== undefined && (pid === this.process.pid || isOwn(parents.get(pid)?.parent));
    const seats = new Map<number, number>();
    for (const [pid, { name }] of parents) {
      const seat = /^seat-([0-9]+) /.exec(name);
      if (seat !== null && isOwn(pid)) seats.set(Number(seat[1]), pid);
    }
    return seats;
  }

  async stop(): Promise<void> {
    this.host.disconnect();
    await this.#own.stop();
    rmSync(this.runDir, { recursive: true, force: true });
  }
}
