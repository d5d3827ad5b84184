import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { reachableByOthers } from '@husky/platform/os-user';
import { freeBytes } from './full-disk.ts';
import { print } from './log.ts';

/** Thrown if the platform cannot start. The message is a sentence for the user of `make up`. */
export class CannotStart extends Error {}

const minFreeMiB = 300;
const writeRetryMs = 1000;

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
    throw new CannotStart(`The data folder ${dataDir} cannot be used (${code}): set DATA_DIR to another one.`);
  }
  const freeMiB = Math.floor(freeBytes(dataDir) / 2 ** 20);
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

/** Returns a Python >= 3.10 for the bots. As root, it must be readable by all users, because each seat has its own user. */
export function findPython(command: string | undefined): Python {
  const defaults = ['/usr/bin/python3', 'python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
  const rejected: string[] = [];
  for (const candidate of command ? [command] : defaults) {
    try {
      const output = execFileSync(candidate, ['-c', describePython], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const [version = '', path = '', prefix = ''] = output.split('\n');
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major !== 3 || minor < 10) rejected.push(`${candidate} is ${version}`);
      else if (process.getuid?.() === 0 && !reachableByOthers(prefix))
        rejected.push(`${candidate} is in a folder that only root can read`);
      else return { path, version };
    } catch {
      rejected.push(`${candidate} does not run`);
    }
  }
  throw new CannotStart(
    `Python 3.10 or newer is needed to run bots (${rejected.join(', ')}): install it, or set PYTHON.`,
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
      `Port ${port} is in use by another program: stop it, or use another port, as in PORT=8081 make up.`,
    );
  }
  if (code !== undefined) throw new CannotStart(`Port ${port} cannot be opened (${code}).`);
}

interface RegisteredProcess {
  readonly pid: number;
  /** Start time in clock ticks: detects that a process id has been reused. */
  readonly started: string;
}

function readStartTime(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  } catch {
    return undefined;
  }
}

function isRunning({ pid, started }: RegisteredProcess): boolean {
  return readStartTime(pid) === started;
}

/** Returns the process ids of a platform that runs on a data folder, by part; that of `make up` itself is `supervisor`. */
export function runningParts(dataDir: string): Readonly<Record<string, number | undefined>> {
  const file = join(dataDir, 'processes.json');
  if (!existsSync(file)) return {};
  const parts = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, RegisteredProcess>);
  return Object.fromEntries(
    parts.filter(([, registered]) => isRunning(registered)).map(([name, { pid }]) => [name, pid]),
  );
}

/** The file with the processes that run on a data folder. Prevents a second `make up` on it, and finds the processes of a killed one. */
export class ProcessRegister {
  readonly #file: string;
  readonly #processes = new Map<string, RegisteredProcess>();
  #retry: NodeJS.Timeout | undefined;

  constructor(dataDir: string) {
    this.#file = join(dataDir, 'processes.json');
  }

  /** Registers this process as supervisor and ends the processes of an earlier one. Returns their number. Throws CannotStart if it runs. */
  async takeOver(): Promise<number> {
    let registered: Record<string, RegisteredProcess> = {};
    try {
      registered = JSON.parse(readFileSync(this.#file, 'utf8')) as Record<string, RegisteredProcess>;
    } catch {
      registered = {};
    }
    const { supervisor, ...parts } = registered;
    if (supervisor && isRunning(supervisor)) {
      throw new CannotStart(`Husky Hold'em already runs on this data folder (process ${supervisor.pid}).`);
    }
    const running = Object.values(parts).filter(isRunning);
    for (const { pid } of running) process.kill(pid, 'SIGTERM');
    const deadline = Date.now() + 10_000;
    while (running.some(isRunning) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 100));
    for (const { pid } of running.filter(isRunning)) process.kill(pid, 'SIGKILL');
    this.add('supervisor', process.pid);
    return running.length;
  }

  add(name: string, pid: number): void {
    const started = readStartTime(pid);
    if (started !== undefined) this.#processes.set(name, { pid, started });
    this.#write();
  }

  remove(name: string): void {
    this.#processes.delete(name);
    this.#write();
  }

  /** Replaces the file atomically. If the disk is full, tries again later, so that the platform continues to run. */
  #write(): void {
    clearTimeout(this.#retry);
    const next = `${this.#file}.new`;
    try {
      writeFileSync(next, JSON.stringify(Object.fromEntries(this.#processes)), { mode: 0o600 });
      renameSync(next, this.#file);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
      print('up', `the register of processes could not be written: ${message}`);
      this.#retry = setTimeout(() => this.#write(), writeRetryMs).unref();
    }
  }
}
