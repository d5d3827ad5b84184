import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../services/lib/testkit/src/free-port.ts';

const root = join(import.meta.dirname, '../..');

const startMs = 120_000;

/** Every limit of requests as one number; 0: none. */
export const requestLimits = (most: number): Record<string, string> =>
  Object.fromEntries(
    ['READS', 'WRITES', 'SIGN_INS', 'UPLOADS', 'ACCOUNT'].map((name) => [`RATE_LIMIT_${name}`, String(most)]),
  );

/** For those who measure or break something else. */
export const withoutLimits = requestLimits(0);

/** A `make up` on a fresh folder and a free port, for tests, benches and drills. */
export interface OwnPlatform {
  readonly origin: string;
  readonly dataDir: string;
  readonly admin: { readonly username: string; readonly password: string };
  /** The superuser's URL of its database. */
  databaseUrl(): string;
  /** The process of a service now; undefined while it is started again. */
  pidOf(service: string): number | undefined;
  stop(): Promise<void>;
}

/** Resolves when it is ready; `stop` ends it and removes its data. */
export async function startOwnPlatform(variables: Record<string, string> = {}): Promise<OwnPlatform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'husky-own-'));
  const port = await freePort();
  const admin = { username: 'admin', password: 'correct horse battery' };
  const child = spawn(process.execPath, ['scripts/up/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: String(port), DATA_DIR: dataDir, ADMIN_USERNAME: admin.username, ADMIN_PASSWORD: admin.password },
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await readyLine(child);
  return {
    origin: `http://localhost:${port}`,
    dataDir,
    admin,
    databaseUrl() {
      const postgresPort = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[3];
      const password = readFileSync(join(dataDir, 'secrets/database-owner'), 'utf8').trim();
      return `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${postgresPort}/husky`;
    },
    pidOf(service) {
      const register = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as Record<
        string,
        { pid: number } | undefined
      >;
      return register[service]?.pid;
    },
    async stop() {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await closed;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function readyLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const lines: string[] = [];
    const fail = (why: string) => {
      child.kill('SIGTERM');
      reject(new Error(`${why}\n${lines.slice(-40).join('\n')}`));
    };
    const timer = setTimeout(() => fail(`make up was not ready within ${startMs / 1000} s`), startMs);
    child.once('close', (code) => fail(`make up ended with ${code}`));
    if (!child.stdout) throw new Error('make up has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
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
