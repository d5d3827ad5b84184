import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SeatHost } from '../src/host/seat-host.ts';

const runnerFolder = join(import.meta.dirname, '..');

/** A seat host of its own in a temporary run directory. */
export class LocalHost {
  readonly runDir: string;
  readonly process: ChildProcess;
  host: SeatHost;

  private constructor(runDir: string, process: ChildProcess, host: SeatHost) {
    this.runDir = runDir;
    this.process = process;
    this.host = host;
  }

  static async start(python: string, options: readonly string[] = []): Promise<LocalHost> {
    const runDir = mkdtempSync(join(tmpdir(), 'husky-run-'));
    chmodSync(runDir, 0o755);
    const child = spawn(python, ['-m', 'husky_seat', '--run-dir', runDir, ...options], {
      cwd: join(runnerFolder, 'seat'),
      env: { PATH: process.env.PATH ?? '', PYTHONPATH: join(runnerFolder, 'seat') },
      stdio: ['pipe', 'inherit', 'ignore'],
    });
    const host = await connectSoon(runDir, child);
    return new LocalHost(runDir, child, host);
  }

  /** Copies a bot's folder to where seats can read it; answers its place. */
  addBot(folder: string): string {
    const place = join(this.runDir, 'bots', basename(resolve(folder)));
    mkdirSync(place, { recursive: true });
    cpSync(folder, place, { recursive: true });
    return place;
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
