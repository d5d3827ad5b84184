import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@husky/platform/free-port';
import type { OsUser } from '@husky/platform/os-user';
import { buildPrograms } from '../build-programs.ts';
import { runningDatabaseUrl } from './database.ts';

const root = join(import.meta.dirname, '../..');

const startTimeoutMs = 120_000;

/** Returns the variables that set every request limit to `limit`; 0: no limit. */
export const requestLimits = (limit: number): Record<string, string> =>
  Object.fromEntries(['READS', 'SIGN_INS'].map((name) => [`RATE_LIMIT_${name}`, String(limit)]));

/** Variables that disable the limits on requests, event streams and downloads, for tests and benchmarks of other behaviour. */
export const withoutLimits = { ...requestLimits(0), STREAMS_MAX: '0' };

/** A running `make up` with its own data folder and port, for tests and benchmarks. */
export interface OwnPlatform {
  readonly origin: string;
  readonly dataDir: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** Returns the database URL of the superuser. */
  databaseUrl(): string;
  /** Returns the current process id of a service; undefined while it is restarted. */
  pidOf(service: string): number | undefined;
  /** Stops the platform and removes its data, except a DATA_DIR of the caller. Idempotent. */
  stop(): Promise<void>;
}

export interface PlatformEvents {
  /** Working tree whose `make up` is started; default: this working tree. */
  readonly tree?: string;
  /** Runs the sources instead of bundles, so that tools see each file. */
  readonly fromSources?: boolean;
  /** Called with each line of the platform's log. */
  readonly onLine?: (line: string) => void;
  /** Called with the data folder before the platform starts. */
  readonly onFolder?: (dataDir: string) => void;
}

/** Starts a platform and returns it when it is ready. `user`: the user of all processes (only if the caller is root). */
export async function startOwnPlatform(
  variables: Record<string, string> = {},
  user?: OsUser,
  { tree = root, fromSources = false, onLine, onFolder }: PlatformEvents = {},
): Promise<OwnPlatform> {
  const ownFolder = variables.DATA_DIR === undefined ? mkdtempSync(join(tmpdir(), 'husky-own-')) : undefined;
  const dataDir = variables.DATA_DIR ?? ownFolder ?? '';
  if (user) chownSync(dataDir, user.uid, user.gid);
  onFolder?.(dataDir);
  // Another user cannot write into this folder.
  if (user) await buildPrograms();
  const port = variables.PORT ?? String(await freePort());
  const admin = { username: 'admin', password: variables.ADMIN_PASSWORD ?? 'correct horse battery' };
  const child = spawn(process.execPath, [`scripts/up/${fromSources ? 'supervisor' : 'main'}.ts`], {
    cwd: tree,
    ...user,
    env: {
      ...process.env,
      // Its matches would take runners from what is tested or measured.
      LADDER: 'false',
      PORT: port,
      DATA_DIR: dataDir,
      ADMIN_USERNAME: admin.username,
      ADMIN_PASSWORD: admin.password,
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const removeData = () => {
    if (ownFolder !== undefined) removeFolder(ownFolder);
  };
  await waitUntilReady(child, onLine).catch((error: unknown) => {
    removeData();
    throw error;
  });
  return {
    origin: `http://localhost:${port}`,
    dataDir,
    admin,
    databaseUrl: () => runningDatabaseUrl(dataDir),
    pidOf(service) {
      const register = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<
        string,
        { pid: number } | undefined
      >;
      return register[service]?.pid;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const closed = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGTERM');
        await closed;
      }
      removeData();
    },
  };
}

/** Removes a data folder and the targets of its links, which contain data for other users (reachableDataFolder). */
function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink() && existsSync(path)) rmSync(realpathSync(path), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

function waitUntilReady(child: ChildProcess, onLine?: PlatformEvents['onLine']): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const fail = (cause: string) => {
      const rejectWithLog = () => reject(new Error(`${cause}\n${lines.slice(-40).join('\n')}`));
      if (child.exitCode !== null || child.signalCode !== null) return rejectWithLog();
      child.once('close', rejectWithLog).kill('SIGTERM');
    };
    const timer = setTimeout(() => fail(`make up was not ready within ${startTimeoutMs / 1000} s`), startTimeoutMs);
    child.once('close', (code) => fail(`make up ended with ${code}`));
    if (!child.stdout) throw new Error('make up has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine?.(line);
      lines.push(line);
      if (process.env.E2E_LOG) process.stderr.write(`${line}\n`);
      if (line.startsWith('ready: ')) {
        clearTimeout(timer);
        child.removeAllListeners('close');
        resolve();
      }
    });
  });
}
