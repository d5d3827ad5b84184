import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { reachableByOthers } from '@husky/platform/os-user';
import { print } from './log.ts';

/** The platform cannot start; the message is one sentence for the person who ran `make up`. */
export class CannotStart extends Error {}

const minFreeMiB = 300;
const rewriteMs = 1000;

export function checkPlatform(): void {
  if (process.platform !== 'linux') {
    throw new CannotStart(
      `Husky Hold'em runs bots in Linux sandboxes, and this is ${process.platform}: use Linux, a Linux VM or WSL.`,
    );
  }
}

export function checkDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOSPC') throw new CannotStart(`The disk is full: ${dataDir} cannot be written.`);
    throw new CannotStart(`The data folder ${dataDir} cannot be used (${code}): choose another by DATA_DIR.`);
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const freeMiB = Math.floor((bavail * bsize) / 2 ** 20);
  if (freeMiB < minFreeMiB) {
    throw new CannotStart(
      `The disk of ${dataDir} is full: ${freeMiB} MiB are free, at least ${minFreeMiB} are needed.`,
    );
  }
}

export interface Python {
  readonly path: string;
  /** major.minor */
  readonly version: string;
}

const describePython =
  'import sys; print("%d.%d" % sys.version_info[:2]); print(sys.executable); print(sys.base_prefix)';

/** Returns a Python >= 3.10 for the bots. If this process is root, it must be readable by all, since seats have their own users. */
export function findPython(command: string | undefined): Python {
  const usual = ['/usr/bin/python3', 'python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
  const seen: string[] = [];
  for (const candidate of command ? [command] : usual) {
    try {
      const answer = execFileSync(candidate, ['-c', describePython], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [version = '', path = '', prefix = ''] = answer.split('\n');
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major !== 3 || minor < 10) seen.push(`${candidate} is ${version}`);
      else if (process.getuid?.() === 0 && !reachableByOthers(prefix))
        seen.push(`${candidate} is in a folder that only root can read`);
      else return { path, version };
    } catch {
      seen.push(`${candidate} does not run`);
    }
  }
  throw new CannotStart(
    `Python 3.10 or newer is needed to run bots (${seen.join(', ')}): install it, or name it by PYTHON.`,
  );
}

export async function checkPort(port: number): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new CannotStart(`PORT must be a number from 1 to 65535.`);
  const code = await new Promise<string | undefined>((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(undefined)));
  });
  if (code === 'EADDRINUSE') {
    throw new CannotStart(
      `Port ${port} is in use by another program: stop it, or choose another by PORT=8081 make up.`,
    );
  }
  if (code !== undefined) throw new CannotStart(`Port ${port} cannot be opened (${code}).`);
}

interface Owned {
  readonly pid: number;
  /** Start time in clock ticks: detects that a process id has been reused. */
  readonly started: string;
}

function startedAt(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  } catch {
    return undefined;
  }
}

function alive(owned: Owned): boolean {
  return startedAt(owned.pid) === owned.started;
}

/** Returns the process ids of a platform that runs on this data folder, by part; the supervisor is `supervisor`. */
export function runningParts(dataDir: string): Readonly<Record<string, number | undefined>> {
  const file = join(dataDir, 'processes.json');
  if (!existsSync(file)) return {};
  const parts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Owned>);
  return Object.fromEntries(parts.filter(([, owned]) => alive(owned)).map(([name, { pid }]) => [name, pid]));
}

/** Register of the processes of a data folder. Refuses a second `make up` on it and ends the processes of a killed one. */
export class ProcessRegister {
  readonly #file: string;
  readonly #owned = new Map<string, Owned>();
  #retry: NodeJS.Timeout | undefined;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'processes.json');
  }

  async takeOver(): Promise<number> {
    let before: Record<string, Owned> = {};
    try {
      before = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, Owned>;
    } catch {
      before = {};
    }
    const { supervisor, ...parts } = before;
    if (supervisor && alive(supervisor)) {
      throw new CannotStart(`Husky Hold'em already runs on this data folder (process ${supervisor.pid}).`);
    }
    const left = Object.values(parts).filter(alive);
    for (const owned of left) process.kill(owned.pid, 'SIGTERM');
    const until = Date.now() + 10_000;
    while (left.some(alive) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 100));
    for (const owned of left.filter(alive)) process.kill(owned.pid, 'SIGKILL');
    this.add('supervisor', process.pid);
    return left.length;
  }

  add(name: string, pid: number): void {
    const started = startedAt(pid);
    if (started !== undefined) this.#owned.set(name, { pid, started });
    this.#write();
  }

  remove(name: string): void {
    this.#owned.delete(name);
    this.#write();
  }

  /** Replaces the file at once, so that readers never see a part of it. A full disk must not end the platform: it tries again. */
  #write(): void {
    clearTimeout(this.#retry);
    const next = `${this.#file}.new`;
    try {
      writeFileSync(next, JSON.stringify(Object.fromEntries(this.#owned)), { mode: 0o600 });
      renameSync(next, this.#file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      print('up', `the register of processes could not be written: ${message}`);
      this.#retry = setTimeout(() => this.#write(), rewriteMs).unref();
    }
  }
}
