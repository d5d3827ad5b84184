import { type ChildProcess, spawn } from 'node:child_process';
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
import { setTimeout as pause } from 'node:timers/promises';
import { SeatHost } from '../src/host/seat-host.ts';

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

  private constructor(runDir: string, process: ChildProcess, host: SeatHost) {
    this.runDir = runDir;
    this.process = process;
    this.host = host;
  }

  static async start(python: string, options: readonly string[] = [], place?: string): Promise<LocalHost> {
    const runDir = place ?? mkdtempSync(join(tmpdir(), 'husky-run-'));
    chmodSync(runDir, 0o755);
    const child = spawn(python, ['-m', 'husky_seat', '--run-dir', runDir, ...options], {
      cwd: join(runnerFolder, 'seat'),
      env: { PATH: process.env.PATH ?? '', PYTHONPATH: join(runnerFolder, 'seat') },
      stdio: ['pipe', 'inherit', 'ignore'],
    });
    const host = await connectSoon(runDir, child);
    return new LocalHost(runDir, child, host);
  }

  /** Copies a bot's folder into the run directory and returns the copy's path. */
  addBot(folder: string): string {
    const place = join(this.runDir, 'bots', basename(resolve(folder)));
    mkdirSync(place, { recursive: true });
    cpSync(folder, place, { recursive: true });
    return place;
  }

  /** Creates a bot with this source in the run directory and returns its path. */
  addSource(name: string, source: string): string {
    const place = join(this.runDir, 'bots', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'player.py'), source);
    return place;
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
    const seats = new Map<number, number>();
    for (const [pid, { parent, name }] of parents) {
      const seat = /^seat-([0-9]+) /.exec(name);
      if (seat !== null && parents.get(parent)?.parent === this.process.pid) seats.set(Number(seat[1]), pid);
    }
    return seats;
  }

  async stop(): Promise<void> {
    this.host.disconnect();
    const ended = new Promise((done) => this.process.once('exit', done));
    if (this.process.exitCode === null && this.process.signalCode === null) {
      this.process.stdin?.end();
      await ended;
    }
    rmSync(this.runDir, { recursive: true, force: true });
  }
}

async function connectSoon(runDir: string, child: ChildProcess): Promise<SeatHost> {
  for (let tries = 0; ; tries++) {
    try {
      return await SeatHost.connect(runDir);
    } catch (error) {
      if (tries > 1000 || child.exitCode !== null) throw error;
      await pause(10);
    }
  }
}
